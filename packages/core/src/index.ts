/**
 * Keeps an LLM agent's context under the load line. To begin with: `createConversation` trims the requests of a conversation, `codecs` are
 * their formats, `economyPolicies` and `specPolicies` the rules, `recallTool` gives a model back what was cut, `Report` says what was
 * done; `Policy` and `ToolRules` are for rules and tools of your own; `trimMessages` is for one list, once; `buildView` is the engine.
 *
 * @packageDocumentation
 */
export { type CacheMatch, type CacheRules, type CacheTerms, usualRules, usualTerms } from './bill/cache-rules.ts'
export { cacheTermsOf } from './bill/cache-terms-of.ts'
export { type Calibration, type CalibrationOptions, calibrate, type ReportedTurn } from './bill/calibrate.ts'
export { type Cost, type CostOptions, type CostParts, costOfTurn, sumCosts } from './bill/cost-of-turn.ts'
export {
  believedLifetime,
  type CacheObservation,
  hasNoCache,
  type LearnedLifetime,
  learnLifetime,
} from './bill/learned-lifetime.ts'
export { priceOf } from './bill/price-of.ts'
export { knownPrices, type Price, type PriceTable } from './bill/prices.ts'
export { type CacheUse, createPromptCache, type PromptCache, type SentPrompt } from './bill/prompt-cache.ts'
export { binaryFields } from './binary/binary-fields.ts'
export { acceptSummary, type CheckedSummary } from './compaction/check-summary.ts'
export { commandChanges } from './compaction/command-changes.ts'
export { type Breaker, type CompactionOutcome, compactionBreaker } from './compaction/compaction-breaker.ts'
export { type CompactionDueInput, compactionDue } from './compaction/compaction-due.ts'
export { factsOfSegment, type SegmentFacts } from './compaction/facts-of-segment.ts'
export { foldSegment } from './compaction/fold-segment.ts'
export { hideOldSummaries } from './compaction/hide-old-summaries.ts'
export { patchedFiles } from './compaction/patched-files.ts'
export { type PlanOptions, planCompaction } from './compaction/plan-compaction.ts'
export { type CompactionPreview, type PreviewOptions, previewCompaction } from './compaction/preview-compaction.ts'
export { type Round, roundsOf } from './compaction/rounds.ts'
export type { Segment, SummaryOptions, SummaryWriter } from './compaction/segment.ts'
export { type ShellCommand, shellCommands } from './compaction/shell-commands.ts'
export { summaryPrompt } from './compaction/summary-prompt.ts'
export { type SummaryRequest, type SummaryRequestInput, summaryRequest } from './compaction/summary-request.ts'
export { foldLine } from './compaction/summary-template.ts'
export { type WriteOptions, writeSummary } from './compaction/write-summary.ts'
export { digestOf } from './compression/digest-of.ts'
export type { DigestFields, DigestRule, DigestSource } from './compression/digest-source.ts'
export {
  type Config,
  completeConfig,
  defaultConfig,
  type McpServer,
  type ModelOverride,
  outputReserve,
  type PartialConfig,
  type PermissionMode,
  type ReasoningLevel,
  type ToolLimits,
  type TruncationStrategy,
} from './config.ts'
export {
  type Conversation,
  type ConversationOptions,
  createConversation,
  createTrimmer,
  type PreparedRequest,
  type RequestConversation,
} from './conversation.ts'
export { detached } from './detached.ts'
export { defaultEconomyRules, type EconomyRules, type ResultClass } from './economy/economy-rules.ts'
export { createEconomyPolicies, economyPolicies } from './economy-policies.ts'
export { applyEdits, type Edit, type FoldEdit, type InsertEdit, type Reference, type ReplaceEdit } from './edit.ts'
export { asShown } from './engine/as-shown.ts'
export type { HostRule } from './engine/host-rules.ts'
export { type ConversationState, type Prepared, type Sent, stateAfter } from './engine/prepare.ts'
export type { RequestFacts } from './engine/request-facts.ts'
export { withEscapedControls } from './escaped-controls.ts'
export type {
  AgentError,
  AgentEvent,
  CompactionEnd,
  CompactionStart,
  Emit,
  NoticeCode,
  Notification,
  PermissionAnswer,
  PermissionRequest,
  SideCall,
  ToolAccess,
  ToolCallEnd,
  ToolCallStart,
  ToolOutcome,
  ToolProgress,
  TurnEnd,
  TurnStart,
  UsageTold,
} from './event.ts'
export type { Facts } from './facts.ts'
export { classifyFailure, type Failure, type FailureInput, type FailureKind } from './failure/classify-failure.ts'
export { ContextLengthExceededError, isContextLengthExceeded, providerError } from './failure/context-length-error.ts'
export { failureWords } from './failure/failure-words.ts'
export { type SilentOverflow, type SilentOverflowInput, silentOverflow } from './failure/silent-overflow.ts'
export { describeOverflow } from './fit/describe-overflow.ts'
export type { HeavyPart, Overflow } from './fit/overflow.ts'
export { countImages } from './fit/request-size.ts'
export { createFreshness, type Freshness, type FreshnessOptions, type KnownFile } from './freshness.ts'
export { type AnswerText, type AnswerUsage, answerUsage } from './gateway/answer-usage.ts'
export { type AppliedContextEdit, withAppliedEdits } from './gateway/applied-edits.ts'
export { bindsThinking } from './gateway/bound-thinking.ts'
export { canonicalPart, canonicalValue } from './gateway/canonical-text.ts'
export { isCommonCallId } from './gateway/common-call-id.ts'
export { contentKinds, type KindTokens, kindsOfMessage } from './gateway/content-kinds.ts'
export {
  type ContextManagementInput,
  contextManagementName,
  type ManagedContext,
  manageContext,
} from './gateway/context-management.ts'
export {
  type Counterfactual,
  type CounterfactualRequest,
  type CounterfactualState,
  createCounterfactual,
  type PromptBlock,
  type UntrimmedRequest,
} from './gateway/counterfactual.ts'
export type { Decision, DecisionKey } from './gateway/decision.ts'
export type { Finding, FindingCode } from './gateway/finding.ts'
export {
  decisionKeys,
  type GatewayEdits,
  gatewayEdits,
  heldEdits,
  joinEdits,
  maxLevels,
  type NewDecision,
  newDecisions,
  type ShownBefore,
} from './gateway/gateway-edits.ts'
export { gatewayFindings } from './gateway/gateway-findings.ts'
export { type GatewayPart, gatewayParts } from './gateway/gateway-parts.ts'
export { type GatewayMode, gatewayMode, gatewayPolicies } from './gateway/gateway-policies.ts'
export type { GatewayConversation, GatewayMessage, GatewayRequest } from './gateway/gateway-record.ts'
export { defaultGatewaySettings, type GatewaySettings } from './gateway/gateway-settings.ts'
export { isHeldOut } from './gateway/held-out.ts'
export { chainOf, chainOfMessages, type HashText, identifyMessages } from './gateway/identify-messages.ts'
export { createLearnedModels, type LearnedModel, type LearnedModels, type LearnedState } from './gateway/learned-models.ts'
export {
  type HoldOut,
  leastHeldOut,
  type Savings,
  type SavingsArm,
  type SavingsChange,
  type SavingsConversation,
  type SavingsTokens,
  summariseSavings,
  unpricedTokens,
} from './gateway/savings.ts'
export { gentlerMode, type TrimMode, trimModes } from './gateway/trim-mode.ts'
export { type WireDialect, wireDialects } from './gateway/wire-dialect.ts'
export { grouped } from './grouped.ts'
export { handleOf } from './hash.ts'
export { type BreakInput, type BreakRequest, cacheBreak } from './inspection/cache-break.ts'
export type { EmbeddedInspection, EmbeddedLeft, EmbeddedView, WrittenInspection } from './inspection/embedded-inspection.ts'
export { createFillSum, type FillSum, scaleFill, type WindowLimits } from './inspection/fill-sum.ts'
export {
  type BranchInspection,
  countedFill,
  type InspectBranchFacts,
  type InspectedBranch,
  inspectBranch,
} from './inspection/inspect-branch.ts'
export { type CacheBreak, type EditTexts, type InspectedCost, type InspectedEdit, type InspectedMessage, type InspectedRequest, type InspectedSession, type InspectedUnder, type Inspection, type MessageTable, type SentRequest } from './inspection/inspection.ts'
export { type CategoryTokens, type WindowCategory, type WindowFill, windowCategories } from './inspection/fill-sum.ts'
export { createMessageColumns, type MessageColumns } from './inspection/message-columns.ts'
export { type PackedInspection, type PackedMessages, packInspection, unpackInspection } from './inspection/pack-inspection.ts'
export { createSampledTokenizer, type SamplingOptions, sampledEstimator } from './inspection/sampled-tokenizer.ts'
export type {
  ApiTrouble,
  ChatMessage,
  FileSuggestion,
  Hello,
  LiveState,
  LogListRow,
  LogSessions,
  ModelInfo,
  ServerEvent,
  SessionAnswers,
  SessionCommands,
  SessionEvent,
  SessionListRow,
  SessionLook,
  SessionSnapshot,
} from './inspection/server-api.ts'
export { type ShownMedia, shownMedia } from './inspection/shown-media.ts'
export {
  mainPiece,
  type PartCounter,
  plainCounts,
  rememberedCounts,
  type SizedMessage,
  type SizedPart,
  sizeMessage,
  type ToolOfCall,
} from './inspection/sized-message.ts'
export type { WhatIf, WhatIfChoices, WhatIfParts, WhatIfQuestion, WhatIfRow } from './inspection/what-if.ts'
export { type WindowFillOptions, windowFill } from './inspection/window-fill.ts'
export { checkView, type Problem, type RuleName } from './invariants.ts'
export { type ErrorContext, isError } from './is-error.ts'
export { assembleLayers, isLayer, type LayerName, type LayersInput } from './layers/assemble-layers.ts'
export { type CurrentRound, currentRound } from './layers/current-round.ts'
export { placeRules, type RulesInput, type RulesPlacement } from './layers/place-rules.ts'
export { type RulesFile, rulesText } from './layers/rules-text.ts'
export { type TodoItem, todoList } from './layers/todo-list.ts'
export { todoRecap } from './layers/todo-recap.ts'
export { type Load, loadOf } from './load.ts'
export type { LogRecord } from './log.ts'
export { type MentionOptions, mentionsIn, withMentionReminder } from './mentions.ts'
export {
  type BlobReference,
  callInput,
  inputText,
  isRecord,
  type MediaPart,
  type Message,
  messageText,
  type Part,
  type ProviderOptions,
  type ReasoningPart,
  type ResultContent,
  type Role,
  resultText,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  withShownText,
} from './message.ts'
export { knownModels, type ModelCatalogue, type ModelFacts } from './models/catalogue.ts'
export { withModelWindow, withOutputLimit } from './models/config-for-model.ts'
export { modelFacts } from './models/model-facts.ts'
export { withReportedLimit } from './models/reported-limit.ts'
export { pathKey } from './paths.ts'
export { compressOldResults } from './policies/compress-old-results.ts'
export { filterBinary } from './policies/filter-binary.ts'
export { fitWindow } from './policies/fit-window.ts'
export { limitToolOutput } from './policies/limit-tool-output.ts'
export { pairToolCalls } from './policies/pair-tool-calls.ts'
export { trimOutdatedCommands } from './policies/trim-outdated-commands.ts'
export { trimRepeatedReads } from './policies/trim-repeated-reads.ts'
export { policiesNamed, policyNames } from './policies-named.ts'
export type { Policy } from './policy.ts'
export { type KeepRule, type ProtectReason, protect } from './protect.ts'
export type { LargeText } from './recall/large-text.ts'
export {
  type MissingReason,
  type Origin,
  type Original,
  type RecallAnswer,
  type RecallFold,
  type RecallOptions,
  type RecallRequest,
  type RecallSource,
  recall,
  type Span,
} from './recall/recall.ts'
export { answerRecall, recallTool } from './recall/recall-tool.ts'
export { transcriptHandle, transcriptOf } from './recall/transcript.ts'
export { createIdBook, type IdBook, type TakenId } from './repair/id-book.ts'
export { findLargeImages, type ImageNote, type LiftedImage } from './repair/lift-images.ts'
export { withoutLoneSurrogates } from './repair/lone-surrogates.ts'
export type { Mend, MendKind } from './repair/mend.ts'
export { type LineRules, type MendedLine, mendLine } from './repair/mend-line.ts'
export { planRows, type RowsInput } from './repair/plan-rows.ts'
export type { Row, RowAnswer, RowCall, RowMend, RowPlan, RowResult } from './repair/row.ts'
export type { Report, ReportedEdit, Rewrite } from './report.ts'
export { finishResultSummary, planResultSummary, type ResultSummaryPlan } from './result-summary.ts'
export { isSaid, saidText } from './said-text.ts'
export { isSameDecision } from './same-edit.ts'
export { branchOf, type EntryTree, parentOf } from './session/branch.ts'
export { checkEntry } from './session/check-entry.ts'
export {
  type EditsEntry,
  type Entry,
  type EntryHead,
  type FailureEntry,
  formatVersion,
  type HeaderEntry,
  type MessageEntry,
  type NewEntry,
  type NoteEntry,
  type RequestEntry,
  type RewindEntry,
  type UsageEntry,
} from './session/entry.ts'
export { type ExportFormat, exportFormats } from './session/export-format.ts'
export { createExtractor, type Extractor, extractOf, mostBytes, wholeOf } from './session/extract.ts'
export { headLength, readHead } from './session/head.ts'
export { isSha256, type MovedValue, type ReadLine, readLine, writeLine } from './session/jsonl.ts'
export { redactSecrets } from './session/redact.ts'
export { redactHomeFolders } from './session/redact-home-folders.ts'
export { type Replayed, type ReplayInput, replay, startReplay } from './session/replay.ts'
export type { Measurement, SessionState } from './session/session-state.ts'
export { specPolicies } from './spec-policies.ts'
export { imageProgressStrings, type ModelStrings, modelStrings, overflowStrings } from './strings/specification.ts'
export { type StringsName, stringsNamed } from './strings/strings-for.ts'
export { labelText } from './text/label-text.ts'
export { parseReact, parseReactTurns, type ReactAction, type ReactStep, type ReactTurn } from './text/parse-react.ts'
export { buildReactText, type ReactMessage, reactMessages, reactText } from './text/react.ts'
export type { ReactRole } from './text/react-lines.ts'
export { escapedPieces, escapeUnprintable, unprintable } from './text/unprintable.ts'
export { economic } from './timing/economic.ts'
export { type KeepAlivePlan, keptAlive, mayKeepAlive, planKeepAlive } from './timing/keep-alive.ts'
export { emptyLedger, type Ledger } from './timing/ledger.ts'
export { type ColdReason, isCold, type Moment, momentOf } from './timing/moment.ts'
export { settleLedger } from './timing/settle-ledger.ts'
export {
  immediate,
  type Timing,
  type TimingDecision,
  type TimingInput,
  type TimingName,
} from './timing/timing.ts'
export type { TimingAccount } from './timing/timing-account.ts'
export { countMessage, countMessages, countPart, estimateTokens, estimator, type Tokenizer } from './tokens.ts'
export { type PlacedResult, toolResults } from './tool-results.ts'
export { type ToolKind, type ToolRules, toolRules } from './tools.ts'
export { type TrimOptions, trimMessages } from './trim-messages.ts'
export { terminalText } from './truncation/terminal-text.ts'
export { normaliseUsage, promptTotal, type Usage, usageTotal } from './usage.ts'
export { type BuildViewInput, type BuiltView, buildView } from './view.ts'
export { type RequestView, viewRequest } from './view-request.ts'
export { type Codec, ReadError, type Reading, type ReadOptions } from './wire/codec.ts'
export { codecs, detectCodec } from './wire/codecs.ts'
export { historyElsewhere } from './wire/history-elsewhere.ts'
export { type Patch, type Path, patchText, patchValue } from './wire/patch.ts'
export { isPlainPath } from './wire/plain-path.ts'
export { type DialectName, type WriteRequestOptions, writeRequest } from './wire/write-request.ts'

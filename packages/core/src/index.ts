/**
 * Keeps an LLM agent's context under the load line. To begin with: `createConversation` trims the requests of a conversation, `codecs` are
 * their formats, `economyPolicies` and `specPolicies` the rules, `recallTool` gives a model back what was cut, `Report` says what was
 * done; `Policy` and `ToolRules` are for rules and tools of your own; `trimMessages` is for one list, once; `buildView` is the engine.
 *
 * @packageDocumentation
 */
export { type CacheMatch, type CacheRules, type CacheTerms, usualRules, usualTerms } from './bill/cache-rules.ts'
export { cacheTermsOf } from './bill/cache-terms-of.ts'
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
  defaultGatewaySettings,
  type GatewaySettings,
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
export { bindsThinking, isThought } from './engine/bound-thinking.ts'
export type { HostRule } from './engine/host-rules.ts'
export { type ConversationState, type Prepared, type Sent, stateAfter } from './engine/prepare.ts'
export type { RequestFacts } from './engine/request-facts.ts'
export { withEscapedControls } from './escaped-controls.ts'
export type { Facts } from './facts.ts'
export { classifyFailure, type Failure, type FailureInput, type FailureKind } from './failure/classify-failure.ts'
export { ContextLengthExceededError, isContextLengthExceeded, providerError } from './failure/context-length-error.ts'
export { failureWords } from './failure/failure-words.ts'
export { type SilentOverflow, type SilentOverflowInput, silentOverflow } from './failure/silent-overflow.ts'
export { describeOverflow } from './fit/describe-overflow.ts'
export type { HeavyPart, Overflow } from './fit/overflow.ts'
export { countImages } from './fit/request-size.ts'
export { grouped } from './grouped.ts'
export { handleOf } from './hash.ts'
export { checkView, type Problem, type RuleName } from './invariants.ts'
export { type ErrorContext, isError } from './is-error.ts'
export { jsonText } from './json-text.ts'
export { type Load, loadOf } from './load.ts'
export type { LogRecord } from './log.ts'
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
  withoutMedia,
  withShownText,
} from './message.ts'
export { knownModels, type ModelCatalogue, type ModelFacts } from './models/catalogue.ts'
export { withModelWindow, withOutputLimit } from './models/config-for-model.ts'
export { modelFacts } from './models/model-facts.ts'
export { withReportedLimit } from './models/reported-limit.ts'
export { parseJson } from './parse-json.ts'
export { partKey } from './part-key.ts'
export { pathKey } from './paths.ts'
export { compressOldResults } from './policies/compress-old-results.ts'
export { filterBinary } from './policies/filter-binary.ts'
export { fitWindow } from './policies/fit-window.ts'
export {
  type GatewayMode,
  gatewayMode,
  gatewayPolicies,
  gentlerMode,
  type TrimMode,
  trimModes,
} from './policies/gateway-policies.ts'
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
export { resultHandle, transcriptHandle, transcriptOf } from './recall/transcript.ts'
export type { Report, ReportedEdit, Rewrite } from './report.ts'
export { finishResultSummary, planResultSummary, type ResultSummaryPlan } from './result-summary.ts'
export { isSameDecision } from './same-edit.ts'
export { branchOf, type EntryTree, parentOf } from './session/branch.ts'
export { checkEntry } from './session/check-entry.ts'
export { isStandingFold } from './session/edits-in-force.ts'
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
export { type Replayed, type ReplayInput, replay, startReplay } from './session/replay.ts'
export type { Measurement, SessionState } from './session/session-state.ts'
export { specPolicies } from './spec-policies.ts'
export { imageProgressStrings, type ModelStrings, modelStrings, overflowStrings } from './strings/specification.ts'
export { reasonsFor, type StringsName, stringsNamed } from './strings/strings-for.ts'
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
export { type TodoEntry, todoEntries, todoEntry, todoId } from './todo-entries.ts'
export { estimateText } from './tokens/estimate-text.ts'
export {
  type CategoryTokens,
  createFillSum,
  type FillSum,
  scaleFill,
  type WindowCategory,
  type WindowFill,
  type WindowLimits,
  windowCategories,
} from './tokens/fill-sum.ts'
export {
  mainPiece,
  type PartCounter,
  plainCounts,
  rememberedCounts,
  type SizedMessage,
  type SizedPart,
  sizeMessage,
  sizePart,
  type ToolOfCall,
  withSizedPart,
} from './tokens/sized-message.ts'
export { type WindowFillOptions, windowFill } from './tokens/window-fill.ts'
export { countMessage, countMessages, countPart, estimateTokens, estimator, measurePart, type Tokenizer } from './tokens.ts'
export { hasCalls, isPaired, pairUp } from './tool-pairs.ts'
export { type PlacedResult, toolResults } from './tool-results.ts'
export { type ToolKind, type ToolRules, toolRules } from './tools.ts'
export { type TrimOptions, trimMessages } from './trim-messages.ts'
export { terminalText } from './truncation/terminal-text.ts'
export { mostTokens, normaliseUsage, promptTotal, type Usage, usageTotal } from './usage.ts'
export { type BuildViewInput, type BuiltView, buildView } from './view.ts'
export { type RequestView, viewRequest } from './view-request.ts'
export { anthropic } from './wire/anthropic.ts'
export { canonicalPart, canonicalValue } from './wire/canonical-text.ts'
export { type Codec, ReadError, type Reading, type ReadOptions } from './wire/codec.ts'
export { codecs, detectCodec } from './wire/codecs.ts'
export { historyElsewhere } from './wire/history-elsewhere.ts'
export { chainOf, chainOfMessages, type HashText, identifyMessages } from './wire/identify-messages.ts'
export { openContainer, skipSpace, skipValue } from './wire/json-spans.ts'
export { type Patch, type Path, patchText, patchValue } from './wire/patch.ts'
export { isPlainPath } from './wire/plain-path.ts'
export { type DialectName, type WriteRequestOptions, writeRequest } from './wire/write-request.ts'

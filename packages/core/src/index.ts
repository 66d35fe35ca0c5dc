/**
 * Keeps an LLM agent's context under the load line. To begin with: `createConversation` trims the requests of a conversation, `codecs` are
 * their formats, `economyPolicies` and `specPolicies` the rules, `recallTool` gives a model back what was cut, `Report` says what was
 * done; `Policy` and `ToolRules` are for rules and tools of your own; `trimMessages` is for one list, once; `buildView` is the engine.
 *
 * @packageDocumentation
 */
export { usualRules, usualTerms } from './bill/cache-rules.ts'
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
export { filterBinary } from './binary/filter-binary.ts'
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
  type TimingName,
  type ToolLimits,
  type TrimMode,
  type TruncationStrategy,
  trimModes,
} from './config.ts'
export {
  type Conversation,
  type ConversationOptions,
  createConversation,
  createTrimmer,
  type PreparedRequest,
  type RequestConversation,
} from './conversation.ts'
export { digestOf } from './cut/digest/digest-of.ts'
export { createExtractor, type Extractor, extractOf, wholeOf } from './cut/extract.ts'
export {
  applyEdits,
  type Edit,
  type FoldEdit,
  type InsertEdit,
  isSameDecision,
  partKey,
  type Reference,
  type ReplaceEdit,
} from './edit.ts'
export { asShown } from './engine/as-shown.ts'
export { type BuildViewInput, type BuiltView, buildView } from './engine/build-view.ts'
export type { LogRecord } from './engine/log-records.ts'
export { type ConversationState, type Prepared, type Sent, stateAfter } from './engine/prepare.ts'
export type { RequestFacts } from './engine/request-facts.ts'
export { type RequestView, viewRequest } from './engine/view-request.ts'
export type { DigestFields, DigestRule, DigestSource, Facts, Measurement } from './facts.ts'
export {
  type CacheMatch,
  type CacheRules,
  type CacheTerms,
  type Tokenizer,
  type ToolKind,
  type ToolRules,
  type Usage,
} from './facts.ts'
export { classifyFailure, type Failure, type FailureInput, type FailureKind } from './failure/classify-failure.ts'
export { ContextLengthExceededError, isContextLengthExceeded, providerError } from './failure/context-length-error.ts'
export { failureWords } from './failure/failure-words.ts'
export { type SilentOverflow, type SilentOverflowInput, silentOverflow } from './failure/silent-overflow.ts'
export { describeOverflow } from './fit/describe-overflow.ts'
export { countImages } from './fit/request-size.ts'
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
export { bindsThinking, isThought } from './policies/bound-thinking.ts'
export { compressOldResults } from './policies/compress-old-results.ts'
export { defaultEconomyRules, type EconomyRules, type ResultClass } from './policies/economy/economy-rules.ts'
export { createEconomyPolicies, economyPolicies } from './policies/economy-policies.ts'
export { fitWindow } from './policies/fit-window.ts'
export { type GatewayMode, gatewayMode, gatewayPolicies, gentlerMode } from './policies/gateway-policies.ts'
export type { HostRule } from './policies/host-rules.ts'
export { limitToolOutput } from './policies/limit-tool-output.ts'
export { pairToolCalls } from './policies/pair-tool-calls.ts'
export { policiesNamed, policyNames } from './policies/policies-named.ts'
export { finishResultSummary, planResultSummary, type ResultSummaryPlan } from './policies/result-summary.ts'
export { specPolicies } from './policies/spec-policies.ts'
export { trimOutdatedCommands } from './policies/trim-outdated-commands.ts'
export { trimRepeatedReads } from './policies/trim-repeated-reads.ts'
export type { Policy } from './policy.ts'
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
export type { HeavyPart, Overflow, Report, ReportedEdit, Rewrite, TimingAccount } from './report.ts'
export { type ColdReason, type Load, type Problem, type RuleName } from './report.ts'
export { checkView } from './results/invariants.ts'
export { type ErrorContext, isError } from './results/is-error.ts'
export { type KeepRule, type ProtectReason, protect } from './results/protect.ts'
export { type TodoEntry, todoEntries, todoEntry, todoId } from './results/todo-entries.ts'
export { hasCalls, isPaired, pairUp } from './results/tool-pairs.ts'
export { type PlacedResult, toolResults } from './results/tool-results.ts'
export { toolRules } from './results/tools.ts'
export { mostBytes, resultHandle, transcriptHandle, transcriptOf } from './results/transcript.ts'
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
export { headLength, readHead } from './session/head.ts'
export { isSha256, type MovedValue, type ReadLine, readLine, writeLine } from './session/jsonl.ts'
export { type Replayed, type ReplayInput, replay, startReplay } from './session/replay.ts'
export type { SessionState } from './session/session-state.ts'
export { imageProgressStrings, type ModelStrings, modelStrings, overflowStrings } from './strings/specification.ts'
export { reasonsFor, type StringsName, stringsNamed } from './strings/strings-for.ts'
export { detached } from './text/detached.ts'
export { withEscapedControls } from './text/escaped-controls.ts'
export { grouped } from './text/grouped.ts'
export { handleOf } from './text/hash.ts'
export { openContainer, skipSpace, skipValue } from './text/json-spans.ts'
export { jsonText } from './text/json-text.ts'
export { labelText } from './text/label-text.ts'
export { parseJson } from './text/parse-json.ts'
export { type Patch, type Path, patchText, patchValue } from './text/patch.ts'
export { pathKey } from './text/paths.ts'
export { isPlainPath } from './text/plain-path.ts'
export { terminalText } from './text/terminal-text.ts'
export { escapedPieces, escapeUnprintable, unprintable } from './text/unprintable.ts'
export { economic } from './timing/economic.ts'
export { type KeepAlivePlan, keptAlive, mayKeepAlive, planKeepAlive } from './timing/keep-alive.ts'
export { emptyLedger, type Ledger } from './timing/ledger.ts'
export { isCold, type Moment, momentOf } from './timing/moment.ts'
export { settleLedger } from './timing/settle-ledger.ts'
export { immediate, type Timing, type TimingDecision, type TimingInput } from './timing/timing.ts'
export { countMessage, countMessages, countPart, estimateTokens, estimator, measurePart } from './tokens/count-tokens.ts'
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
export { loadOf } from './tokens/load.ts'
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
export { mostTokens, normaliseUsage, promptTotal, usageTotal } from './tokens/usage.ts'
export { type WindowFillOptions, windowFill } from './tokens/window-fill.ts'
export { type TrimOptions, trimMessages } from './trim-messages.ts'
export { canonicalPart, canonicalValue } from './wire/canonical-text.ts'
export { type Codec, ReadError, type Reading, type ReadOptions } from './wire/codec.ts'
export { codecs, detectCodec } from './wire/codecs.ts'
export { anthropic } from './wire/dialects/anthropic.ts'
export { parseReact, parseReactTurns, type ReactAction, type ReactStep, type ReactTurn } from './wire/dialects/parse-react.ts'
export { buildReactText, type ReactMessage, reactMessages, reactText } from './wire/dialects/react.ts'
export type { ReactRole } from './wire/dialects/react-lines.ts'
export { historyElsewhere } from './wire/history-elsewhere.ts'
export { chainOf, chainOfMessages, type HashText, identifyMessages } from './wire/identify-messages.ts'
export { type DialectName, type WriteRequestOptions, writeRequest } from './wire/write-request.ts'

/**
 * The session format: entries, lines, branches, replay, and recall from what was stored.
 *
 * @packageDocumentation
 */
export { createExtractor, extractOf, wholeOf } from './cut/extract.ts'
export type { Measurement } from './facts.ts'
export type { LargeText } from './recall/large-text.ts'
export type { MissingReason, Origin, RecallAnswer, RecallFold, RecallRequest, RecallSource, Span } from './recall/recall.ts'
export { answerRecall } from './recall/recall-tool.ts'
export { resultHandle, transcriptHandle, transcriptOf } from './results/transcript.ts'
export { branchOf, type EntryTree, parentOf } from './session/branch.ts'
export { checkEntry } from './session/check-entry.ts'
export { isStandingFold } from './session/edits-in-force.ts'
export {
  type EditsEntry,
  type Entry,
  type EntryHead,
  formatVersion,
  type HeaderEntry,
  type MessageEntry,
  type NewEntry,
  type RequestEntry,
  type RewindEntry,
  type UsageEntry,
} from './session/entry.ts'
export { type ExportFormat, exportFormats } from './session/export-format.ts'
export { headLength, readHead } from './session/head.ts'
export { isSha256, type MovedValue, type ReadLine, readLine, writeLine } from './session/jsonl.ts'
export { type Replayed, type ReplayInput, replay, startReplay } from './session/replay.ts'
export type { SessionState } from './session/session-state.ts'

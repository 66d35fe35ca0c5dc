/** The session format: entries, lines, branches, replay, and recall from stored content. @packageDocumentation */
export { createExtractor, extractOf, wholeOf } from './cut/extract.ts'
export type { Measurement } from './facts.ts'
export type {
  LargeText,
  MissingReason,
  RecallAnswer,
  RecallFold,
  RecallRequest,
  RecallSource,
  Span,
} from './recall/recall.ts'
export { answerRecall } from './recall/recall-tool.ts'
export { resultHandle, transcriptHandle, transcriptOf } from './results/transcript.ts'
export { checkEntry } from './session/check-entry.ts'
export { isStandingFold } from './session/edits-in-force.ts'
export {
  branchOf,
  type EditsEntry,
  type Entry,
  type EntryHead,
  formatVersion,
  type HeaderEntry,
  headLength,
  type MessageEntry,
  type NewEntry,
  parentOf,
  type RequestEntry,
  type RewindEntry,
  readHead,
  type UsageEntry,
} from './session/entry.ts'
export {
  type ExportFormat,
  exportFormats,
  isSha256,
  type MovedValue,
  type ReadLine,
  readLine,
  writeLine,
} from './session/jsonl.ts'
export { type Replayed, type ReplayInput, replay, type SessionState, startReplay } from './session/replay.ts'

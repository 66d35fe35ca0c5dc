/** The session format: entries, lines, branches, replay, and recall from stored content. @packageDocumentation */
export { createExtractor, extractOf, wholeOf } from './cut/extract.ts'
export { hideItems } from './engine/hide-items.ts'
export { type HidingCost, hidingCost } from './engine/hiding-cost.ts'
export type { Measurement } from './facts.ts'
export { handlesIn } from './recall/find-original.ts'
export { stringsIn } from './recall/placed-parts.ts'
export type { LargeText, MissingReason, RecallAnswer, RecallFold, RecallRequest, RecallSource, Span } from './recall/recall.ts'
export { answerRecall } from './recall/recall-tool.ts'
export { resultHandle, transcriptHandle, transcriptOf } from './results/transcript.ts'
export { checkEntry } from './session/check-entry.ts'
export { isStandingFold } from './session/edits-in-force.ts'
export type {
  EditsEntry,
  Entry,
  EntryHead,
  HeaderEntry,
  MessageEntry,
  NewEntry,
  RequestEntry,
  RewindEntry,
  UsageEntry,
} from './session/entry.ts'
export { branchOf, formatVersion, headLength, parentOf, readHead } from './session/entry.ts'
export type { ExportFormat, MovedValue, ReadLine } from './session/jsonl.ts'
export { exportFormats, isSha256, readLine, writeLine } from './session/jsonl.ts'
export { type Replayed, type ReplayInput, replay, type SessionState, startReplay } from './session/replay.ts'

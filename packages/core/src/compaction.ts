/**
 * Folding the past of a conversation into a summary.
 *
 * @packageDocumentation
 */
export { acceptSummary } from './compaction/check-summary.ts'
export { commandChanges } from './compaction/command-changes.ts'
export { compactionBreaker } from './compaction/compaction-breaker.ts'
export { compactionDue } from './compaction/compaction-due.ts'
export { foldSegment } from './compaction/fold-segment.ts'
export { hideOldSummaries } from './compaction/hide-old-summaries.ts'
export { patchedFiles } from './compaction/patched-files.ts'
export { planCompaction } from './compaction/plan-compaction.ts'
export type { CompactionPreview } from './compaction/preview-compaction.ts'
export { roundsOf } from './compaction/rounds.ts'
export type { Segment, SummaryOptions, SummaryWriter } from './compaction/segment.ts'
export { shellCommands } from './compaction/shell-commands.ts'
export { summaryPrompt } from './compaction/summary-prompt.ts'
export { summaryRequest } from './compaction/summary-request.ts'
export { foldLine } from './compaction/summary-template.ts'
export { writeSummary } from './compaction/write-summary.ts'

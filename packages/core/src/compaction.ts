/** Compacts the past of a conversation into a summary. @packageDocumentation */

export { commandChanges, patchedFiles } from './compaction/changed-files.ts'
export { acceptSummary } from './compaction/check-summary.ts'
export { hideOldSummaries } from './compaction/hide-old-summaries.ts'
export { compactionBreaker, compactionDue, planCompaction } from './compaction/plan-compaction.ts'
export { roundsOf, type Segment, type SummaryOptions, type SummaryWriter } from './compaction/rounds.ts'
export { shellCommands } from './compaction/shell-commands.ts'
export { fillSummaryPrompt, summaryPrompt, summaryRequest } from './compaction/summary-request.ts'
export { foldLine } from './compaction/summary-template.ts'
export { foldSegment, writeSummary } from './compaction/write-summary.ts'

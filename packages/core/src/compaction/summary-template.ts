import { escapeMarks, oneLine } from '../text/labels.ts'
import type { SegmentFacts } from './facts-of-segment.ts'
import { codeSpan } from './quote-instructions.ts'

/** What fills the fixed template of a summary. Texts may hold anything: each is put on one line. */
export interface SummaryContent extends Omit<SegmentFacts, 'milestones' | 'instructions' | 'errors' | 'names'> {
  /** What was asked and what came of it. */
  readonly milestones: readonly string[]
  /** The user's own words, already quoted. */
  readonly instructions: string
  /** How many messages were folded. */
  readonly folded: number
}

/** The headings of the template in order, and the one that follows it. */
export const heads = {
  title: '## 📌 Archived Session Summary',
  objectives: '### 🎯 Objectives & Status',
  context: '### 🏗️ Technical Context (Static)',
  milestones: '### ✅ Completed Milestones (The "Done" Pile)',
  insights: '### 🧠 Key Insights & Decisions (Persistent Memory)',
  files: '### 📂 File System State (Snapshot)',
  instructions: '### 🗣️ User Instructions (Verbatim)',
} as const

/**
 * The text of a summary. It speaks with more weight than those it tells of, so that nothing they said passes in it for a handle or a
 * reminder of ours; only the user's words, which stand in fences, are left as they are. `isOurs` names the handles that may be told.
 */
export function renderSummary(
  content: SummaryContent,
  isOurs: (handle: string) => boolean = (handle) => handle === content.handle,
): string {
  const said = (text: string) => escapeMarks(oneLine(text, longestItem), isOurs)
  return [
    heads.title,
    `*(Contains context from ${content.start} to ${content.cutoff})*`,
    '',
    heads.objectives,
    ...labelled('Original Goal', [content.goal], said),
    '',
    heads.context,
    ...labelled('Stack', content.stack, said),
    ...labelled('Environment', content.environment, said),
    '',
    heads.milestones,
    ...listed(content.milestones.map((milestone) => `[✓] ${said(milestone)}`)),
    '',
    heads.insights,
    ...labelled('Decisions', content.decisions, said),
    ...labelled('Learnings', content.learnings, said),
    ...labelled('User Preferences', content.preferences, said),
    '',
    heads.files,
    '*(Modified files in this archive segment)*',
    ...listed(fileLines(content, said)),
    '',
    heads.instructions,
    content.instructions,
    '',
    foldLine(content.folded, content.handle),
  ].join('\n')
}

/** The latest of them where there are very many: a list of thousands would leave no room for anything else. */
function fileLines({ files, handle }: SummaryContent, said: (text: string) => string): readonly string[] {
  const lines = files.slice(-mostFiles).map(({ path, change }) => `${codeSpan(escapeMarks(path))}: ${said(change)}`)
  const more = files.length - lines.length
  return more === 0 ? lines : [`${more} more, changed earlier - recall ${handle}`, ...lines]
}

const mostFiles = 400

/** The last line of a summary: how to get back what it stands for. */
export function foldLine(folded: number, handle: string): string {
  return `[${folded} ${folded === 1 ? 'message' : 'messages'} folded; recall ${handle}]`
}

/** The handles in the last line of a summary, or of a marker that stands for several. */
export function foldedHandles(text: string): readonly string[] {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  return /^\[\d+ [a-z ]{1,40}; recall ([0-9a-f, ]+)\]$/.exec(line)?.[1]?.split(', ') ?? []
}

/** What stands in an empty place. */
const nothing = 'none recorded'

const longestItem = 2000

function labelled(label: string, items: readonly string[], said: (text: string) => string): readonly string[] {
  const lines = items.map(said).filter((line) => line !== '')
  if (lines.length <= 1) return [`* **${label}**: ${lines[0] ?? nothing}`]
  return [`* **${label}**:`, ...lines.map((line) => `  * ${line}`)]
}

function listed(items: readonly string[]): readonly string[] {
  return items.length === 0 ? [`* ${nothing}`] : items.map((item) => `* ${item}`)
}

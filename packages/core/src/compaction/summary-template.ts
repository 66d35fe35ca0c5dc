import type { FoldEdit, Places } from '../edit.ts'
import type { Message } from '../message.ts'
import { transcriptHandle } from '../results/transcript.ts'
import { escapeMarks, oneLine } from '../text/labels.ts'
import type { SegmentFacts } from './facts-of-segment.ts'
import { codeSpan } from './quote-instructions.ts'

export interface SummaryContent extends Omit<SegmentFacts, 'milestones' | 'instructions' | 'errors' | 'names'> {
  readonly milestones: readonly string[]
  readonly instructions: string
  readonly folded: number
}

export const heads = {
  title: '## 📌 Archived Session Summary',
  objectives: '### 🎯 Objectives & Status',
  context: '### 🏗️ Technical Context (Static)',
  milestones: '### ✅ Completed Milestones (The "Done" Pile)',
  insights: '### 🧠 Key Insights & Decisions (Persistent Memory)',
  files: '### 📂 File System State (Snapshot)',
  instructions: '### 🗣️ User Instructions (Verbatim)',
} as const

/** Writes the template. Except for fenced user messages, no content can pass for one of our handles or reminders. */
export function renderSummary(
  content: SummaryContent,
  isOurs: (handle: string) => boolean = (handle) => handle === content.handle,
): string {
  const said = (text: string) => escapeMarks(oneLine(text, maxItemLength), isOurs)
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

function fileLines({ files, handle }: SummaryContent, said: (text: string) => string): readonly string[] {
  const lines = files.slice(-maxFiles).map(({ path, change }) => `${codeSpan(escapeMarks(path))}: ${said(change)}`)
  const more = files.length - lines.length
  return more === 0 ? lines : [`${more} more, changed earlier - recall ${handle}`, ...lines]
}

const maxFiles = 400

export function foldLine(folded: number, handle: string): string {
  return `[${folded} ${folded === 1 ? 'message' : 'messages'} folded; recall ${handle}]`
}

/** The handles in the last line of a summary, or in a marker for several summaries. */
export function foldedHandles(text: string): readonly string[] {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  return /^\[\d+ [a-z ]{1,40}; recall ([0-9a-f, ]+)\]$/.exec(line)?.[1]?.split(', ') ?? []
}

const nothing = 'none recorded'

const maxItemLength = 2000

function labelled(label: string, items: readonly string[], said: (text: string) => string): readonly string[] {
  const lines = items.map(said).filter((line) => line !== '')
  if (lines.length <= 1) return [`* **${label}**: ${lines[0] ?? nothing}`]
  return [`* **${label}**:`, ...lines.map((line) => `  * ${line}`)]
}

function listed(items: readonly string[]): readonly string[] {
  return items.length === 0 ? [`* ${nothing}`] : items.map((item) => `* ${item}`)
}

/** Some API formats number their messages, so after a rewind a fold may hide other messages with the same ids. */
export function foldStillHolds(fold: FoldEdit, messages: readonly Message[], places: Pick<Places, 'get'>): boolean {
  const from = places.get(fold.first)
  // A fold of summaries: their ids are derived from the messages they replaced.
  if (from === undefined) return true
  const to = places.get(fold.last) ?? -1
  if (to < from || fold.into === null) return false
  const [part] = fold.into.parts
  const named = part?.type === 'text' ? foldedHandles(part.text) : []
  return named.includes(transcriptHandle(messages.slice(from, to + 1)))
}

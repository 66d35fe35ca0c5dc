import type { FileChange } from './changed-files.ts'

/** A written summary sorted into the places of the template, one line per item, text unchanged. */
export type ParsedSummary = Readonly<Record<Place, readonly string[]>> & {
  readonly files: readonly FileChange[]
  /** How many of the template's five sections were found. */
  readonly sections: number
}

type Place = 'goal' | 'stack' | 'environment' | 'milestones' | 'decisions' | 'learnings' | 'preferences'

/** Reads a summary by its headings. Unknown headings count as learnings; the running task and quoted user messages are skipped. */
export function parseSummary(text: string): ParsedSummary {
  const found: Record<Place, string[]> = { goal: [], stack: [], environment: [], milestones: [], decisions: [], learnings: [], preferences: [] } // biome-ignore format: one line
  const files: FileChange[] = []
  const seen = new Set<SectionName>()
  let section: SectionName | null = null
  let place: Place | null = null
  let fence = ''
  // Indentation of the line about unfinished work; lines indented further belong to it.
  let inHand: number | null = null
  for (const raw of withoutWrapping(text.replaceAll(/\r\n?/g, '\n')).split('\n')) {
    const line = raw.length > maxLineLength ? raw.slice(0, maxLineLength) : raw
    const mark = /^\s{0,9}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (mark !== '' && (fence === '' || mark.startsWith(fence))) {
      fence = fence === '' ? mark : ''
      continue
    }
    const heading = fence === '' ? headingIn(line) : null
    if (heading !== null) {
      section = sectionOf(heading)
      place = startingPlace[section] ?? null
      inHand = null
      seen.add(section)
      continue
    }
    const item = itemIn(line)
    if (section === null || item === '') continue
    const indent = line.length - line.trimStart().length
    if (inHand !== null && indent > inHand) continue
    inHand = isProgress(item) ? indent : null
    if (inHand !== null) continue
    if (section === 'files') {
      const file = fileIn(item)
      if (file !== null) files.push(file)
      continue
    }
    const labelled = labelOf(item)
    if (labelled !== null) place = labelled.place
    const value = labelled === null ? item : labelled.value
    // An unticked box is unfinished work.
    if (place === null || !isSaid(value) || /^(?:\[[\s~.-]?\]|[☐⬜⏳🔄🚧])/u.test(value)) continue
    found[place].push(value.replace(/^\[[^\]]?\]\s*/, ''))
  }
  return { ...found, files, sections: [...seen].filter((name) => template.has(name)).length }
}

const template: ReadonlySet<SectionName> = new Set(['objectives', 'context', 'milestones', 'insights', 'files'])

const startingPlace: Partial<Record<SectionName, Place>> = {
  objectives: 'goal',
  context: 'stack',
  milestones: 'milestones',
  insights: 'learnings',
  other: 'learnings',
}

const maxLineLength = 2000

function withoutWrapping(text: string): string {
  const said = withoutReasoning(text).trim()
  const opening = /^(`{3,}|~{3,})\w{0,20}[ \t]*\n(?=\s{0,9}#{1,6}\s)/m.exec(said)
  const before = said.slice(0, opening?.index ?? 0).split('\n')
  // A fence below a heading holds an example, not the summary.
  if (opening === null || before.some((line) => headingIn(line) !== null)) return said
  const start = opening.index + opening[0].length
  const end = said.lastIndexOf(`\n${opening[1]}`)
  return end >= start ? said.slice(start, end) : said.slice(start)
}

/** Reasoning is wrapped in tags, and some servers omit the opening one. */
function withoutReasoning(text: string): string {
  const end = endOfThoughts.exec(text)
  if (end === null) return text
  const before = text.slice(0, end.index)
  const isThought = new RegExp(`^\\s*<${end[1]}>`).test(before) || !before.includes(signs.title)
  return isThought ? text.slice(end.index + end[0].length) : text
}

const endOfThoughts = /<\/(think|thinking|thought|reasoning|analysis)>/

function headingIn(line: string): string | null {
  return /^\s{0,3}#{1,6}\s+(\S.*)$/.exec(line)?.[1] ?? /^\s{0,3}\*\*([^*]{3,80})\*\*:?\s*$/.exec(line)?.[1] ?? null
}

function itemIn(line: string): string {
  const item = line.trim().replace(/^(?:[*\-•+]|\d{1,3}[.)])\s+/, '')
  // The template's own notes in brackets and italics.
  return /^\*?\((?:contains context|modified files)/i.test(item) ? '' : item
}

function isSaid(value: string): boolean {
  return !/^(?:[^\p{L}\p{N}]*|none(?: recorded)?\.?|n\/a|unknown|无|没有|暂无|\[[^\]✓xX]{4,}\]|(?:\[✓\] )?\[[^\]]{1,80}\] - \[[^\]]{1,80}\])$/iu.test(
    value,
  )
}

function fileIn(item: string): FileChange | null {
  const quoted = /^\*{0,3}(`{1,9})\s?([^`\n]{1,500}?)\s?\1\*{0,3}\s{0,9}[:：–—-]?\s{0,9}(.*)/.exec(item)
  if (quoted !== null) return { path: quoted[2] as string, change: quoted[3] === '' ? 'changed' : (quoted[3] as string) }
  const plain = /^\*{0,3}([^\s:*`]{1,500})\*{0,3}\s{0,9}(?:[:：]|\s[–—-])\s{0,9}(\S.*)/.exec(item)
  return plain === null ? null : { path: plain[1] as string, change: plain[2] as string }
}

type SectionName = keyof typeof signs | 'progress' | 'other'

function sectionOf(heading: string): SectionName {
  const signed = Object.keys(signs).find((name) => heading.includes(signs[name as keyof typeof signs]))
  return (signed as SectionName | undefined) ?? words.find(([, word]) => word.test(heading))?.[0] ?? 'other'
}

function labelOf(item: string): { readonly place: Place; readonly value: string } | null {
  const found = /^\*{0,3}\s?([\p{L} ]{2,30}?)\s?\*{0,3}\s?[:：]\s?\*{0,3}\s{0,9}(.*)/u.exec(item)
  const place = found === null ? undefined : labels.get((found[1] as string).toLowerCase())
  return found === null || place === undefined ? null : { place, value: found[2] as string }
}

function isProgress(item: string): boolean {
  return /^\**(?:current (?:status|task|progress|state)|in progress|next steps?|pending|remaining(?: work)?|to-?do|status|当前(?:状态|任务|进度)|进行中|下一步|待办|剩余工作|状态)\**\s?[:：]/i.test(
    item,
  )
}

const labels: ReadonlyMap<string, Place> = new Map(
  Object.entries({
    goal: 'original goal|goal|原始目标|目标',
    stack: 'stack|tech stack|技术栈',
    environment: 'environment|环境',
    decisions: 'decisions|decision|key decisions|决策|决定',
    learnings: 'learnings|learning|经验|心得',
    preferences: 'user preferences|preferences|用户偏好|偏好',
  }).flatMap(([place, names]) => names.split('|').map((label) => [label, place as Place] as const)),
)

const signs = {
  title: '📌',
  objectives: '🎯',
  context: '🏗',
  milestones: '✅',
  insights: '🧠',
  files: '📂',
  instructions: '🗣',
} as const

// The template's headings first: `Objectives & Status` is not a progress report.
const words: readonly (readonly [SectionName, RegExp])[] = [
  ['title', /archived session|session summary|会话摘要|归档摘要/i],
  ['instructions', /verbatim|user (?:instructions|messages|requests)|用户(?:指令|原话)/i],
  ['objectives', /objective|original goal|目标/i],
  ['context', /technical context|tech(?:nical)? stack|技术(?:背景|上下文|栈)/i],
  ['milestones', /milestone|completed|done|里程碑|已完成/i],
  ['insights', /insight|decision|persistent memory|learning|洞察|决策|见解/i],
  ['files', /file system|files? (?:changed|modified|state)|(?:changed|modified) files|文件(?:系统)?(?:状态|变更)/i],
  ['progress', /current|progress|next step|pending|to-?do|remaining|open task|status|进度|下一步|待办|当前/i],
]

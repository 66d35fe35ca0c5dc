/** The sections a summary may have: the template's, the one after it, what does not belong in one, and anything else. */
export type SectionName =
  | 'title'
  | 'objectives'
  | 'context'
  | 'milestones'
  | 'insights'
  | 'files'
  | 'instructions'
  | 'progress'
  | 'other'

/** Which section a heading opens, by its sign or by its words. */
export function sectionOf(heading: string): SectionName {
  return signs.find(([, sign]) => heading.includes(sign))?.[0] ?? words.find(([, word]) => word.test(heading))?.[0] ?? 'other'
}

/** The place that a label at the beginning of a line stands for, and what follows the label; null when there is none. */
export function labelOf(item: string): { readonly place: LabelledPlace; readonly value: string } | null {
  const found = /^\**\s?([\p{L} ]{2,30}?)\s?\**\s?[:：]\s?\**\s*(.*)$/u.exec(item)
  if (found === null) return null
  const place = labels.get((found[1] as string).toLowerCase())
  return place === undefined ? null : { place, value: found[2] as string }
}

/** Whether a line tells the state of the running task, which is not for an archive. */
export function isProgress(item: string): boolean {
  return /^\**(?:current (?:status|task|progress|state)|in progress|next steps?|pending|remaining(?: work)?|to-?do|status|当前(?:状态|任务|进度)|进行中|下一步|待办|剩余工作|状态)\**\s?[:：]/i.test(
    item,
  )
}

type LabelledPlace = 'goal' | 'stack' | 'environment' | 'decisions' | 'learnings' | 'preferences'

const labels: ReadonlyMap<string, LabelledPlace> = new Map([
  ['original goal', 'goal'],
  ['goal', 'goal'],
  ['stack', 'stack'],
  ['tech stack', 'stack'],
  ['environment', 'environment'],
  ['decisions', 'decisions'],
  ['decision', 'decisions'],
  ['key decisions', 'decisions'],
  ['learnings', 'learnings'],
  ['learning', 'learnings'],
  ['user preferences', 'preferences'],
  ['preferences', 'preferences'],
  ['原始目标', 'goal'],
  ['目标', 'goal'],
  ['技术栈', 'stack'],
  ['环境', 'environment'],
  ['决策', 'decisions'],
  ['决定', 'decisions'],
  ['经验', 'learnings'],
  ['心得', 'learnings'],
  ['用户偏好', 'preferences'],
  ['偏好', 'preferences'],
])

const signs: readonly (readonly [SectionName, string])[] = [
  ['title', '📌'],
  ['objectives', '🎯'],
  ['context', '🏗'],
  ['milestones', '✅'],
  ['insights', '🧠'],
  ['files', '📂'],
  ['instructions', '🗣'],
]

// The template's own first: `Objectives & Status` is no progress report.
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

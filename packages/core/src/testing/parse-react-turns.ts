import type { ReactRole } from '../wire/dialects/parse-react.ts'

/** One turn of a ReAct text. Text before the first label has no role. */
export interface ReactTurn {
  readonly role: ReactRole | null
  readonly content: string
}

/** The turns of a text that `reactText` wrote: as many as were written, no matter what they hold. */
export function parseReactTurns(text: string): readonly ReactTurn[] {
  const turns: ReactTurn[] = []
  let role: ReactRole | null = null
  let start = 0
  const close = (end: number) => {
    if (role !== null || end > start) turns.push({ role, content: text.slice(start, end).replaceAll(escapedRoleLine, '') })
  }
  for (const match of text.matchAll(turnStart)) {
    close(match.index)
    role = match[1] as ReactRole
    start = match.index + match[0].length
  }
  close(text.length)
  return turns
}

const roles = 'user|assistant|tool|system|summary'

/** Where a turn begins: at the start of the text, or after an empty line. */
const turnStart = new RegExp(`(?:^|\\n\\n)\\[(${roles})\\](?: |\\n|$)`, 'g')

const escapedRoleLine = new RegExp(`^\\\\(?=\\\\*\\[(?:${roles})\\])`, 'gim')

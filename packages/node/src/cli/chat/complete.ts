/** What could be meant by the word at the cursor. */
export interface Completion {
  readonly kind: 'command' | 'file'
  /** The part of the text that a candidate takes the place of. */
  readonly start: number
  readonly end: number
  readonly candidates: readonly Candidate[]
}

/** One possibility. */
export interface Candidate {
  /** What is put into the text. */
  readonly text: string
  /** What is shown. */
  readonly label: string
  readonly detail: string
}

/** A word that waits to be completed. */
export interface OpenWord {
  readonly kind: Completion['kind']
  readonly query: string
  readonly start: number
  readonly end: number
}

/** The word at the cursor that can be completed: a command at the very beginning, or a file behind `@`. */
export function openWord(text: string, cursor: number): OpenWord | null {
  const left = text.slice(Math.max(0, cursor - longestWord), cursor)
  const command = cursor <= longestWord ? /^\/([\w-]*)$/.exec(left) : null
  if (command !== null) return { kind: 'command', query: command[1] ?? '', start: 0, end: cursor }
  const file = /(?:^|\s)@(?:"([^"\n]*)|([^\s"]*))$/.exec(left)
  if (file === null) return null
  const query = file[1] ?? file[2] ?? ''
  const marks = file[1] === undefined ? 1 : 2
  return { kind: 'file', query, start: cursor - query.length - marks, end: cursor }
}

const longestWord = 300

/** A user's message taken apart. */
export interface SpokenParts {
  /** What a person wrote, without the reminders that the program around it added. */
  readonly spoken: string
  /** The last reminder; null where there is none. */
  readonly reminder: string | null
}

/** Takes the reminders out of a user's message. Takes linear time. */
export function spokenParts(text: string): SpokenParts {
  const spoken: string[] = []
  let reminder: string | null = null
  let from = 0
  for (;;) {
    const start = text.indexOf(opening, from)
    const end = start < 0 ? -1 : text.indexOf(closing, start)
    if (end < 0) break
    spoken.push(text.slice(from, start))
    reminder = text.slice(start + opening.length, end)
    from = end + closing.length
  }
  spoken.push(text.slice(from))
  return { spoken: spoken.join('').trim(), reminder }
}

const opening = '<system-reminder>'
const closing = '</system-reminder>'

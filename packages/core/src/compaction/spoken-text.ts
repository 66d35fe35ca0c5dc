/** What a person typed, apart from what the program around added to it. */
export interface SpokenText {
  /** All that stands outside of tags. */
  readonly spoken: string
  /** What stands in tags, without them. */
  readonly wrapped: string
}

/**
 * Takes a message apart. Programs wrap what they add to a person's message, such as reminders, outputs and notices, into tags of
 * their own: from a tag at the beginning of a line to the one that closes it. Both parts keep their order.
 */
export function spokenText(text: string): SpokenText {
  if (!text.includes('</')) return { spoken: text, wrapped: '' }
  const spoken: string[] = []
  const wrapped: string[] = []
  // Where each tag is closed for the last time, so that none is looked for in vain.
  const closed = new Map([...text.matchAll(closingTag)].map((found) => [found[1] as string, found.index]))
  let from = 0
  for (let at = 0; at < text.length; ) {
    const name = openingTag.exec(text.slice(at, at + longestTag))?.[1]
    if (name !== undefined && (closed.get(name) ?? -1) > at) {
      const end = text.indexOf(`</${name}>`, at)
      spoken.push(text.slice(from, at))
      wrapped.push(text.slice(at, end).replaceAll(anyTag, ' ').trim())
      at = end + name.length + 3
      from = at
      continue
    }
    const next = text.indexOf('\n', at)
    at = next === -1 ? text.length : next + 1
  }
  spoken.push(text.slice(from))
  return { spoken: spoken.join('\n').trim(), wrapped: wrapped.join('\n').trim() }
}

const longestTag = 400
const openingTag = /^\s{0,40}<([A-Za-z][\w-]{0,60})(?:\s[^<>\n]{0,300})?>/
const closingTag = /<\/([A-Za-z][\w-]{0,60})>/g
const anyTag = /<\/?[A-Za-z][\w-]{0,60}(?:\s[^<>\n]{0,300})?>/g

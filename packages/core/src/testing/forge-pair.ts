/**
 * Two texts with one handle, also with the same text behind both. A unit that differs in its highest bit changes only the upper bits of the hash's state, 34 in
 * all, so among some millions of such texts two have the same state. These are the first two, by the bits of their numbers.
 */
export function forgePair(): readonly [string, string] {
  return [forged(939_731), forged(2_967_722)]
}

/** The same for texts that start as a line of a log does, whatever follows: both lines have one handle. */
export function forgeLines(ending: string): readonly [string, string] {
  return [`${lineStart}${forged(1_398_006)}${ending}`, `${lineStart}${forged(2_163_756)}${ending}`]
}

const lineStart = '{"message":{"role":"user","content":"'

function forged(number: number): string {
  return `${Array.from({ length: 24 }, (_, bit) => ((number >> bit) & 1 ? '\u8061' : 'a')).join('')} end`
}

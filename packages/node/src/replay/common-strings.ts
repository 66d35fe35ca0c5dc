/** The strings that more than one in twenty of the other sessions have, and at least two of them: nobody needed a tool to know them. */
export function commonStrings(sessions: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const strings of sessions) for (const text of strings) counts.set(text, (counts.get(text) ?? 0) + 1)
  const most = Math.max(1, (sessions.length - 1) / 20)
  return new Set([...counts].flatMap(([text, count]) => (count - 1 > most ? [text] : [])))
}

/** What somebody wrote, as it can stand in a sentence. */
export function quoted(given: string): string {
  const text = [...given.slice(0, 120)].slice(0, 60).join('')
  return JSON.stringify(text.length < given.length ? `${text}…` : text)
}

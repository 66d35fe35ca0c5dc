/** An answer without what the model thought first, which some local servers send as the beginning of what it says. */
export function withoutThoughts(text: string): string {
  if (!/^\s*<think>/.test(text)) return text
  const end = text.indexOf(endOfThoughts)
  return end < 0 ? '' : text.slice(end + endOfThoughts.length).trimStart()
}

const endOfThoughts = '</think>'

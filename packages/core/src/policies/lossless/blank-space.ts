/** Without blanks at the ends of lines, blank lines at both ends, and all but one of several blank lines. Every other character stays. */
export function withoutBlankSpace(text: string): string {
  if (!hasBlankSpace(text)) return text
  const pieces: string[] = []
  // Blank lines since the last line with text; none before the first one.
  let blank = 0
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start)
    const next = newline === -1 ? text.length : newline
    let end = next
    while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
    if (end === start) blank += 1
    else {
      if (pieces.length > 0) pieces.push(blank > 0 ? '\n\n' : '\n')
      pieces.push(text.slice(start, end))
      blank = 0
    }
    start = next + 1
  }
  return pieces.join('')
}

export function hasBlankSpace(text: string): boolean {
  if (text.includes(' \n') || text.includes('\n\n\n') || text.includes('\t\n') || /^[ \t]*\n/.test(text)) return true
  const last = text.charCodeAt(text.length - 1)
  return last === 0x0a || isBlank(last)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d
}

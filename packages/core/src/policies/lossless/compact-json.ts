import { endOfString, parseJson } from '../../text/json.ts'

/**
 * JSON without blanks between its tokens, so that a parser gives the same value: numbers, keys and their order are not touched. A long list keeps one
 * line for each of its entries. Null if the text is not JSON.
 */
export function compactJson(text: string): string | null {
  if (!mayBeIndented(text) || parseJson(text) === undefined) return null
  const pieces: string[] = []
  const breaks = text.length > maxOneLine
  // Whether each open container is a list.
  const open: boolean[] = []
  let copied = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x7b || code === 0x5b) open.push(code === 0x5b)
    else if (code === 0x7d || code === 0x5d) open.pop()
    else if (code <= 0x20) {
      pieces.push(text.slice(copied, at))
      copied = at + 1
    } else if (code === 0x2c && breaks && (open.length === 1 || (open.length === 2 && open[1] === true))) {
      pieces.push(text.slice(copied, at + 1), '\n')
      copied = at + 1
    }
  }
  pieces.push(text.slice(copied))
  return pieces.join('')
}

const maxOneLine = 2000
const maxLength = 2_000_000

export function mayBeIndented(text: string): boolean {
  if (text.length > maxLength || !/^\s{0,100}[[{]/.test(text) || !/[\]}]\s{0,100}$/.test(text.slice(-101))) return false
  return text.includes('\n') || text.includes('": ') || text.includes(', ')
}

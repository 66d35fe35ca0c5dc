import { overflowCode } from './overflow-codes.ts'

/**
 * The server's own words in a text: no markup, no addresses, and nothing that it quotes, since that may be what a user wrote. Names
 * in quotes stay, without the quotes. Of a long text the two ends.
 */
export function errorText(text: string): string {
  const ends = text.length > longest ? `${text.slice(0, head)}\n\n${text.slice(-tail)}` : text
  return withoutQuotes(withoutMarkup(ends).replace(/https?:\/\/[^\s"'<>)\]]{1,500}/gi, ' '))
    .replace(/[^\S\n]+/g, ' ')
    .trim()
}

/** Whether words end in such a way that what is quoted behind them is an error which is passed on. */
export function introducesError(words: string): boolean {
  return /(?:errors?|exception|reason|said|returned|responded|response|failed|upstream|provider|\b[45]\d\d)(?: with| was| body| from \w{1,20})?\s{0,3}[:=-]?\s{0,3}b?$/i.test(
    words.slice(-80),
  )
}

const longest = 10_000
const head = 7_000
const tail = 3_000

function withoutMarkup(text: string): string {
  if (!/^\s*<[!?a-z]/i.test(text.slice(0, 200))) return text
  return text
    .replace(/<(script|style)\b[^<>]{0,500}>[^<]{0,9000}/gi, ' ')
    .replace(/<[^<>]{0,500}>/g, '\n')
    .replace(/&(gt|lt|amp|quot|#39);/g, (entity) => entities[entity] ?? entity)
}

const entities: Readonly<Record<string, string>> = { '&gt;': '>', '&lt;': '<', '&amp;': '&', '&quot;': '"', '&#39;': "'" }

/** What opens a quotation, and what closes it. */
const closing: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '«': '»',
  '「': '」',
  '『': '』',
}

function withoutQuotes(text: string): string {
  let result = ''
  let from = 0
  let isOpen = false
  opening.lastIndex = 0
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index + match[0].length
    const quote = match[0].at(-1) ?? ''
    // Where one apostrophe finds no end, no later one does.
    const end = quote === "'" && isOpen ? -1 : closingAt(text, closing[quote] ?? quote, start)
    if (end === -1 && quote === "'") {
      isOpen = true
      continue
    }
    const inside = text.slice(start, end === -1 ? text.length : end)
    const before = text.slice(Math.max(0, start - 40), start - 1)
    result += `${text.slice(from, start - 1)}${isOwn(inside, before) ? inside : '…'}`
    from = end === -1 ? text.length : end + 1
    opening.lastIndex = from
  }
  return result + text.slice(from)
}

/** An apostrophe opens nothing: it has a letter before it. */
const opening = /(?:(?<![\p{L}\p{N}])['"`]|[“‘«「『])(?=\S)/gu

function closingAt(text: string, quote: string, start: number): number {
  for (let end = text.indexOf(quote, start); end !== -1; end = text.indexOf(quote, end + 1)) {
    const escaped = text[end - 1] === '\\'
    if (!escaped && !/[\p{L}\p{N}]/u.test(text[end + 1] ?? '')) return end
  }
  return -1
}

/** Names of fields and of models are the server's own, and so is an error that it passes on. */
function isOwn(inside: string, before: string): boolean {
  if (/^[\w.[\]:/-]{0,80}$/.test(inside)) return !overflowCode.test(inside)
  return introducesError(before)
}

import { Lexer, type Token } from 'marked'

/** A longer text is shown unformatted. */
export const maxMarkdown = 200_000
/** No one nests quotes and lists deeper on purpose. */
const maxDepth = 24
/** A longer paragraph without a break is not prose, and searching it for marks takes long. */
const maxInline = 5000

/** Reads Markdown into tokens, in time proportional to the text: too deeply nested and too long paragraphs stay text. */
export function lexMarkdown(text: string): readonly Token[] {
  const lexer = new Lexer({ gfm: true, breaks: true, async: false })
  const lexBlocks = lexer.blockTokens.bind(lexer) as (source: string, tokens: Token[], isClipped?: boolean) => Token[]
  const lexInline = lexer.inlineTokens.bind(lexer)
  let blockDepth = 0
  let inlineDepth = 0
  const blocks = (source: string, tokens: Token[] = [], isClipped = false): Token[] => {
    if (blockDepth >= maxDepth) return plain(source, tokens)
    blockDepth += 1
    try {
      return lexBlocks(source, tokens, isClipped)
    } finally {
      blockDepth -= 1
    }
  }
  // The lexer calls both itself, for the inside of quotes, items, links and emphasis.
  lexer.blockTokens = blocks as typeof lexer.blockTokens
  lexer.inlineTokens = (source, tokens = []) => {
    if (inlineDepth >= maxDepth || source.length > maxInline) return plain(source, tokens)
    inlineDepth += 1
    try {
      return lexInline(source, tokens)
    } finally {
      inlineDepth -= 1
    }
  }
  return lexer.lex(text)
}

function plain(source: string, tokens: Token[]): Token[] {
  tokens.push({ type: 'text', raw: source, text: source })
  return tokens
}

type MarkdownPiece = { readonly start: number; readonly tokens: readonly Token[] }

/**
 * Reads a text that grows, such as an answer while it is written: complete blocks are read once, and only its open end again. Complete
 * pieces are the same objects from call to call.
 */
export function createMarkdownReader(): (text: string) => readonly MarkdownPiece[] {
  let known = ''
  let whole: MarkdownPiece[] = []
  let end = 0
  return (raw) => {
    const text = raw.replaceAll(/\r\n?/g, '\n')
    if (!text.startsWith(known)) {
      whole = []
      end = 0
    }
    known = text
    const tokens = lexMarkdown(text.slice(end))
    // The last blocks may still continue: a list after an empty line, a paragraph that becomes a table or a heading.
    let open = tokens.length
    for (let blocks = 0; open > 0 && blocks < 2; open -= 1) if (tokens[open - 1]?.type !== 'space') blocks += 1
    const settled = tokens.slice(0, open)
    const length = settled.reduce((sum, { raw: source }) => sum + source.length, 0)
    // If the tokens do not spell the text, as with tabs, nothing can be cut off.
    if (length > 0 && text.startsWith(settled.map(({ raw: source }) => source).join(''), end)) {
      whole = [...whole, { start: end, tokens: settled }]
      end += length
      return [...whole, { start: end, tokens: tokens.slice(open) }]
    }
    return [...whole, { start: end, tokens }]
  }
}

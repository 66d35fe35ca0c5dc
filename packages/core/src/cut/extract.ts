import { mediaIn, type ResultContent, resultText, type ToolResultPart } from '../message.ts'
import { isOver, maxStoredBytes } from '../results/transcript.ts'
import { type ModelStrings, modelStrings } from '../strings/specification.ts'
import { handleOf } from '../text/hash.ts'
import { jsonText, parseJson } from '../text/json.ts'
import { createTruncator, type Limit, truncate } from './truncate.ts'

/** A result too large for a log line: the part kept in the log, and the text stored in a separate file. */
export interface Extract {
  readonly part: ToolResultPart
  readonly whole: string
  readonly form: 'text' | 'quoted' | 'json' | 'texts'
  readonly handle: string
}

const extractLength = 64_000

function extractLimit(strings: ModelStrings): Limit {
  return { maxChars: extractLength, maxLines: null, by: 'cap', strategy: 'head_tail', strings, names: 'always' }
}

export function extractOf(part: ToolResultPart, strings: ModelStrings = modelStrings): Extract | null {
  if (part.blob !== undefined) return null
  const text = resultText(part)
  if (!isOver(text, maxStoredBytes)) return null
  const stored = storedForm(part.content, text)
  if (stored === null) return null
  const handle = handleOf(text)
  return { part: { ...part, content: shortened(part, text, strings) }, ...stored, handle }
}

/** `extractOf` for a text that arrives in pieces, in constant memory. */
export function createExtractor(strings: ModelStrings = modelStrings) {
  const truncator = createTruncator(extractLimit(strings))
  return {
    write: (piece: string) => truncator.write(piece),
    end(): { readonly text: string; readonly handle: string } {
      const { text, handle } = truncator.end()
      return { text, handle }
    },
  }
}

/** Restores the content of a result from its extract and the stored text; null if the two do not match. */
export function wholeOf(extract: ToolResultPart, whole: string, form: string): ResultContent | null {
  if (form === 'text') return { type: 'text', text: whole }
  const value = parseJson(whole)
  if (form === 'quoted') return typeof value === 'string' ? { type: 'text', text: value } : null
  if (form === 'json') return value === undefined ? null : { type: 'json', value }
  if (form !== 'texts' || !Array.isArray(value) || extract.content.type !== 'list') return null
  const others = mediaIn(extract)
  let next = 0
  const items = value.map((text: unknown) => (typeof text === 'string' ? ({ type: 'text', text } as const) : others[next++]))
  return items.every((item) => item !== undefined) ? { type: 'list', items } : null
}

function storedForm(content: ResultContent, text: string): Pick<Extract, 'whole' | 'form'> | null {
  switch (content.type) {
    case 'text':
      return text.isWellFormed() ? { whole: text, form: 'text' } : { whole: JSON.stringify(text), form: 'quoted' }
    case 'json': {
      const whole = jsonText(content.value)
      return whole === '' ? null : { whole, form: 'json' }
    }
    case 'list':
      return { whole: jsonText(content.items.map((item) => (item.type === 'text' ? item.text : null))), form: 'texts' }
  }
}

function shortened(part: ToolResultPart, text: string, strings: ModelStrings): ResultContent {
  const short = { type: 'text', text: truncate(text, extractLimit(strings), isNone).text } as const
  return part.content.type === 'list' ? { type: 'list', items: [short, ...mediaIn(part)] } : short
}

/** The text itself is stored, even if it names another one. */
const isNone = () => false

import { isRecord } from '../message.ts'
import { openContainer, skipSpace, skipValue } from '../text/json-spans.ts'
import { parseJson } from '../text/parse-json.ts'

/** What a command printed, in the JSON that some agents write around it: `{"output":"…","metadata":{"exit_code":0}}`. */
export interface FramedText {
  readonly output: string
  readonly failed: boolean
}

/** Reads a text that is such JSON and nothing else; null for any other text. */
export function readFramedText(text: string): FramedText | null {
  if (!frameStart.test(text)) return null
  const value = parseJson(text)
  if (!isRecord(value) || Object.keys(value).length !== 2) return null
  const { output, metadata } = value
  if (typeof output !== 'string' || !isRecord(metadata)) return null
  const code = metadata['exit_code']
  return { output, failed: typeof code === 'number' && code !== 0 }
}

/** The same text with another output in its frame, every other character as it was; without a frame, the output alone. */
export function withFramedText(text: string, output: string): string {
  if (readFramedText(text) === null) return output
  const start = skipSpace(text, 0)
  const fields = openContainer(text, start)
  let changed = output
  while (fields?.next() === true) {
    const isOutput = fields.key() === 'output'
    const from = fields.position()
    const to = skipValue(text, from)
    // Of a field that is written twice, readers take the last.
    if (isOutput) changed = `${text.slice(0, from)}${JSON.stringify(output)}${text.slice(to)}`
    fields.leave(to)
  }
  return changed
}

const frameStart = /^\s{0,20}\{\s{0,20}"(?:output|metadata)"\s{0,20}:/

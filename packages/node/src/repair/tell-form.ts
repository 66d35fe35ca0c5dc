import { UnpackError } from '../files/unpack.ts'
import { parseEntry, rawLines } from '../logs/log-lines.ts'

/** How many lines are looked at. */
const mostLines = 60

/**
 * Whether a file is lines with an entry each, or one JSON value on however many lines. A first line may be garbled; one line that is an
 * object by itself and is not indented shows the form.
 */
export async function tellForm(bytes: () => AsyncIterable<Uint8Array>): Promise<'lines' | 'document' | 'empty'> {
  let isEmpty = true
  let isObject = false
  let count = 0
  try {
    for await (const { line, bytes: raw } of rawLines(bytes())) {
      const text = (raw ?? Buffer.alloc(0))
        .toString('utf8')
        .replace(/^\ufeff/, '')
        .replaceAll('\0', '')
      if (!/\S/.test(text) && raw !== null) continue
      if (isEmpty && text.trimStart().startsWith('[')) return 'document'
      isEmpty = false
      // Another line behind a whole object shows that it was one of several.
      if (isObject) return 'lines'
      const { entry } = text.startsWith('{') ? parseEntry({ line, text }) : {}
      if (entry !== undefined && (count > 0 || typeof entry['type'] === 'string')) return 'lines'
      isObject = entry !== undefined
      count += 1
      if (count >= mostLines) break
    }
  } catch (error) {
    if (!(error instanceof UnpackError) || error.kind !== 'damaged' || isEmpty) throw error
  }
  return isEmpty ? 'empty' : 'document'
}

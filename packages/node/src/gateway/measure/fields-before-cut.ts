import { parseJson } from '@plimsoll/core/text'
import { openContainer, skipSpace, skipValue } from '@plimsoll/core/wire'
import type { Fields } from './answer-reader.ts'

/** The own fields of a JSON object, or of the first one of a list, whose text breaks off: those that are whole. Never throws. */
export function fieldsBeforeCut(text: string): Fields {
  const fields: [string, unknown][] = []
  try {
    const start = skipSpace(text, 0)
    const object = openContainer(text, text[start] === '[' ? skipSpace(text, start + 1) : start)
    if (object?.kind !== 'object') return {}
    while (fields.length < mostFields && object.next()) {
      const name = object.key()
      const begin = object.position()
      const end = skipValue(text, begin)
      // A number at the very end may have lost some of its digits.
      if (end === text.length) break
      fields.push([name, parseJson(text.slice(begin, end))])
      object.leave(end)
    }
  } catch {
    // The text ends here; what came before it counts.
  }
  return Object.fromEntries(fields)
}

/** No answer has more before what it is about. */
const mostFields = 200

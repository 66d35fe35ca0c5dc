import { type ModelStrings, modelStrings } from '../strings/specification.ts'
import { jsonText } from '../text/json-text.ts'
import { utf8Length } from '../text/utf8-length.ts'

/** A size as the placeholders state it: in units of 1024, with one decimal. */
export function kilobytes(length: number): string {
  return (length / 1024).toFixed(1)
}

/** Whether a text already stands in place of binary data, in these strings or the built-in ones. */
export function isBinaryPlaceholder(text: string, strings: ModelStrings): boolean {
  if (text.length > longestPlaceholder) return false
  const sizes = text.match(/\d+\.\d/g) ?? ['0.0']
  return sizes.some((size) =>
    [modelStrings, strings].some(
      ({ binaryFiltered, largeDataFiltered }) => text === binaryFiltered(size) || text === largeDataFiltered(size),
    ),
  )
}

/** The bytes of a value written as JSON; zero when it cannot be written. */
export function serialisedBytes(value: unknown): number {
  return utf8Length(jsonText(value))
}

const longestPlaceholder = 1000

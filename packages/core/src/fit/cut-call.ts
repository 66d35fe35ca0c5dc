import { isRecord, type ToolCallPart } from '../message.ts'
import { countCodePoints, endOfFirst } from '../text/code-points.ts'
import { detached } from '../text/detached.ts'
import { grouped } from '../text/grouped.ts'
import { isPlainObject } from '../text/is-plain-object.ts'
import { jsonText } from '../text/json-text.ts'
import { isNestedDeeper, parseJson } from '../text/parse-json.ts'

/**
 * A call with every long text of its arguments shortened to about so many characters, each saying so and naming the original
 * arguments. What was JSON stays JSON with the same fields; where it is long for its many values, its nesting or its names, fields
 * become text that is shortened, and last the whole. Null where nothing is long enough, or it cannot be written as JSON.
 */
export function cutCall(part: ToolCallPart, maxChars: number, handle: string): ToolCallPart | null {
  const { input } = part
  const cut = (text: string) => cutText(text, maxChars, handle)
  if (typeof input !== 'string') {
    const shortened = cutArguments(input, cut, maxChars)
    return shortened === input ? null : { ...part, input: shortened }
  }
  const value = isNestedDeeper(input, deepestWritten) ? undefined : parseJson(input)
  // Free text, as tools that take a patch have it, arguments that were broken off, or what could be read and never be written.
  if (!isRecord(value) && !Array.isArray(value)) {
    const shortened = cut(input)
    return shortened === input ? null : { ...part, input: shortened }
  }
  const shortened = cutArguments(value, cut, maxChars)
  return shortened === value ? null : { ...part, input: JSON.stringify(shortened) }
}

const deepestWritten = 500
/** What has more characters than so many long texts is long for another reason than them. */
const mostTexts = 50

function cutArguments(value: unknown, cut: Walk['cut'], maxChars: number): unknown {
  const most = maxChars * mostTexts
  const shortened = cutValue(value, { cut, left: mostValues }, 0)
  const isList = Array.isArray(shortened)
  if (!isList && !isPlainObject(shortened)) return shortened
  if (jsonText(shortened).length <= most) return shortened
  if (!isList) {
    const fields = Object.entries(shortened).map(([key, field]) => [key, cutWhole(field, cut)] as const)
    const flat = Object.fromEntries(fields)
    if (jsonText(flat).length <= most) return flat
  }
  // Some providers take nothing but an object.
  return { arguments: cut(jsonText(value)) }
}

/** A value as it is where it is short, else its JSON as a shortened text. */
function cutWhole(value: unknown, cut: Walk['cut']): unknown {
  if (typeof value !== 'object') return value
  const text = jsonText(value)
  const shortened = cut(text)
  return shortened === text ? value : shortened
}

/** Deeper, or among more values, nobody keeps a text worth cutting; and a value that contains itself must come to an end. */
const deepest = 8
const mostValues = 20_000

interface Walk {
  readonly cut: (text: string) => string
  left: number
}

function cutValue(value: unknown, walk: Walk, depth: number): unknown {
  walk.left -= 1
  if (walk.left < 0) return value
  if (typeof value === 'string') return walk.cut(value)
  if (depth > deepest) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => cutValue(item, walk, depth + 1))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isPlainObject(value)) return value
  const fields = Object.entries(value).map(([key, field]) => [key, cutValue(field, walk, depth + 1)] as const)
  return fields.every(([key, field]) => field === value[key]) ? value : Object.fromEntries(fields)
}

function cutText(text: string, maxChars: number, handle: string): string {
  // A text that is hardly longer than what would stand in its place is left alone.
  if (text.length <= maxChars + 80) return text
  const head = detached(text.slice(0, endOfFirst(text.slice(0, maxChars * 2), maxChars)))
  return `${head}… [${grouped(countCodePoints(text) - countCodePoints(head))} characters cut; recall ${handle}]`
}

import { type MutationSource, mutateText } from './mutate-text.ts'

/** The JSON text with one changed value; null if it is not JSON. Duplicate fields are inserted in the text itself. */
export function mutateJson(text: string, other: string, source: MutationSource): string | null {
  const { random } = source
  if (random.oneIn(12)) return doubleField(text, source)
  const root = parse(text)
  if (root === undefined) return null
  const places = placesIn({ '': root }, random.below(400))
  const place = random.pick(places)
  if (place === undefined) return null
  const { holder, key } = place
  const before = holder[key]
  switch (random.below(11)) {
    case 0:
      holder[key] = random.pick(oddValues)()
      break
    case 1:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else if (key !== '') delete holder[key]
      break
    case 2:
      if (Array.isArray(holder)) holder.splice(Number(key), 0, structuredClone(before))
      else define(holder, random.pick(source.words) ?? 'x', structuredClone(before))
      break
    case 3:
      if (!Array.isArray(holder) && key !== '') {
        delete holder[key]
        define(holder, random.oneIn(8) ? '__proto__' : (random.pick(source.words) ?? ''), before)
      }
      break
    case 4: {
      const from = random.pick(places)
      if (from !== undefined) holder[key] = structuredClone(from.holder[from.key])
      break
    }
    case 5: {
      const theirs = placesIn({ '': parse(other.split('\n', 1)[0] ?? '') ?? parse(other) ?? null }, random.below(400))
      const from = random.pick(theirs)
      if (from !== undefined) holder[key] = from.holder[from.key]
      break
    }
    case 6:
      holder[key] = random.oneIn(2) ? [before] : { [random.pick(source.words) ?? 'x']: before }
      break
    case 7:
      if (typeof before === 'object' && before !== null) holder[key] = Object.values(before)[0]
      else holder[key] = typeof before === 'string' ? (parse(before) ?? before) : JSON.stringify(before)
      break
    case 8:
      holder[key] = random.pick(source.words) ?? ''
      break
    case 9:
      if (typeof before === 'number') holder[key] = random.pick([before + 1, -before, before * 1e9, before / 3])
      else if (Array.isArray(before)) before.reverse()
      else if (typeof before === 'string') holder[key] = mutateText(before, '', source)
      break
    default:
      if (typeof before === 'string') holder[key] = mutateText(before, other, source)
      else holder[key] = random.pick(oddValues)()
  }
  // The root may have been replaced.
  return write(places[0]?.holder[''])
}

/** Values of every kind that programs do not expect. */
const oddValues: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => 0,
  () => -1,
  () => 1.5,
  () => 1e308,
  () => 2 ** 53,
  () => '',
  () => ' ',
  () => '\0',
  () => '\ud800',
  () => '\udc00x',
  () => '{"a":1}',
  () => '[',
  () => 'data:image/png;base64,iVBORw0KGgo=',
  () => [],
  () => ({}),
  () => [[]],
  () => [null],
  () => JSON.parse('{"__proto__":{"polluted":true}}') as unknown,
  () => ({ constructor: { prototype: { polluted: true } } }),
  () => ({ toString: 1, valueOf: null, toJSON: 'x', length: 1e9 }),
  () => nested(300),
  () => nested(1200),
  () => 'x'.repeat(3000),
  () => Array.from({ length: 200 }, (_, index) => index),
]

function nested(levels: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

interface Place {
  readonly holder: Record<string, unknown> & unknown[]
  readonly key: keyof (Record<string, unknown> & unknown[]) & string
}

/** The first places in a value, root first; collected without recursion. */
function placesIn(top: Readonly<Record<string, unknown>>, more: number): readonly Place[] {
  const places: Place[] = []
  const open: object[] = [top]
  for (let index = 0; index < open.length && places.length < 100 + more; index += 1) {
    const holder = open[index] as Place['holder']
    for (const key of Object.keys(holder)) {
      places.push({ holder, key })
      const value = holder[key]
      if (typeof value === 'object' && value !== null) open.push(value)
    }
  }
  return places
}

function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Repeats a field at the start of an object, because parsers disagree on which of two counts. */
function doubleField(text: string, { random, words }: MutationSource): string {
  const from = random.below(text.length)
  const at = text.indexOf('{', from)
  const field =
    /"(?:[^"\\]|\\.){1,40}"\s{0,4}:/.exec(text.slice(from, from + 500))?.[0] ?? `${JSON.stringify(random.pick(words) ?? '')}:`
  const value = write(random.pick(oddValues)()) ?? 'null'
  return at < 0
    ? text
    : `${text.slice(0, at + 1)}${field}${value}${/^\{\s*\}/.test(text.slice(at)) ? '' : ','}${text.slice(at + 1)}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function write(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null
  } catch {
    return null
  }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelStrings } from '../strings/specification.ts'
import { base64, wrapped } from '../testing/base64.ts'
import { deepFreeze } from '../testing/messages.ts'
import { binaryFields, createBinaryFilter, filterBinaryText, filterBinaryValue } from './filter.ts'

const value = (input: unknown) => filterBinaryValue(deepFreeze(input), modelStrings)
const text = (input: string) => filterBinaryText(input, modelStrings)

const data = base64(12_000)
const uri = `data:image/png;base64,${data}`
const large = '[LARGE_DATA_FILTERED: 11.7KB]'

describe('fields that hold binary data by name', () => {
  it('R002-4 match exactly the five of the specification', () => {
    const fields = ['imageBase64', 'screenshotData', 'pdfImages', 'audioData', 'videoData']
    expect(value(Object.fromEntries([...fields, 'imagebase64', 'image', 'thumbnail'].map((field) => [field, 'AAAA'])))).toEqual({
      ...Object.fromEntries(fields.map((field) => [field, '[BINARY_DATA_FILTERED: 0.0KB]'])),
      imagebase64: 'AAAA',
      image: 'AAAA',
      thumbnail: 'AAAA',
    })
  })

  const cases: readonly (readonly [name: string, input: unknown, expected: unknown])[] = [
    ['R002-5 a data URI', uri, '[BINARY_DATA_FILTERED: 11.7KB]'],
    ['R002-5 rounding down', 'x'.repeat(1024 + 51), '[BINARY_DATA_FILTERED: 1.0KB]'],
    ['R002-5 rounding up', 'x'.repeat(1024 + 52), '[BINARY_DATA_FILTERED: 1.1KB]'],
    ['R002-5 half a megabyte', 'x'.repeat(512 * 1024), '[BINARY_DATA_FILTERED: 512.0KB]'],
    ['Q-36 one character', 'A', '[BINARY_DATA_FILTERED: 0.0KB]'],
    ['Q-36 a text that is not base64', 'see attachment', '[BINARY_DATA_FILTERED: 0.0KB]'],
    ['Q-17 a list, by its serialised size', [base64(2000), base64(2000)], '[BINARY_DATA_FILTERED: 3.9KB]'],
    ['Q-17 an object, by its serialised bytes', { page: '图'.repeat(1000) }, '[BINARY_DATA_FILTERED: 2.9KB]'],
    ['an empty list', [], '[BINARY_DATA_FILTERED: 0.0KB]'],
    ['Q-36 a placeholder', '[BINARY_DATA_FILTERED: 488.3KB]', '[BINARY_DATA_FILTERED: 488.3KB]'],
    ['Q-36 a placeholder of the other kind', large, large],
    ['a text that only starts like a placeholder', `${large}${data}`, '[BINARY_DATA_FILTERED: 11.7KB]'],
    ['an empty string', '', ''],
    ['null', null, null],
    ['zero', 0, 0],
    ['false', false, false],
    ['a mere flag', true, true],
  ]
  it.each(cases)('%s', (_name, input, expected) => {
    expect(value({ imageBase64: input, imagePath: '/a.png' })).toEqual({ imageBase64: expected, imagePath: '/a.png' })
  })

  it('count as filtered in custom strings too', () => {
    const strings = { ...modelStrings, binaryFiltered: (size: string) => `<binary v1.0, ${size} KB>` }
    const once = filterBinaryValue({ audioData: data }, strings)
    expect(once).toEqual({ audioData: '<binary v1.0, 11.7 KB>' })
    expect(filterBinaryValue(once, strings)).toBe(once)
  })

  it('get filtered even if a value cannot be serialized', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic['self'] = cyclic
    expect(value({ videoData: cyclic })).toEqual({ videoData: '[BINARY_DATA_FILTERED: 0.0KB]' })
  })
})

describe('other fields', () => {
  const cases: readonly (readonly [name: string, input: unknown, expected: unknown])[] = [
    ['R002-6 a string of exactly 10,000', base64(10_000), base64(10_000)],
    ['R002-6 a string of 10,001', base64(10_001), '[LARGE_DATA_FILTERED: 9.8KB]'],
    ['R002-7 a data URI', uri, large],
    ['R002-7 base64', data, large],
    ['Q-35 the placeholder is the seed’s', base64(1024 * 100), '[LARGE_DATA_FILTERED: 100.0KB]'],
    ['Q-17 an SSE log', 'data: {"token":"a"}\n\n'.repeat(2000), 'data: {"token":"a"}\n\n'.repeat(2000)],
    ['Q-17 wrapped base64', wrapped(data, 76), '[LARGE_DATA_FILTERED: 11.9KB]'],
    ['Q-17 url-safe base64', data.replaceAll('+', '-').replaceAll('/', '_'), large],
    ['Q-17 letters x', 'x'.repeat(10_001), 'x'.repeat(10_001)],
    ['lone surrogates around an image', `\ud83d ${uri} \udc00`, `\ud83d ${large} \udc00`],
    ['a number', 7, 7],
  ]
  it.each(cases)('%s', (_name, input, expected) => {
    expect(value([input])).toEqual([expected])
  })

  it('Q-17 get filtered at any depth: output, lists, nested fields', () => {
    expect(value({ output: data, metadata: { pages: [{ scan: { raw: data, page: 1 } }, 'text'], deep: [[[data]]] } })).toEqual({
      output: large,
      metadata: { pages: [{ scan: { raw: large, page: 1 } }, 'text'], deep: [[[large]]] },
    })
  })
})

describe('copy on write', () => {
  it('keeps the identity of bytes that are not strings', () => {
    const before = { bytes: new Uint8Array(20_000), output: data }
    expect(filterBinaryValue(before, modelStrings)).toEqual({ bytes: before.bytes, output: large })
    expect((filterBinaryValue(before, modelStrings) as typeof before).bytes).toBe(before.bytes)
  })

  it('R002-8 keeps the original, and the identity of every part with nothing to filter', () => {
    const before = deepFreeze({ metadata: { imageBase64: data, size: { width: 1 } }, rows: [{ id: 1 }, { id: 2 }] })
    const after = filterBinaryValue(before, modelStrings) as typeof before
    expect(after).toEqual({
      metadata: { imageBase64: '[BINARY_DATA_FILTERED: 11.7KB]', size: { width: 1 } },
      rows: [{ id: 1 }, { id: 2 }],
    })
    expect(before.metadata.imageBase64).toBe(data)
    expect(after.metadata.size).toBe(before.metadata.size)
    expect(after.rows).toBe(before.rows)
  })

  it('R002-9 returns the same value if there is nothing to filter', () => {
    const before = deepFreeze({ success: true, output: 'ok', list: [1, null, { a: 'b' }] })
    expect(filterBinaryValue(before, modelStrings)).toBe(before)
  })

  it('filters a shared object in every place', () => {
    const shared = { imageBase64: data }
    const filtered = { imageBase64: '[BINARY_DATA_FILTERED: 11.7KB]' }
    expect(value([shared, { again: shared }])).toEqual([filtered, { again: filtered }])
  })

  it('walks a doubly linked chain once, not once per path', () => {
    let chain: unknown = { imageBase64: data }
    for (let depth = 0; depth < 90; depth += 1) chain = [chain, chain]
    const filter = createBinaryFilter(modelStrings)
    filter.value(chain)
    expect(filter.removed()).toBe(data.length)
  })

  it('walks an object that contains itself once', () => {
    const cyclic: Record<string, unknown> = { imageBase64: data }
    cyclic['self'] = cyclic
    const filter = createBinaryFilter(modelStrings)
    expect((filter.value(cyclic) as typeof cyclic)['imageBase64']).toBe('[BINARY_DATA_FILTERED: 11.7KB]')
    expect(filter.removed()).toBe(data.length)
  })

  it('leaves values unchanged that are nested deeper than the stack allows', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}{"imageBase64":"${data}"}${']'.repeat(depth)}`
    const deep: unknown = JSON.parse(nested(100_000))
    expect(filterBinaryValue(deep, modelStrings)).toBe(deep)
    expect(text(nested(100_000))).toBe(nested(100_000))
    expect(text(nested(90))).toBe(`${'['.repeat(90)}{"imageBase64":"[BINARY_DATA_FILTERED: 11.7KB]"}${']'.repeat(90)}`)
  })

  it('R002-12 keeps the spelling of neighbouring values at any depth', () => {
    const beside = ` 1.0, 1e999, ${'['.repeat(50_000)}${']'.repeat(50_000)} `
    const nested = (depth: number, field: string) =>
      `${'[ '.repeat(depth)}[{"imageBase64":"${field}"},${beside}]${' ]'.repeat(depth)}`
    const filtered = Array.from({ length: 120 }, (_, depth) => {
      const after = text(nested(depth, data))
      expect(after === nested(depth, data) || after === nested(depth, '[BINARY_DATA_FILTERED: 11.7KB]')).toBe(true)
      return after !== nested(depth, data)
    })
    expect(filtered).toEqual(Array.from({ length: 120 }, (_, depth) => depth < 99))
  })

  it('keeps a field called __proto__ a field', () => {
    const before = `{"__proto__":{"imageBase64":"${data}"},"constructor":{"audioData":"A"}}`
    const after =
      '{"__proto__":{"imageBase64":"[BINARY_DATA_FILTERED: 11.7KB]"},"constructor":{"audioData":"[BINARY_DATA_FILTERED: 0.0KB]"}}'
    expect(JSON.stringify(filterBinaryValue(JSON.parse(before), modelStrings))).toBe(after)
    expect(text(before)).toBe(after)
    expect(({} as Record<string, unknown>)['imageBase64']).toBeUndefined()
  })
})

describe('JSON inside strings', () => {
  const cases: readonly (readonly [name: string, input: string, expected: string])[] = [
    [
      'R002-12 every other byte stays',
      ` {"a" : 1.50, "imageBase64":  "${data}" ,\n"b":"\\u00e9\\/"} \n`,
      ' {"a" : 1.50, "imageBase64":  "[BINARY_DATA_FILTERED: 11.7KB]" ,\n"b":"\\u00e9\\/"} \n',
    ],
    ['a small text with a known field', '[{"screenshotData":"AAAA"}]', '[{"screenshotData":"[BINARY_DATA_FILTERED: 0.0KB]"}]'],
    [
      'a known field that holds a list',
      '{"pdfImages":["AAAA","BBBB"],"n":2}',
      '{"pdfImages":"[BINARY_DATA_FILTERED: 0.0KB]","n":2}',
    ],
    [
      'JSON in a string in JSON in a string',
      JSON.stringify({ output: JSON.stringify({ inner: [{ imageBase64: data }], kept: ' "quoted" ' }) }),
      JSON.stringify({
        output: JSON.stringify({ inner: [{ imageBase64: '[BINARY_DATA_FILTERED: 11.7KB]' }], kept: ' "quoted" ' }),
      }),
    ],
    ['base64 with escaped slashes', `{"a":"${base64(12_000).replaceAll('/', '\\/')}"}`, `{"a":"${large}"}`],
    [
      'wrapped base64 with escaped line breaks',
      JSON.stringify({ a: wrapped(data, 76) }),
      '{"a":"[LARGE_DATA_FILTERED: 11.9KB]"}',
    ],
    ['an image in Markdown in a field', JSON.stringify({ a: `![x](${uri}) "so"` }), `{"a":"![x](${large}) \\"so\\""}`],
    ['text that only starts like JSON', `[info] imageBase64 saved\n${uri}`, `[info] imageBase64 saved\n${large}`],
    ['JSON cut off in the middle of an image', `{"imageBase64":"${data}`, `{"imageBase64":"${large}`],
    ['JSON lines', `{"a":1}\n{"b":"${data}"}`, `{"a":1}\n{"b":"${large}"}`],
    [
      'JSON lines with a known field, blank lines among them',
      '{"a":1}\r\n\n {"imageBase64" : "AAAA", "b":[1.0]}\n[{"audioData":"A"}]\n{"c":"imageBase64"}',
      '{"a":1}\r\n\n {"imageBase64" : "[BINARY_DATA_FILTERED: 0.0KB]", "b":[1.0]}\n[{"audioData":"[BINARY_DATA_FILTERED: 0.0KB]"}]\n{"c":"imageBase64"}',
    ],
    [
      'lines of which one is not JSON',
      '{"imageBase64":"AAAA"}\nTotal: 1\n{"imageBase64":"AAAA"}',
      '{"imageBase64":"AAAA"}\nTotal: 1\n{"imageBase64":"AAAA"}',
    ],
    [
      'a known field in JSON three strings deep, its white space escaped',
      JSON.stringify([JSON.stringify({ a: '{"imageBase64"\n:"AAAA"}' })]),
      JSON.stringify([JSON.stringify({ a: '{"imageBase64"\n:"[BINARY_DATA_FILTERED: 0.0KB]"}' })]),
    ],
    ['a field name in a sentence', 'imageBase64: AAAA', 'imageBase64: AAAA'],
    ['broken JSON with a field name', '{"imageBase64":"AAAA"', '{"imageBase64":"AAAA"'],
    ['a filtered text', '{"imageBase64":"[BINARY_DATA_FILTERED: 11.7KB]"}', '{"imageBase64":"[BINARY_DATA_FILTERED: 11.7KB]"}'],
    [
      'lone surrogates next to it',
      '{"a":"\\ud800","imageBase64":"A","b":"\udc00"}',
      '{"a":"\\ud800","imageBase64":"[BINARY_DATA_FILTERED: 0.0KB]","b":"\udc00"}',
    ],
  ]
  it.each(cases)('%s', (_name, input, expected) => {
    expect(text(input)).toBe(expected)
  })
})

const strings = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  fc.integer({ min: 9990, max: 10_400 }).map((length) => base64(length)),
  fc.integer({ min: 9990, max: 10_400 }).map((length) => `before ${wrapped(base64(length), 76)}`),
  fc.constantFrom(uri, `![](${uri})`, 'x'.repeat(10_100), large, '[', '{"a":', `[${large}`),
)
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    strings,
    fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...binaryFields, 'output', '__proto__'), fc.string({ maxLength: 5 })), tie('json'), {
      maxKeys: 4,
    }),
    tie('json').map((inner) => JSON.stringify(inner)),
  ),
}))

it('filtering twice is filtering once, frozen input stays, and filtering JSON text is filtering what it says', () => {
  const reached = { byName: 0, byShape: 0, insideText: 0, untouched: 0 }
  fc.assert(
    fc.property(json, (input) => {
      const before = JSON.stringify(input)
      const once = filterBinaryValue(deepFreeze(input), modelStrings)
      expect(filterBinaryValue(once, modelStrings)).toBe(once)
      expect(JSON.stringify(input)).toBe(before)
      if (once === input) reached.untouched += 1
      const after = JSON.stringify(once)
      if (after !== before && after.includes('[BINARY_DATA')) reached.byName += 1
      if (after !== before && after.includes('[LARGE_DATA')) reached.byShape += 1
      if (typeof input !== 'object' || input === null) return
      expect(text(before)).toBe(after)
      if (/\\"\[(?:BINARY|LARGE)_DATA/.test(after)) reached.insideText += 1
    }),
    { numRuns: 400 },
  )
  expect(Object.entries(reached).filter(([, count]) => count < 5)).toEqual([])
})

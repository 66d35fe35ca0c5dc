import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../testing/messages.ts'
import { type Patch, type Path, patchText, patchValue } from './patch.ts'

describe('patchValue', () => {
  it('returns the same value without patches', () => {
    const value = { messages: [] }
    expect(patchValue(value, [])).toBe(value)
  })

  it('copies only the path to a change', () => {
    const value = deepFreeze({ messages: [{ content: 'a' }, { content: 'b', meta: {} }], tools: [{}] })
    const result = patchValue(value, [{ op: 'set', path: ['messages', 1, 'content'], value: 'B' }]) as typeof value
    expect(result).toEqual({ messages: [{ content: 'a' }, { content: 'B', meta: {} }], tools: [{}] })
    expect(result.messages[0]).toBe(value.messages[0])
    expect(result.messages[1]?.meta).toBe(value.messages[1]?.meta)
    expect(result.tools).toBe(value.tools)
  })
})

describe('patchText', () => {
  it('returns the same text without patches', () => {
    expect(patchText('{ "a" : 1 }', [])).toBe('{ "a" : 1 }')
  })

  const cases: readonly (readonly [name: string, text: string, patches: readonly Patch[], expected: string])[] = [
    [
      'a changed string',
      ' { "a" : "x" , "n": 1.0e0 } ',
      [{ op: 'set', path: ['a'], value: 'y\n' }],
      ' { "a" : "y\\n" , "n": 1.0e0 } ',
    ],
    ['the complete document', ' [1] ', [{ op: 'set', path: [], value: 2 }], ' 2 '],
    ['a new field', '{"a":1}', [{ op: 'set', path: ['b'], value: 2 }], '{"a":1,"b":2}'],
    ['a new field of an empty object', '{ }', [{ op: 'set', path: ['b'], value: 2 }], '{"b":2 }'],
    ['a field spelt with escapes', '{"\\u0061":1}', [{ op: 'set', path: ['a'], value: 2 }], '{"\\u0061":2}'],
    ['the last field of a name', '{"a":1,"a":{"b":2}}', [{ op: 'set', path: ['a', 'b'], value: 3 }], '{"a":1,"a":{"b":3}}'],
    ['all fields of a removed name', '{"a":1,"b":2,"a":3}', [{ op: 'remove', path: ['a'] }], '{"b":2}'],
    ['the first item removed', '[ 1 , 2 , 3 ]', [{ op: 'remove', path: [0] }], '[ 2 , 3 ]'],
    ['the last item removed', '[ 1 , 2 , 3 ]', [{ op: 'remove', path: [2] }], '[ 1 , 2 ]'],
    ['neighbours removed', '[ 1 , 2 , 3 , 4 ]', [1, 2].map((index) => ({ op: 'remove', path: [index] })), '[ 1 , 4 ]'],
    ['all items removed', '[ 1 , 2 ]', [0, 1].map((index) => ({ op: 'remove', path: [index] })), '[  ]'],
    ['an item put first', '[\n  1,\n  2\n]', [{ op: 'insert', path: [0], value: 0 }], '[\n  0,\n  1,\n  2\n]'],
    ['an item put last', '[\n  1\n]', [{ op: 'insert', path: [1], value: 2 }], '[\n  1,\n  2\n]'],
    ['items put into an empty list', '[]', [7, 8].map((value) => ({ op: 'insert', path: [0], value })), '[7,8]'],
    [
      'an item put before a changed one',
      '["a"]',
      [
        { op: 'set', path: [0], value: 'b' },
        { op: 'insert', path: [0], value: 'n' },
      ],
      '["n","b"]',
    ],
    [
      'an item in the place of a removed one',
      '[1,2,3]',
      [
        { op: 'remove', path: [1] },
        { op: 'insert', path: [1], value: 9 },
      ],
      '[1,9,3]',
    ],
    ['a lone surrogate', '["a"]', [{ op: 'set', path: [0], value: '\ud800' }], '["\\ud800"]'],
  ]
  it.each(cases)('%s', (_name, text, patches, expected) => {
    expect(patchText(text, patches)).toBe(expected)
    expect(JSON.parse(expected)).toEqual(patchValue(JSON.parse(text), patches))
  })

  it('handles nesting deeper than the stack', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(patchText(`{"deep":${deep},"a":1}`, [{ op: 'set', path: ['a'], value: 2 }])).toBe(`{"deep":${deep},"a":2}`)
  })
})

const wrong: readonly (readonly [name: string, text: string, patches: readonly Patch[], message: string])[] = [
  ['a field that is not there', '{}', [{ op: 'remove', path: ['a'] }], 'patch at ["a"]: nothing there to remove'],
  ['a position that is not there', '[]', [{ op: 'set', path: [0], value: 1 }], 'patch at [0]: nothing there to set'],
  ['an insert past the end', '[]', [{ op: 'insert', path: [1], value: 1 }], 'patch at [1]: nothing there to insert'],
  ['a way through a number', '{"a":1}', [{ op: 'set', path: ['a', 'b'], value: 1 }], 'patch at ["a"]: nothing there to change'],
  [
    'a way through an inherited field',
    '{}',
    [{ op: 'set', path: ['constructor', 'x'], value: 1 }],
    'patch at ["constructor"]: nothing there to change',
  ],
  [
    'an insert without a position',
    '{}',
    [{ op: 'insert', path: ['a'], value: 1 }],
    'patch at ["a"]: an insert needs a list position',
  ],
  ['the removal of everything', '{}', [{ op: 'remove', path: [] }], 'patch at []: the whole document cannot be removed'],
  [
    'patches inside one another',
    '{"a":{"b":1}}',
    [
      { op: 'set', path: ['a', 'b'], value: 1 },
      { op: 'remove', path: ['a'] },
    ],
    'patch at ["a"]: lies inside another patch, or another one inside it',
  ],
]

describe.each(wrong)('%s', (_name, text, patches, message) => {
  it('is rejected in a value', () => expect(() => patchValue(JSON.parse(text), patches)).toThrow(new Error(message)))
  it('is rejected in a text', () => expect(() => patchText(text, patches)).toThrow(new Error(message)))
})

it.each(['', '{', '{"a"', '{"a":', '[1', '[1 2]', '["a', '{"a" 1}', '{1:2}'])(
  'patchText rejects text that is not JSON: %s',
  (text) => {
    expect(() => patchText(text, [{ op: 'set', path: ['z'], value: 1 }])).toThrow(Error)
    expect(() => patchText(text, [{ op: 'set', path: [1], value: 1 }])).toThrow(Error)
  },
)

it('parsing the spliced text gives the patched value, whatever the spelling of the document', () => {
  const reached = { set: 0, added: 0, remove: 0, insert: 0, adjacent: 0, emptied: 0, doubled: 0, escaped: 0 }
  fc.assert(
    fc.property(documentArbitrary(), fc.infiniteStream(fc.nat({ max: 999 })), ({ text, doubled, escaped }, stream) => {
      const value: unknown = JSON.parse(text)
      const patches = somePatches(value, () => stream.next().value)
      const expected = patchValue(deepFreeze(value), patches)
      expect(JSON.parse(patchText(text, patches))).toEqual(expected)
      for (const patch of patches) {
        reached[patch.op] += 1
        if (patch.op === 'set' && patch.path.at(-1) === 'added') reached.added += 1
      }
      const removed = new Set(patches.filter((patch) => patch.op === 'remove').map((patch) => JSON.stringify(patch.path)))
      const after = (path: Path) =>
        JSON.stringify(path.map((step, level) => (level === path.length - 1 ? Number(step) + 1 : step)))
      if (patches.some((patch) => patch.op === 'remove' && removed.has(after(patch.path)))) reached.adjacent += 1
      if (removed.size > 1 && JSON.stringify(expected).match(/\[\]|\{\}/) !== null) reached.emptied += 1
      if (doubled && patches.length > 0) reached.doubled += 1
      if (escaped && patches.length > 0) reached.escaped += 1
    }),
    { numRuns: 1500 },
  )
  for (const [name, count] of Object.entries(reached)) expect(count, name).toBeGreaterThan(20)
})

const names = ['a', 'b', 'c"', 'ü\\', '__proto__', '日']

/** A JSON text with odd spacing, escaped and doubled field names, and numbers in unusual spellings. */
function documentArbitrary() {
  const space = fc.constantFrom('', '', ' ', '\n  ', '\t', '\r\n')
  const scalar = fc.oneof(
    fc.constantFrom('1.0', '-0', '1E+2', 'true', 'false', 'null', '""', '"\\u00e9\\n\\\\"', '"]}\\",[{"', '"\\ud800"'),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  )
  const name = fc.tuple(fc.constantFrom(...names), fc.boolean()).map(([plain, escape]) => {
    return escape
      ? `"${plain
          .split('')
          .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join('')}"`
      : JSON.stringify(plain)
  })
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'medium', withCrossShrink: true },
      scalar,
      fc
        .tuple(
          space,
          fc.array(
            fc.tuple(space, tie('value'), space).map(([before, item, after]) => before + item + after),
            { maxLength: 5 },
          ),
        )
        .map(([empty, items]) => `[${items.length === 0 ? empty : items.join(',')}]`),
      fc
        .tuple(
          space,
          fc.array(
            fc.tuple(space, name, space, tie('value'), space).map(([a, key, b, item, c]) => `${a}${key}${b}:${b}${item}${c}`),
            { maxLength: 5 },
          ),
        )
        .map(([empty, fields]) => `{${fields.length === 0 ? empty : fields.join(',')}}`),
    ),
  }))
  return fc
    .tuple(space, fc.oneof({ weight: 1, arbitrary: scalar }, { weight: 9, arbitrary: value }), space)
    .map(([before, text, after]) => {
      const keys = text.match(/"(?:[^"\\]|\\.)*"\s*:/g) ?? []
      return {
        text: before + text + after,
        escaped: keys.some((key) => key.includes('\\u')),
        doubled: new Set(keys).size < keys.length,
      }
    })
}

/** Patches for a value, none inside another, chosen by a stream of numbers. */
function somePatches(value: unknown, draw: () => number): readonly Patch[] {
  const patches: Patch[] = []
  walk(value, [])
  return patches

  function walk(at: unknown, path: Path): void {
    if (typeof at !== 'object' || at === null) {
      if (draw() % 3 === 0) patches.push({ op: 'set', path, value: 'new "text"' })
      return
    }
    if (path.length > 0 && draw() % 6 === 0) {
      patches.push({ op: 'set', path, value: { x: ['y', null] } })
      return
    }
    const wish = draw() % 4
    const steps: Path = Array.isArray(at) ? at.map((_item, index) => index) : Object.keys(at)
    for (const step of steps) {
      if (Array.isArray(at) && draw() % 4 === 0) patches.push({ op: 'insert', path: [...path, step], value: draw() })
      if (wish === 0 || draw() % 3 === 0) patches.push({ op: 'remove', path: [...path, step] })
      else walk((at as Record<string | number, unknown>)[step], [...path, step])
    }
    if (Array.isArray(at) && draw() % 4 === 0) patches.push({ op: 'insert', path: [...path, at.length], value: [draw()] })
    if (!Array.isArray(at) && draw() % 4 === 0) patches.push({ op: 'set', path: [...path, 'added'], value: draw() })
  }
}

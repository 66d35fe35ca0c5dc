import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64, wrapped } from '../testing/base64.ts'
import { findBase64 } from './filter.ts'

const count = 300
const listing = (entry: (index: number) => string) => Array.from({ length: count }, (_, index) => entry(index)).join('\n')
const digits = (index: number, length: number) => String(index).padStart(length, '0')
// Cut from one long stream each: such tokens have nothing in common.
const anything = base64(40_000)
const units = anything.replaceAll(/[+/]/g, '')
const token = (length: number, index: number) => cut(anything, length, index)
const letters = (length: number, index: number) => cut(units, length, index)
const hex = (length: number, index: number) =>
  Array.from(token(length, index), (unit) => '0123456789abcdefABCDEF'[unit.charCodeAt(0) % 22]).join('')
const cut = (text: string, length: number, index: number) => {
  const start = (index * length) % (text.length - length)
  return text.slice(start, start + length)
}
const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')

const nameOf = (index: number) => ['Service', 'handler4', 'Model', 'renderer', 'HttpClient', 'Item7'][index % 6] ?? ''

describe('R002-35 lists with entries of equal length stay', () => {
  const cases: readonly (readonly [name: string, entry: (index: number) => string])[] = [
    ['paths', (index) => `/home/User1/projects/Application/modules/component/sub_dir_${digits(index, 4)}`],
    ['paths without other separators', (index) => `/home/User1/projects/Application/modules/components/${digits(index, 8)}`],
    ['git branches', (index) => `feature/JIRA-${1000 + index}-refactor-the-Login-page-and-its-many-friends`],
    ['S3 keys', (index) => `uploads/2024/11/${letters(48, index)}`],
    ['S3 keys with little in common', (index) => `${letters(8, index)}/${letters(22, index + 900)}/${letters(40, index)}`],
    ['pods', (index) => `Payments-Api-deployment-production-eu-west-1-${hex(10, index).toLowerCase()}-${digits(index, 5)}`],
    ['names of tests', (index) => `TestSuiteForTheCheckoutFlowWithManyItemsInTheBasketNumber${digits(index, 5)}`],
    ['tokens of 64 letters and digits', (index) => letters(64, index)],
    ['tokens of 76 letters and digits', (index) => letters(76, index)],
    ['tokens of 76 from both alphabets', (index) => `${token(38, index)}${urlSafe(token(38, index + 500))}`],
    [
      'names with two separators',
      (index) => `${nameOf(index)}+${nameOf(index + 1)}/`.repeat(9).slice(index % 8, (index % 8) + 76),
    ],
    ['tokens of 43', (index) => urlSafe(token(43, index))],
    ['tokens with a short prefix', (index) => `ghp_${letters(60, index)}`],
    ['SHA-256 in mixed case', (index) => hex(64, index)],
    [
      'cursors that are base64 of JSON',
      (index) => Buffer.from(`{"id":${1000 + index},"after":"${letters(30, index)}"}`).toString('base64url'),
    ],
    ['JSON web tokens', (index) => `eyJhbGciOiJIUzI1NiJ9.${letters(60, index)}.${urlSafe(token(43, index))}`],
    ['integrity hashes', (index) => `      "integrity": "sha512-${token(86, index)}==",`],
    [
      'pairs of UUIDs',
      (index) => `${hex(8, index)}-4a1b-${hex(12, index + 7)}-${hex(8, index + 2).toUpperCase()}-4a1b-${hex(12, index + 3)}`,
    ],
    ['the same line again and again', () => '/home/User1/projects/Application/modules/component/sub/dir/0001'],
    ['a hex dump', (index) => `${digits(index * 16, 8)}  6c6f 6164 206c 696e 650a 7761 7465 726c  load line waterl`],
    ['CSV', (index) => `${digits(index, 6)},Widget${digits(index, 4)},${letters(30, index)},2024-11-12,true`],
    [
      'minified JavaScript',
      (index) => `var aB${digits(index, 4)}=function(e){return e.getElementById("x${letters(20, index)}")};`,
    ],
    ['Chinese', (index) => `第${digits(index, 4)}行：今天天气很好，我们去公园散步吧，图片生成成功，请查看结果文件夹里的图片`],
  ]
  it.each(cases)('%s', (_name, entry) => {
    expect(
      new Set(
        listing(entry)
          .split('\n')
          .map((line) => line.length),
      ).size,
    ).toBe(1)
    expect(listing(entry).length).toBeGreaterThan(10_000)
    for (const end of ['', '\n', '\nDone', '\nTotal42', '\n300 entries found.'])
      expect(findBase64(listing(entry) + end)).toEqual([])
  })

  it.each(cases)('%s, numbered or quoted', (_name, entry) => {
    expect(findBase64(listing((index) => `${digits(index, 4)}→${entry(index)}`))).toEqual([])
    expect(findBase64(listing((index) => `> ${entry(index)}`))).toEqual([])
  })
})

describe('Q-17 wrapped base64 of any content is found', () => {
  const bytes = (length: number, byte: (index: number) => number) => Uint8Array.from({ length }, (_, index) => byte(index))
  const random = Buffer.from(base64(24_036), 'base64')
  const cases: readonly (readonly [name: string, data: Uint8Array | string])[] = [
    ['random bytes', random],
    [
      'a PNG cut off after a full line',
      Buffer.concat([Buffer.from('iVBORw0KGgoAAAAN', 'base64'), random.subarray(0, 48 * 300 - 12)]),
    ],
    ['mostly zeros', bytes(20_001, (index) => (index % 17 === 0 ? index * index : 0))],
    ['mostly 255', bytes(20_001, (index) => (index % 31 === 0 ? (index * index) >> 2 : 255))],
    ['three-byte numbers with a leading zero', bytes(17_999, (index) => (index % 3 === 0 ? 0 : 0x40 | (random[index] ?? 0)))],
    ['a sound', bytes(20_001, (index) => 128 + 120 * Math.sin((index * index) / 9000))],
    [
      'English',
      'Call me Ishmael. Some years ago, never mind how long precisely, I thought I would sail about a little. '.repeat(150),
    ],
    ['JSON', JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: `item ${id}`, price: id * 1.5, ok: true })))],
    ['CSV', Array.from({ length: 2000 }, (_, index) => `${index},${(index * 7919) % 1000},${(index * 31) % 97}.5`).join('\n')],
    ['Chinese', Array.from({ length: 400 }, (_, index) => `第${index}行：今天天气很好，我们去公园散步吧！`).join('\n')],
    [
      'Russian',
      Array.from({ length: 300 }, (_, index) => `Строка ${index}: широка страна моя родная, много в ней лесов.`).join('\n'),
    ],
  ]
  it.each(cases)('%s', (_name, data) => {
    const ordinary = Buffer.from(data as string).toString('base64')
    const texts = [wrapped(ordinary, 60), wrapped(ordinary, 64), wrapped(ordinary, 76), wrapped(urlSafe(ordinary), 76)]
    expect(texts.map((text) => findBase64(text).length)).toEqual([1, 1, 1, 1])
  })
})

it('Q-17 finds base64 of text whose start is cut off', () => {
  const text = Buffer.from(JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: `item ${id}` })))).toString(
    'base64',
  )
  expect([0, 1, 2, 3].map((from) => findBase64(wrapped(text.slice(from), 76)).length)).toEqual([1, 1, 1, 1])
})

const words = [
  'user',
  'Home',
  'Service',
  'config',
  'data',
  'Model',
  'render',
  'Item',
  'Http',
  'Base64',
  'Sha256',
  'v1',
  'Db',
  'map',
]
const named = fc
  .tuple(
    fc.constantFrom('', '/', '-', '_', '+', '/_', '+/', '-_'),
    fc.oneof(fc.integer({ min: 40, max: 120 }), fc.constant(76)),
    fc.integer({ min: 1, max: 1e9 }),
  )
  .map(([separators, width, seed]) => {
    const choices = base64(10_000 * 4, seed)
    let next = 0
    const choice = (from: string | readonly string[]) => from[choices.charCodeAt(next++ % choices.length) % from.length] ?? ''
    return Array.from({ length: Math.ceil(10_100 / width) }, () => {
      let line = ''
      while (line.length < width) line += choice(words) + choice(separators)
      return line.slice(0, width)
    }).join('\n')
  })
const tokens = fc
  .tuple(
    fc.constantFrom(letters, hex),
    fc.oneof(fc.integer({ min: 40, max: 120 }), fc.constant(76)),
    fc.integer({ min: 1, max: 1e9 }),
  )
  .map(([ofWidth, width, seed]) =>
    Array.from({ length: Math.ceil(10_100 / width) }, (_, index) => ofWidth(width, (seed % 100) + index)).join('\n'),
  )
const stream = fc
  .tuple(fc.uint8Array({ minLength: 3, maxLength: 50 }), fc.integer({ min: 8000, max: 12_000 }), fc.integer({ min: 1, max: 1e9 }))
  .map(([head, length, seed]) => Buffer.concat([head, Buffer.from(base64(length * 2, seed), 'base64')]).toString('base64'))

describe('lines of random base64 characters, all of equal length', () => {
  const lines = Array.from({ length: 300 }, (_, index) => token(64, index))

  it.each([
    ['the ordinary alphabet', lines],
    ['the url-safe alphabet', lines.map(urlSafe)],
  ])('Q-17 treats them as wrapped data if they are the complete text: %s', (_name, data) => {
    const text = data.join('\n')
    expect(findBase64(text)).toEqual([{ start: 0, end: text.length }])
    expect(findBase64(`${text}\n`)).toEqual([{ start: 0, end: text.length + 1 }])
  })

  it('Q-17 accepts a short last line that reads like a word', () => {
    const text = lines.join('\n')
    expect(findBase64(`${text}\nazug`)).toMatchObject([{ start: 0, end: text.length }])
    expect(findBase64(`${lines.join('\n')}\nThat is all`)).toEqual([])
  })

  it('R002-35 keeps them among other text as a possible list of tokens', () => {
    expect(findBase64(`Tokens issued today:\n${lines.join('\n')}\nThat is all.`)).toEqual([])
  })

  it('Q-17 accepts equal lines of one repeated pattern', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const text = Array.from({ length: 200 }, () => alphabet).join('\n')
    expect(findBase64(text).length).toBe(1)
  })
})

it('R002-35 tells lines of names and tokens from lines of base64', () => {
  const reached = { names: 0, tokens: 0, streams: 0 }
  const takenForBase64 = (text: string) =>
    text.length > 10_000 && /^[\w+/\n-]+=*$/.test(text) && [/[A-Z]/, /[a-z]/, /\d/].every((kind) => kind.test(text))
  fc.assert(
    fc.property(named, tokens, stream, fc.constantFrom(60, 64, 76), (names, list, data, width) => {
      expect(findBase64(names)).toEqual([])
      if (takenForBase64(names)) reached.names += 1
      expect(findBase64(list)).toEqual([])
      if (takenForBase64(list)) reached.tokens += 1
      expect(findBase64(wrapped(data, width)).length).toBe(1)
      if (takenForBase64(wrapped(data, width))) reached.streams += 1
    }),
  )
  expect(Object.entries(reached).filter(([, times]) => times < 50)).toEqual([])
})

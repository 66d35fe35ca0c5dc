import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutRecords } from './cut-records.ts'
import { briefXml, readXml } from './read-xml.ts'

const handle = '0123456789ab'
const cases = (count: number, special: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, index) => special[index] ?? `<testcase name="adds_${index}" time="0.1" />`)
const report = (items: readonly string[]) =>
  `<?xml version="1.0"?>\n<suite tests="${items.length}">\n${items.join('\n')}\n</suite>\n`

describe('readXml', () => {
  it.each<[name: string, text: string, count: number]>([
    ['children of one name', report(cases(9)), 9],
    ['rows of a table', `<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(8)}</table>`, 8],
    ['children with tags that are never closed', `<ul>${'<li>a<br>b</li>'.repeat(7)}</ul>`, 7],
    ['few children', report(cases(5)), 0],
    ['children of different names', `<a>${['b', 'c', 'd', 'e', 'f', 'g'].map((name) => `<${name}>x</${name}>`).join('')}</a>`, 0],
    ['a tag that does not end', `${report(cases(9))}<x y="`, 9],
    ['text that is no XML', 'a < b and c > d', 0],
    ['nesting without end', '<a>'.repeat(5000), 0],
  ])('reads %s', (_name, text, count) => {
    expect(readXml(text)).toHaveLength(count)
  })

  it('reads attributes and texts by their elements', () => {
    const item = '<case name="a" time="0.5"><failure message="1 is not 2">at a.ts</failure></case>'
    const [first] = readXml(report(Array.from({ length: 6 }, () => item)))
    expect(Object.fromEntries(first?.fields ?? [])).toMatchObject({
      name: 'a',
      time: 0.5,
      'failure.message': '1 is not 2',
      'failure.text': 'at a.ts',
    })
  })
})

describe('a report in XML that is cut', () => {
  const failed = (name: string) =>
    `<testcase name="${name}" time="0.1"><failure message="1 is not 2">${'at x '.repeat(80)}</failure></testcase>`

  it('keeps what failed, as elements, and counts the others in comments', () => {
    const cut = cutRecords(report(cases(200, { 77: failed('divides') })), 1500, handle) ?? ''
    expect(cut).toContain('<testcase name="divides" time="0.1"><failure message="1 is not 2">at x')
    expect(cut).toMatch(/<!-- \d+ records omitted -->\n<testcase name="divides"/)
    expect(cut).toMatch(/<!-- \{"records":200,.*"recall":"0123456789ab"\} -->\n<\/suite>\n$/)
  })

  it('shows or counts each element, names all that failed, and fits, wherever they are', () => {
    const places = fc.uniqueArray(fc.nat(119), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(places, fc.integer({ min: 1500, max: 4000 }), (at, room) => {
        const text = report(cases(120, Object.fromEntries(at.map((index) => [index, failed(`fails_${index}`)]))))
        const cut = cutRecords(text, room, handle) ?? ''
        expect(cut.length).toBeLessThanOrEqual(room)
        for (const index of at) expect(cut).toContain(`"fails_${index}"`)
        const omitted = [...cut.matchAll(/<!-- (\d+) records omitted -->/g)].reduce((sum, [, count]) => sum + Number(count), 0)
        expect(omitted + cut.split('<testcase ').length - 1).toBe(120)
      }),
      { numRuns: 40, seed: 3 },
    )
  })

  it('shortens texts of an element, not its tags', () => {
    const short = briefXml(failed('divides'), 200)
    expect(short).toMatch(
      /^<testcase name="divides" time="0.1"><failure message="1 is not 2">at x .*\.\.\. \(\d+ characters more\)<\/failure><\/testcase>$/,
    )
  })
})

it('any text of tags, quotes and brackets is read without an error', () => {
  const part = fc.constantFrom(
    '<a>',
    '</a>',
    '<b x="1">',
    '</b>',
    '<c/>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '"',
    "'",
    '<',
    '>',
    'text',
    '\n',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 80 }), (parts) => {
      const text = `<x>${parts.join('')}`
      for (const { start, end } of readXml(text)) expect([text[start], text[end - 1]]).toEqual(['<', '>'])
    }),
    { numRuns: 200, seed: 4 },
  )
})

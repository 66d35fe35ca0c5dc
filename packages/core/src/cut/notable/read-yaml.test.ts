import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutRecords } from './cut-records.ts'
import { briefYaml, readYaml } from './read-yaml.ts'

const handle = '0123456789ab'
const item = (name: string, state = 'ready', more = '') =>
  `- name: ${name}\n  status:\n    state: ${state}\n    restarts: 0\n${more}`
const items = (count: number, special: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, index) => special[index] ?? item(`pod-${index}`)).join('')

describe('readYaml', () => {
  it.each<[name: string, text: string, count: number]>([
    ['a list', items(9), 9],
    ['a list below a key', `kind: List\nitems:\n${items(9)}total: 9\n`, 9],
    ['a list that is further right', `items:\n${items(9).replaceAll(/^/gm, '  ').trimEnd()}\n`, 9],
    ['few items', items(5), 0],
    ['sentences', '- one thing\n- another thing\n'.repeat(8), 0],
    ['a document without lists', 'a: 1\nb: 2\n'.repeat(20), 0],
  ])('reads %s', (_name, text, count) => {
    expect(readYaml(text)).toHaveLength(count)
  })

  it('reads values by their paths, of lists at the place of their key and further right', () => {
    const one = '- name: a\n  parts:\n  - image: x\n    port: 80\n  deep:\n    - id: "7"\n  on: true\n'
    const [first] = readYaml(one.repeat(6))
    expect(Object.fromEntries(first?.fields ?? [])).toEqual({
      name: 'a',
      'parts[].image': 'x',
      'parts[].port': 80,
      'deep[].id': 7,
      on: 'true',
    })
  })
})

describe('a list in YAML that is cut', () => {
  it('keeps what differs, and counts the others in comments', () => {
    const text = `kind: List\nitems:\n${items(200, { 77: item('web', 'crashed') })}total: 200\n`
    const cut = cutRecords(text, 1200, handle) ?? ''
    expect(cut).toContain('\n- name: web\n  status:\n    state: crashed\n')
    expect(cut).toMatch(/^kind: List\nitems:\n- name: pod-0\n/)
    expect(cut).toMatch(/\n# \{"records":200,.*"recall":"0123456789ab"\}\ntotal: 200\n$/)
  })

  it('shows of a long item what names it and what differs, with the keys above', () => {
    const long = `- kind: Pod\n  spec:\n    parts:\n    - image: x\n${'      note: y\n'.repeat(40)}  status:\n    list:\n    - ready: false\n      name: main\n`
    expect(briefYaml(long.trimEnd(), 200, ['status.list[].ready'])).toBe(
      '- kind: Pod\n  status:\n    list:\n    - ready: false\n      name: main\n  # 43 lines omitted',
    )
  })

  it('shows or counts each item, names all that differ, and fits, wherever they are', () => {
    const places = fc.uniqueArray(fc.nat(119), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(places, fc.integer({ min: 1500, max: 4000 }), (at, room) => {
        const special = Object.fromEntries(at.map((index) => [index, item(`odd-${index}`, 'crashed', '  error: disk gone\n')]))
        const cut = cutRecords(items(120, special), room, handle) ?? ''
        expect(cut.length).toBeLessThanOrEqual(room)
        for (const index of at) expect(cut).toContain(`- name: odd-${index}\n`)
        const omitted = [...cut.matchAll(/^# (\d+) records omitted$/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
        expect(omitted + cut.split(/^- name: /m).length - 1).toBe(120)
      }),
      { numRuns: 40, seed: 3 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutRecords } from './cut-records.ts'

const handle = '0123456789ab'
const records = Array.from({ length: 300 }, (_, index) => ({
  id: index,
  state: index === 150 ? 'failed' : 'done',
  total: 12_345_678_901_234_567_890n - BigInt(index),
}))
const written = (record: (typeof records)[number]) => `{"id": ${record.id}, "state": "${record.state}", "total": ${record.total}}`

/** A brief record has fields of the original, and the number of the others. */
function expectPartOf(item: unknown, original: unknown): void {
  const { '...': omitted = '0', ...shown } = item as Readonly<Record<string, unknown>>
  const fields = original as Readonly<Record<string, unknown>>
  expect(Object.keys(shown).length + Number.parseInt(String(omitted), 10)).toBe(Object.keys(fields).length)
  for (const [key, value] of Object.entries(shown)) expect(value).toEqual(fields[key])
}

describe('cutRecords', () => {
  it('shows the ends, what differs and what the fields hold, as JSON', () => {
    const text = JSON.stringify(records.slice(0, 151).map(({ id, state }) => ({ id, state })))
    expect(cutRecords(text, 420, handle)).toBe(
      [
        '[',
        '{"id":0,"state":"done"},',
        '"... 149 records omitted ...",',
        '{"id":150,"state":"failed"},',
        '{"records":151,"fields":{"id":"0 to 150, median 75","state":"done x150, failed x1"},"recall":"0123456789ab"}',
        ']',
      ].join('\n'),
    )
  })

  it.each<[name: string, isFailed: boolean, shown: string]>([
    [
      'the record that differs whole',
      true,
      '{"id":"order-150","state":"failed","by":"bo","note":"packed and sent to the customer"}',
    ],
    [
      'the first record if none differs',
      false,
      '{"id":"order-0","state":"done","by":"bo","note":"packed and sent to the customer"}',
    ],
  ])('shows in little room %s before what the fields hold', (_name, isFailed, shown) => {
    const lines = records.map(({ id, state }) => {
      const order = { id: `order-${id}`, state: isFailed ? state : 'done', by: 'bo', note: 'packed and sent to the customer' }
      return JSON.stringify(order)
    })
    const [first, last] = isFailed ? ['{"omitted":150}\n', '{"omitted":149}'] : ['', '{"omitted":299}']
    const summary = '{"records":300,"fields":{"id":"like order-0"},"recall":"0123456789ab"}'
    expect(cutRecords(lines.join('\n'), 225, handle)?.trim()).toBe(`${first}${shown}\n${last}\n${summary}`)
  })

  it('describes names that differ in numbers by the first of them', () => {
    const text = JSON.stringify(records.map(({ id }) => ({ name: `order-${id}`, kind: 'order' })))
    expect(cutRecords(text, 600, handle)).toContain('"fields":{"name":"like order-0","kind":"order x300"}')
  })

  it('keeps the digits of long numbers', () => {
    expect(cutRecords(`[${records.map(written).join(', ')}]`, 800, handle)).toContain(
      '{"id":150,"state":"failed","total":12345678901234567740}',
    )
  })

  it('keeps what is around a list, and shortens long texts in its records', () => {
    const text = JSON.stringify({ ok: true, items: records.map(({ id }) => ({ id, text: 'x'.repeat(3000) })), next: null })
    const cut = JSON.parse(cutRecords(text, 2000, handle) ?? '') as { ok: boolean; items: { text: string }[]; next: null }
    expect([cut.ok, cut.next, cut.items[0]?.text]).toEqual([true, null, `${'x'.repeat(200)}... (2,800 characters more)`])
  })

  it.each([5, 90])('keeps what failed in a list of %i items inside a record, as JSON', (length) => {
    const groups = Array.from({ length: 40 }, (_, group) => ({
      name: `g${group}`,
      items: Array.from({ length }, (__, id) =>
        group === 21 && id === 3 ? { id, ok: false, error: 'disk gone' } : { id, ok: true },
      ),
    }))
    const cut = JSON.parse(cutRecords(JSON.stringify({ groups }, null, 2), 1200, handle) ?? '') as {
      groups: { name?: string; items?: unknown[] }[]
    }
    const kept = cut.groups.find(({ name }) => name === 'g21')
    expect(kept?.items).toContainEqual({ id: 3, ok: false, error: 'disk gone' })
  })

  it('keeps the text around JSON', () => {
    const text = `HTTP/1.1 200 OK\nserver:  x\n\n${JSON.stringify(records.map(({ id, state }) => ({ id, state })))}\n  took 3 ms\n`
    expect(cutRecords(text, 600, handle)).toMatch(/^HTTP\/1.1 200 OK\nserver: {2}x\n\n\[\n\{"id":0,[^]*\n\]\n {2}took 3 ms\n$/)
  })

  it('shows an object of like records as one, with their keys and the number of every gap', () => {
    const map = Object.fromEntries(records.map(({ id, state }) => [`job-${id}`, { state }]))
    const cut = JSON.parse(cutRecords(JSON.stringify({ ok: true, jobs: map }, null, 2), 600, handle) ?? '') as {
      jobs: Record<string, unknown>
    }
    const shown = Object.keys(cut.jobs).filter((key) => key.startsWith('job-'))
    const omitted = Object.entries(cut.jobs).map(([key, value]) => (key.startsWith('... ') ? Number.parseInt(String(value)) : 0))
    expect(cut.jobs['job-150']).toEqual({ state: 'failed' })
    expect(shown.length + omitted.reduce((sum, count) => sum + count, 0)).toBe(300)
    expect(cut.jobs['...']).toEqual({ records: 300, fields: { state: 'done x299, failed x1' }, recall: handle })
  })

  it('shows whole records of a list that is cut off, and the text in a gap', () => {
    const list = JSON.stringify(records.map(({ id, state }) => ({ id, state })))
    const text = `${list.slice(0, 2000)} ... [900 characters truncated] ... ${list.slice(2900, -40)}`
    const cut = cutRecords(text, 700, handle) ?? ''
    expect(cut).toMatch(/^\[\{"id":0,"state":"done"\}\n/)
    expect(cut).toContain('\n{"id":150,"state":"failed"}\n')
    expect(cut).toContain('... [900 characters truncated] ...')
    expect(cut).toMatch(/"recall":"0123456789ab"\}\n,\{"id":298,"s$/)
  })

  it.each<[name: string, text: string, shown: string]>([
    [
      'lines of JSON',
      records.map(({ id, state }) => JSON.stringify({ id, state })).join('\n'),
      '{"omitted":141}\n{"id":150,"state":"failed"}\n{"omitted":141}',
    ],
    [
      'CSV',
      ['id,state,n', ...records.map(({ id, state }) => `${id},${state},1`)].join('\n'),
      '"... 141 rows omitted ...",,\n150,failed,1\n',
    ],
    [
      'columns',
      ['ID  STATE  N', ...records.map(({ id, state }) => `${id}  ${state}  1`)].join('\n'),
      '... 141 rows omitted ...\n150  failed  1\n',
    ],
  ])('counts what is left out of %s in their own form', (_, text, shown) => {
    const cut = cutRecords(text, 900, handle) ?? ''
    expect(cut.replaceAll(/\b1[34]\d\b(?=[} ])/g, '141')).toContain(shown)
    expect(cut).toContain(handle)
  })

  it('names every file and code of records that are many, and counts those that do not fit', () => {
    const found = Array.from({ length: 300 }, (_, index) => ({
      path: `src/module${index % 40}/file.py`,
      code: `E${100 + (index % 12)}`,
      line: index % 9,
      text: 'the other way of writing this is preferred',
    }))
    const names = (room: number, key: 'path' | 'code') => {
      const cut = JSON.parse(cutRecords(JSON.stringify(found), room, handle) ?? '') as { fields: Record<string, string> }[]
      return cut.at(-1)?.fields[key] ?? ''
    }
    expect(names(4000, 'path')).toBe(`40: ${found.slice(0, 40).map(({ path }) => path).join(', ')}`) // biome-ignore format: one line
    expect(names(1500, 'code')).toBe(`12: ${found.slice(0, 12).map(({ code }) => code).join(', ')}`) // biome-ignore format: one line
    expect(names(1500, 'path')).toMatch(/^40: src\/module0\/file\.py, .* and \d+ more$/)
  })

  it('shows of a long record what differs and what it is called', () => {
    const runs = Array.from({ length: 30 }, (_, index) => ({
      meta: Object.fromEntries(Array.from({ length: 40 }, (__, field) => [`field${field}`, `value ${field} of the run`])),
      name: `run ${index}`,
      status: index === 17 ? 'failed' : 'passed',
    }))
    const cut = JSON.parse(cutRecords(JSON.stringify(runs), 1500, handle) ?? '') as Record<string, unknown>[]
    expect(cut).toContainEqual(expect.objectContaining({ name: 'run 17', status: 'failed' }))
  })

  it('keeps a failure beside the list, however much is there', () => {
    const rules = Array.from({ length: 40 }, (_, index) => ({ id: `rule${index}`, help: 'text '.repeat(50) }))
    const text = JSON.stringify({ list: records.map(({ id, state }) => ({ id, state })), rules, errors: [{ message: 'Error: shard 7 is gone' }] }) // biome-ignore format: one line
    const cut = cutRecords(text, 1500, handle) ?? ''
    expect(cut).toContain('Error: shard 7 is gone')
    expect(Object.keys(JSON.parse(cut))).toEqual(['list', 'rules', 'errors'])
  })

  it('keeps a line between lines of JSON that is none', () => {
    const lines = records.map(({ id, state }) => JSON.stringify({ id, state }))
    lines.splice(200, 0, 'listening on port 8080', '{"id": 7, "sta')
    const cut = cutRecords(lines.join('\n'), 900, handle) ?? ''
    expect(cut).toContain('\nlistening on port 8080\n{"id": 7, "sta\n{"omitted":')
    const omitted = [...cut.matchAll(/\{"omitted":(\d+)\}/g)].reduce((sum, [, count]) => sum + Number(count), 0)
    expect(omitted + cut.split('\n').filter((line) => !/omitted|records/.test(line) && line !== '').length).toBe(302)
  })

  it('keeps a value that differs in a log of names and values, and a line among rows that is none', () => {
    const log = records.map(({ id }) => `time=10:00 msg="order paid" status=${id === 150 ? 502 : 200} id=o${id}`)
    expect(cutRecords(log.join('\n'), 900, handle)).toContain('\ntime=10:00 msg="order paid" status=502 id=o150\n')
    const rows = records.map(({ id }) => `ok\texample.com/shop/p${id}\t0.1s`)
    const reasons = Array.from({ length: 12 }, (_, index) => `    cart_test.go:${index + 9}: got ${index}, want 9`)
    for (const [index, reason] of reasons.entries()) rows.splice(20 + index * 20, 0, reason)
    const cut = cutRecords(rows.join('\n'), 2500, handle) ?? ''
    expect(reasons.filter((reason) => !cut.includes(reason))).toEqual([])
  })

  it('shows records or their fields in order, counts all others and keeps to the room, whatever the records', () => {
    const field = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.constant(null),
    )
    const record = fc.record({ a: field, b: field, c: fc.constantFrom('x', 'y', 'error') }, { requiredKeys: ['a'] })
    const lists = fc.tuple(
      fc.array(record, { minLength: 30, maxLength: 80 }),
      fc.integer({ min: 300, max: 1500 }),
      fc.constantFrom(undefined, 2),
    )
    let cuts = 0
    fc.assert(
      fc.property(lists, ([list, room, indent]) => {
        const cut = cutRecords(JSON.stringify(list, null, indent), room, handle)
        if (cut === null) return
        cuts += 1
        expect(cut.length).toBeLessThanOrEqual(room)
        const items = (JSON.parse(cut) as unknown[]).slice(0, -1)
        let at = 0
        for (const item of items) {
          const omitted = typeof item === 'string' ? Number(/^\.\.\. (\d+) records omitted \.\.\.$/.exec(item)?.[1]) : 0
          if (omitted > 0) at += omitted
          else expectPartOf(item, JSON.parse(JSON.stringify(list[at++])))
        }
        expect(at).toBe(list.length)
      }),
      { seed: 22, numRuns: 60 },
    )
    expect(cuts).toBeGreaterThan(20)
  })

  it('shows rows and blocks as they are and counts all others, whatever their number', () => {
    const forms: readonly (readonly [between: string, heading: string, one: (id: number, state: string) => string])[] = [
      ['\n', 'id,state,n\n', (id, state) => `${id},${state},1`],
      ['\n', 'ID  STATE  N\n', (id, state) => `${id}  ${state}  1`],
      ['\n\n', '', (id, state) => `   id = ${id}\nstate = ${state}`],
    ]
    let cuts = 0
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 200 }), fc.nat(59), fc.integer({ min: 300, max: 900 }), (count, failed, room) => {
        for (const [between, heading, one] of forms) {
          const all = Array.from({ length: count }, (_, index) => one(index, index === failed ? 'failed' : 'done'))
          const cut = cutRecords(heading + all.join(between), room, handle)
          if (cut === null) continue
          cuts += 1
          expect(cut.length).toBeLessThanOrEqual(room)
          const pieces = cut.slice(heading.length).split(between)
          const shown = pieces.filter((piece) => all.includes(piece.trimEnd()))
          const omitted = pieces.map((piece) => Number(/^"?\.\.\. ([\d,]+) (?:rows|records) omitted/.exec(piece)?.[1] ?? 0))
          expect(shown.length + omitted.reduce((sum, one) => sum + one, 0)).toBe(count)
          expect(shown).toContain(all[failed])
        }
      }),
      { seed: 9, numRuns: 40 },
    )
    expect(cuts).toBeGreaterThan(60)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRecords } from './read-records.ts'

const rows = Array.from({ length: 8 }, (_, index) => ({ id: index, tags: { region: 'eu' }, parts: [1, 2] }))
const json = JSON.stringify(rows)
const map = Object.fromEntries(rows.map((row) => [`svc-${row.id}`, row]))
const csv = ['id,name,total', ...rows.map(({ id }) => `${id},"a, b",${id}.5`)].join('\n')

describe('readRecords', () => {
  it.each<[name: string, text: string, form: string, count: number]>([
    ['a list', json, 'json', 8],
    ['an indented list', JSON.stringify(rows, null, 2), 'json', 8],
    ['a list under a key', JSON.stringify({ ok: true, page: { items: rows } }), 'json', 8],
    ['a list after brackets in a string', JSON.stringify({ note: '[{"a":1}] \\" {', items: rows }), 'json', 8],
    [
      'a list below headers and above an exit code',
      `HTTP/1.1 200 OK\ndate: [today]\n\n${JSON.stringify(rows, null, 2)}\n[exit code 0]\n(done)`,
      'json',
      8,
    ],
    ['lines of JSON', rows.map((row) => JSON.stringify(row)).join('\n'), 'lines', 8],
    [
      'lines of JSON with half a last one',
      `${[...rows, ...rows].map((row) => JSON.stringify(row)).join('\n')}\n{"id":8,"ta`,
      'lines',
      16,
    ],
    [
      'lines of JSON with another line between them',
      [...rows, 'listening on 8080', ...rows].map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n'),
      'lines',
      17,
    ],
    [
      'a log of names and values',
      Array.from({ length: 20 }, (_, index) => `time=10:00 level=info msg="order ${index} paid" ms=${index}`).join('\n'),
      'rows',
      20,
    ],
    ['an object of like records', JSON.stringify(map), 'map', 8],
    ['an indented object of like records under a key', JSON.stringify({ ok: true, services: map }, null, 2), 'map', 8],
    ['a list in which one item is no object', JSON.stringify([...rows, ...rows, 'error: gone']), 'json', 17],
    ['a long list of texts', JSON.stringify(Array.from({ length: 20 }, (_, index) => `line ${index}`)), 'json', 20],
    ['a list that is cut off', json.slice(0, -9), 'broken', 7],
    ['an indented list that is cut off', JSON.stringify({ items: rows }, null, 2).slice(0, -99), 'broken', 7],
    ['an object of records that is cut off', JSON.stringify(map).slice(0, -9), 'broken', 7],
    [
      'a list with a gap, which counts as one',
      `${JSON.stringify([...rows, ...rows]).slice(0, 300)}\n\n... [900 characters truncated] ...\n\n${json.slice(30)}`,
      'broken',
      14,
    ],
    ['a long object of texts', JSON.stringify({ ...Array.from({ length: 20 }, () => 'ok') }), 'map', 20],
    ['CSV with quoted commas', csv, 'rows', 8],
    ['many rows without a heading', Array.from({ length: 20 }, (_, index) => `${index},ok,${index}.5`).join('\n'), 'rows', 20],
    [
      'a table below a title and a rule',
      ['# Report', '', '| Name | Lines | State |', '|---|---:|---|', ...rows.map(({ id }) => `| a${id} | ${id} | ok |`)].join(
        '\n',
      ),
      'rows',
      9,
    ],
    [
      'a table with lines',
      ['┌───┬───┬───┐', '│ a │ b │ c │', ...rows.map(({ id }) => `│ ${id} │ x │ y │`)].join('\n'),
      'rows',
      8,
    ],
    [
      'columns that one blank separates',
      ['USER  PID %CPU STAT COMMAND', ...rows.map(({ id }) => `root  ${id} 0.0 S  [job ${id}] of many`)].join('\n'),
      'rows',
      8,
    ],
    ['a field to a line', rows.map(({ id }) => `   id = ${id}\nstate = ready`).join('\n\n'), 'blocks', 8],
    ['columns', ['NAME  READY  AGE', ...rows.map(({ id }) => `pod-${id}  1/1  ${id}d`)].join('\n'), 'rows', 8],
  ])('finds the records of %s', (_, text, form, count) => {
    const list = readRecords(text)
    expect([list?.form, list?.records.length]).toEqual([form, count])
  })

  it.each<[name: string, text: string]>([
    ['prose', 'one, two\nthree\nfour, five, six\n'.repeat(9)],
    ['too few records', JSON.stringify(rows.slice(0, 5))],
    ['a list of numbers', JSON.stringify(rows.map(({ id }) => id))],
    ['JSON of which no object ends', json.replaceAll('}', ')')],
    ['an object of unlike parts', JSON.stringify({ ...[{ a: 1 }, { b: 1 }, { c: 1 }, { d: 1 }, { e: 1 }, { f: 1 }] })],
    ['an object with one large part', JSON.stringify({ ...map, 'svc-9': { id: 'x'.repeat(5000) } })],
    ['a list that is a small part of its text', JSON.stringify({ items: rows, text: 'x'.repeat(5000) })],
    ['brackets without end', '['.repeat(100_000)],
    ['rows of uneven length', 'a,b,c\n1\n1,2\n1,2,3\n1\n1\n1\n1\n'],
    ['few rows without a heading', Array.from({ length: 19 }, (_, index) => `${index},ok,${index}.5`).join('\n')],
    ['paragraphs', 'First: a line.\nAnd another one, which says more.\n\n'.repeat(9)],
    ['source code', 'const a = f(b, c, d)\n'.repeat(3).concat('x\n'.repeat(9))],
  ])('finds none in %s', (_, text) => {
    expect(readRecords(text)).toBeNull()
  })

  it('gives the different values of the items of a list inside a record, but no numbers of it', () => {
    const checks = [{ name: 'a', ok: true, ms: 3 }, { name: 'b', ok: true, ms: 9 }, 'text', 7] // biome-ignore format: a row
    const list = readRecords(JSON.stringify(rows.map(({ id }) => ({ id, checks }))))
    expect([...(list?.records[3]?.fields ?? [])]).toEqual([
      ['id', 3],
      ['checks.length', 4],
      ['checks[].name', 'a\nb'],
      ['checks[].ok', 'true'],
      ['checks[].ms', 3],
      ['checks[]', 'text'],
    ])
  })

  it('starts an entry of an object with its key, and names the cells of a list without names by their places', () => {
    const text = JSON.stringify(map, null, 2)
    const { start, end, fields } = readRecords(text)?.records[3] ?? { start: 0, end: 0, fields: new Map() }
    expect(JSON.parse(`{${text.slice(start, end)}}`)).toEqual({ 'svc-3': rows[3] })
    expect(fields.get('tags.region')).toBe('eu')
    const cells = readRecords(JSON.stringify(Array.from({ length: 20 }, (_, index) => [index, 'ok'])))?.records[3]?.fields
    expect([...(cells ?? [])]).toEqual([['0', 3], ['1', 'ok']]) // biome-ignore format: a row
  })

  it('names fields by their path, and counts the items of a list', () => {
    expect([...(readRecords(json)?.records[3]?.fields ?? [])]).toEqual([['id', 3], ['tags.region', 'eu'], ['parts.length', 2]]) // biome-ignore format: a row
  })

  it('reads a number with its unit as a number', () => {
    const text = ['name  size  time', ...rows.map(({ id }) => `a${id}  ${id}.5 kB  ${id}ms`)].join('\n')
    expect([...(readRecords(text)?.records[3]?.fields ?? [])]).toEqual([['name', 'a3'], ['size', 3.5], ['size unit', 'kB'], ['time', 3], ['time unit', 'ms']]) // biome-ignore format: a row
  })

  it('gives back each record of a list as it was written, in order, whatever the form', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    const record = fc.record({ name: word, count: fc.integer({ min: -99, max: 9999 }), state: fc.constantFrom('ok', 'late') })
    type One = { readonly name: string; readonly count: number; readonly state: string }
    const forms: readonly (readonly [form: string, write: (list: readonly One[]) => string, one: (record: One) => string])[] = [
      ['json', (list) => JSON.stringify({ page: 1, list }), (one) => JSON.stringify(one)],
      ['map', (list) => JSON.stringify(Object.fromEntries(list.map((one, index) => [`k${index}`, one]))), (one) => JSON.stringify(one)],
      ['lines', (list) => list.map((one) => JSON.stringify(one)).join('\n'), (one) => JSON.stringify(one)],
      ['rows', (list) => ['name,count,state', ...list.map((one) => Object.values(one).join(','))].join('\r\n'), (one) => Object.values(one).join(',')],
      ['rows', (list) => ['name  count  state', ...list.map((one) => Object.values(one).join('  '))].join('\n'), (one) => Object.values(one).join('  ')],
      ['blocks', (list) => list.map((one) => `name: ${one.name}\ncount: ${one.count}\nstate: ${one.state}`).join('\n\n'), (one) => `name: ${one.name}\ncount: ${one.count}\nstate: ${one.state}`],
    ] // biome-ignore format: a table
    fc.assert(
      fc.property(fc.array(record, { minLength: 6, maxLength: 40 }), (list) => {
        for (const [form, write, one] of forms) {
          const text = write(list)
          const read = readRecords(text)
          expect(read?.form).toBe(form)
          const written = read?.records.map(({ start, end }) => text.slice(start, end).replace(/^"k\d+":/, ''))
          expect(written).toEqual(list.map(one))
          expect(read?.records.map(({ fields }) => fields.get('count'))).toEqual(list.map(({ count }) => count))
        }
      }),
      { seed: 8, numRuns: 40 },
    )
  })
})

import { describe, expect, it } from 'vitest'
import { sourceOfMessages } from './recall-tool.ts'
import { recordMatches } from './record-matches.ts'

const source = sourceOfMessages([])
const orders = Array.from({ length: 40 }, (_, index) => ({
  id: `ord-${index}`,
  state: index === 17 ? 'failed' : 'done',
  ...(index === 23 ? { note: 'by hand' } : {}),
}))
const found = (pattern: string, text: string) => recordMatches(pattern, text, source)?.matches

describe('recordMatches', () => {
  it.each<[by: string, pattern: string, line: number, record: object | undefined]>([
    ['a value', 'failed', 70, orders[17]],
    ['a key', 'note', 94, orders[23]],
    ['a key and its value, as a cut writes them', '"id":"ord-31"', 127, orders[31]],
  ])('finds the record with %s in indented JSON, at the line where it starts', (_, pattern, line, record) => {
    expect(found(pattern, JSON.stringify(orders, null, 2))).toEqual([{ line, text: JSON.stringify(record) }])
  })

  it('finds records in a JSON text of one line, also under a key', () => {
    expect(
      found('ord-3', JSON.stringify({ ok: true, orders }))?.map(({ text }) => (JSON.parse(text) as { id: string }).id),
    ).toEqual(orders.filter(({ id }) => id.startsWith('ord-3')).map(({ id }) => id))
  })

  it('finds records in an object by their keys, and in a list that is cut off', () => {
    const map = Object.fromEntries(orders.map(({ id, ...order }) => [id, order]))
    expect(found('ord-23"', JSON.stringify(map, null, 2))).toEqual([
      { line: 71, text: '"ord-23":{"state":"done","note":"by hand"}' },
    ])
    expect(found('failed', JSON.stringify(orders).slice(0, -60))).toEqual([{ line: 1, text: JSON.stringify(orders[17]) }])
  })

  it.each([
    ['nothing matches', 'absent', JSON.stringify(orders)],
    ['the text is no list', 'failed', 'one failed\n'.repeat(20)],
    ['no object of the JSON ends', 'failed', JSON.stringify(orders).replaceAll('}', ')')],
  ])('leaves it to the lines if %s', (_, pattern, text) => {
    expect(recordMatches(pattern, text, source)).toBeNull()
  })
})

import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { detached } from './lines.ts'

it.each(['', 'a', '😀', 'a longer text, which an engine would keep as a slice'])('detached returns the same text: %j', (text) => {
  expect(detached(text)).toBe(text)
})

it('results do not keep the megabytes they were made from in memory', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--no-warnings', '--input-type=module', '--eval', measurement],
    { encoding: 'utf8' },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const megabytes = JSON.parse(stdout) as Record<string, number>
  expect(Object.keys(megabytes)).toHaveLength(9)
  // A leak would be 30 MB each time. The engine may remember the last text a pattern was tried on.
  expect(Object.entries(megabytes).filter(([, held]) => held >= 10)).toEqual([])
})

/** Prints how many megabytes ten results of each kind keep in use. A separate process, so that nothing else is counted. */
const measurement = `
import { filterBinaryText, filterBinaryValue } from '${new URL('../binary/filter.ts', import.meta.url).href}'
import { modelStrings as strings } from '${new URL('../strings/specification.ts', import.meta.url).href}'
import { truncate } from '${new URL('../cut/truncate.ts', import.meta.url).href}'

const lines = (line) => (line + '\\n').repeat(Math.ceil(3_000_000 / (line.length + 1)))
const log = (index) => lines('row of log ' + index)
const picture = (index) => 'data:image/png;base64,' + (index + 'iVBORw0KGgo').repeat(230_000)
const sentence = 'a sentence beside the picture'
const cut = (text, limit) =>
  truncate(text, { maxChars: 1000, maxLines: null, by: 'cap', strategy: 'head_tail', strings, ...limit }).text

const kinds = {
  'head and tail': (index) => cut(log(index), {}),
  'head alone, by characters': (index) => cut(log(index), { maxChars: 100 }),
  'head alone, by lines': (index) => cut(log(index), { maxLines: 1 }),
  'head without a marker': (index) =>
    cut(log(index), { strategy: 'head_only', strings: { ...strings, cutByCap: () => '' } }),
  'matches': (index) => cut(lines('a.ts:' + index + ': found it'), { maxLines: 10, matches: true }),
  'lines collapsed': (index) => cut(log(index), { strategy: 'collapse' }),
  'a picture at the end': (index) => filterBinaryText(sentence + ' ' + picture(index), strings),
  'a picture in front': (index) => filterBinaryText(picture(index) + ' ' + sentence, strings),
  'a picture in a field': (index) => filterBinaryValue({ output: picture(index) + ' ' + sentence }, strings),
}

const inUse = () => {
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_000_000
}
const held = {}
for (const [name, make] of Object.entries(kinds)) {
  const before = inUse()
  const results = Array.from({ length: 10 }, (_, index) => make(index + 10))
  held[name] = inUse() - before
  if (JSON.stringify(results).length > 20_000) throw new Error('not cut: ' + name)
}
console.log(JSON.stringify(held))
`

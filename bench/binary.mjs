import { filterBinary } from '../packages/core/dist/policies.js'

const megabyte = 1024 * 1024
const rounds = 21

/** How long the binary filter takes on one result of a megabyte that it has never seen. */
export async function binaryBench() {
  const picture = Buffer.from(
    Uint8Array.from({ length: (megabyte / 4) * 3 }, (_, index) => (index * index * 31 + (index >> 3)) & 255),
  ).toString('base64')
  const line = '2025-01-22T10:11:12.131Z INFO  worker-7 request finished status=200 path=/api/items/42 took=13ms\n'
  const cases = [
    ['filter 1 MB of base64, as the text of a result', picture, true],
    [
      'filter 1 MB of base64, as a field of a JSON result',
      JSON.stringify([{ success: true, metadata: { imageBase64: picture } }]),
      true,
    ],
    [
      'filter 1 MB of base64, as a JSON field of another name',
      JSON.stringify([{ success: true, metadata: { scan: picture } }]),
      true,
    ],
    ['filter 1 MB of base64, a picture inside Markdown', `# Plot\n![plot](data:image/png;base64,${picture})\n`, true],
    ['pass 1 MB of ordinary log text', line.repeat(Math.ceil(megabyte / line.length)), false],
    [
      'pass 1 MB of ordinary JSON',
      JSON.stringify(
        Array.from({ length: 12_000 }, (_, id) => ({ id, name: `item ${id}`, tags: ['a', 'b'], note: 'some ordinary words' })),
      ),
      false,
    ],
  ]
  return cases.map(([name, text, filtered]) => ({ name, value: median(text, filtered), unit: 'ms', bound: '< 10 ms' }))
}

function median(text, filtered) {
  const times = Array.from({ length: rounds }, (_, round) => {
    // A new part each time: filtering remembers the parts it has seen.
    const part = { type: 'tool-result', callId: 'call', tool: null, content: { type: 'text', text } }
    const messages = [{ id: String(round), role: 'tool', parts: [part] }]
    const start = performance.now()
    const edits = filterBinary.plan(messages, {})
    const time = performance.now() - start
    if (edits.length !== (filtered ? 1 : 0)) throw new Error(`expected ${filtered ? 'one edit' : 'no edit'}, got ${edits.length}`)
    return time
  })
  return times.sort((a, b) => a - b)[rounds >> 1]
}

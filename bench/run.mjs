// Peers and measurements: `npm run bench`, or `npm run bench -- --json FILE` to keep the rows.
import { writeFileSync } from 'node:fs'
import v8 from 'node:v8'
import vm from 'node:vm'
import { binaryBench } from './binary.mjs'
import { printTable, verdictOf } from './table.mjs'
import { tokensBench } from './tokens.mjs'
import { truncationBench } from './truncation.mjs'
import { coldBench, curveBench, oneMessageBench, onePairBench, unchangedBench } from './views.mjs'

const topics = [
  ['cold', '1,000 messages, 200,000 tokens, never seen before; median', coldBench],
  ['one-message', 'One message added since the last call, at 1,000 messages; median', oneMessageBench],
  ['one-pair', 'A call and its result added since the last call, at 1,000 messages; median', onePairBench],
  ['unchanged', 'Nothing added, in a new list; median', unchangedBench],
  ['curve', 'From 10,000 to 1,000,000 tokens; median of buildView', curveBench],
  ['binary', 'Filtering binary data', binaryBench],
  ['truncation', 'Truncating long output', truncationBench],
  ['tokens', 'Counting tokens', tokensBench],
]

const { json, only } = readArguments(process.argv.slice(2))
// Memory is measured after a collection; the flag is set here so that plain `node` is enough.
v8.setFlagsFromString('--expose_gc')
globalThis.gc = vm.runInNewContext('gc')

console.log(`Node ${process.version}. Tokens are length/4 wherever the engine is timed; competitors take turns in one process.`)
const all = []
for (const [topic, title, bench] of topics) {
  if (only !== null && only !== topic) continue
  process.stderr.write(`measuring ${topic} …\n`)
  globalThis.gc()
  const rows = await bench()
  printTable(title, rows)
  all.push(...rows.map((row) => ({ topic, ...row, verdict: verdictOf(row) })))
}
const missed = all.filter(({ verdict }) => verdict === 'missed')
console.log(`\n${all.filter(({ verdict }) => verdict === 'met').length} targets met, ${missed.length} missed.`)
if (json !== null) writeFileSync(json, `${JSON.stringify(all, null, 2)}\n`)

function readArguments(words) {
  const options = { json: null, only: null }
  for (let index = 0; index < words.length; index += 2) {
    const name = words[index].replace(/^--/, '')
    if (!Object.hasOwn(options, name) || words[index + 1] === undefined) {
      throw new Error(
        `bench: expected --json FILE or --only TOPIC (${topics.map(([topic]) => topic).join(', ')}), got ${words.slice(index).join(' ')}`,
      )
    }
    options[name] = words[index + 1]
  }
  return options
}

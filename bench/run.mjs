// Peers and measurements: `npm run bench`. With `-- --json FILE` the rows are kept, with `-- --markdown FILE` a page is written.
import { writeFileSync } from 'node:fs'
import v8 from 'node:v8'
import vm from 'node:vm'
import { agentBench } from './agent.mjs'
import { binaryBench } from './binary.mjs'
import { coldBench } from './cold-views.mjs'
import { compactionBench } from './compaction.mjs'
import { economicsBench } from './economics.mjs'
import { gatewayBench } from './gateway.mjs'
import { oneMessageBench, onePairBench, unchangedBench } from './incremental-views.mjs'
import { createPage } from './page.mjs'
import { sessionsBench } from './sessions.mjs'
import { printTable, verdictOf } from './table.mjs'
import { tokensBench } from './tokens.mjs'
import { truncationBench } from './truncation.mjs'
import { curveBench } from './view-curve.mjs'
import { webBench } from './web.mjs'

// Parts of the engine come first: after the views have run, the compiled code is slower on the first megabyte.
const topics = [
  ['binary', 'Filtering binary data', binaryBench],
  ['truncation', 'Truncating long output', truncationBench],
  ['tokens', 'Counting tokens', tokensBench],
  ['cold', '1,000 messages, 200,000 tokens, never seen before; median', coldBench],
  ['one-message', 'One message added since the last call, at 1,000 messages; median', oneMessageBench],
  ['one-pair', 'A call and its result added since the last call, at 1,000 messages; median', onePairBench],
  ['unchanged', 'Nothing added, in a new list; median', unchangedBench],
  ['compaction', 'Compaction without a model: 1,000 messages, 200,000 tokens', compactionBench],
  ['sessions', 'Sessions on disk', sessionsBench],
  ['agent', 'The agent', agentBench],
  ['curve', 'From 10,000 to 1,000,000 tokens; median of buildView', curveBench],
  ['web', 'The web app, in a real Chromium', webBench],
  ['gateway', 'The gateway, on loopback, next to a bare pass-through of the same parts and Portkey', gatewayBench],
  ['economics', 'The effect of trimming on the bill of complete sessions', economicsBench],
]

const { json, markdown, only } = readArguments(process.argv.slice(2))
// Memory is measured after a collection; the flag is set here so that plain `node` is enough.
v8.setFlagsFromString('--expose_gc')
globalThis.gc = vm.runInNewContext('gc')

console.log(
  `Node ${process.version}. Tokens are length/4 wherever the engine is timed; peers take turns with buildView in one process.`,
)
const all = []
const tables = []
for (const [topic, title, bench] of topics) {
  if (only !== null && only !== topic) continue
  process.stderr.write(`measuring ${topic} …\n`)
  globalThis.gc()
  const measured = await bench()
  const table = Array.isArray(measured) ? { rows: measured } : measured
  const { rows } = table
  printTable(title, table)
  tables.push([title, table])
  all.push(...rows.map((row) => ({ topic, ...row, verdict: verdictOf(row) })))
}
const missed = all.filter(({ verdict }) => verdict === 'missed')
console.log(`\n${all.filter(({ verdict }) => verdict === 'met').length} targets met, ${missed.length} missed.`)
if (json !== null) writeFileSync(json, `${JSON.stringify(all, null, 2)}\n`)
if (markdown !== null) writeFileSync(markdown, createPage(tables))

function readArguments(words) {
  const options = { json: null, markdown: null, only: null }
  for (let index = 0; index < words.length; index += 2) {
    const name = words[index].replace(/^--/, '')
    const value = words[index + 1]
    const unknown = name === 'only' && !topics.some(([topic]) => topic === value)
    if (!Object.hasOwn(options, name) || value === undefined || unknown) {
      const known = topics.map(([topic]) => topic).join(', ')
      console.error(
        `bench: expected --json FILE, --markdown FILE or --only TOPIC (${known}), got ${words.slice(index).join(' ')}`,
      )
      process.exit(2)
    }
    options[name] = value
  }
  return options
}

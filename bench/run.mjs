// Peers and measurements: `npm run bench`. With `-- --json FILE` the rows are kept, with `-- --markdown FILE` a page is written; topics
// that were not measured keep their part of it.
// `-- --native` installs peers in other languages and runs only those. `-- --megabytes N` reads less than a gigabyte of logs for the overview and the web app.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import v8 from 'node:v8'
import vm from 'node:vm'
import { createPage } from './page.mjs'
import { printTable, verdictOf } from './table.mjs'

// Each topic is loaded when its turn comes: what one of them imports may be missing without stopping the others.
// Parts of the engine come first: after the views have run, the compiled code is slower on the first megabyte.
const topics = [
  ['binary', 'Filtering binary data', () => import('./binary.mjs').then(({ binaryBench }) => binaryBench())],
  ['truncation', 'Truncating long output', () => import('./truncation.mjs').then(({ truncationBench }) => truncationBench())],
  [
    'keeping',
    'What stays when output is cut: tokens and the share of what must be kept',
    () => import('./keeping.mjs').then(({ keepingBench }) => keepingBench()),
  ],
  ['tokens', 'Counting tokens', () => import('./tokens.mjs').then(({ tokensBench }) => tokensBench())],
  [
    'cold',
    '1,000 messages, 200,000 tokens, never seen before; median',
    () => import('./cold-views.mjs').then(({ coldBench }) => coldBench()),
  ],
  [
    'one-message',
    'One message added since the last call, at 1,000 messages; median',
    () => import('./incremental-views.mjs').then(({ oneMessageBench }) => oneMessageBench()),
  ],
  [
    'one-pair',
    'A call and its result added since the last call, at 1,000 messages; median',
    () => import('./incremental-views.mjs').then(({ onePairBench }) => onePairBench()),
  ],
  [
    'unchanged',
    'Nothing added, in a new list; median',
    () => import('./incremental-views.mjs').then(({ unchangedBench }) => unchangedBench()),
  ],
  [
    'compaction',
    'Compaction without a model: 1,000 messages, 200,000 tokens',
    () => import('./compaction.mjs').then(({ compactionBench }) => compactionBench()),
  ],
  [
    'overview',
    'The overview of the logs on a machine',
    (options) => import('./overview.mjs').then(({ overviewBench }) => overviewBench(options)),
  ],
  [
    'start',
    'Starting a command, processor time over an empty Node; median',
    () => import('./start.mjs').then(({ startBench }) => startBench()),
  ],
  ['install', 'Installing', () => import('./install.mjs').then(({ installBench }) => installBench())],
  ['sessions', 'Sessions on disk', () => import('./sessions.mjs').then(({ sessionsBench }) => sessionsBench())],
  ['agent', 'The agent', () => import('./agent.mjs').then(({ agentBench }) => agentBench())],
  [
    'curve',
    'From 10,000 to 1,000,000 tokens; median of buildView',
    () => import('./view-curve.mjs').then(({ curveBench }) => curveBench()),
  ],
  [
    'growth',
    'From n to 16n: no policy may grow faster than n log n',
    () => import('./growth.mjs').then(({ growthBench }) => growthBench()),
  ],
  ['replay', 'Replaying sessions, on all cores', () => import('./replay.mjs').then(({ replayBench }) => replayBench())],
  ['web', 'The web app, in a real Chromium', (options) => import('./web.mjs').then(({ webBench }) => webBench(options))],
  [
    'gateway',
    'The gateway, on loopback, next to a bare pass-through of the same parts and Portkey',
    () => import('./gateway.mjs').then(({ gatewayBench }) => gatewayBench()),
  ],
  [
    'costs',
    'Tokens and cost of recorded logs, against ccusage',
    () => import('./costs.mjs').then(({ costsBench }) => costsBench()),
  ],
  [
    'economics',
    'The effect of trimming on the bill of complete sessions',
    () => import('./economics.mjs').then(({ economicsBench }) => economicsBench()),
  ],
]

/** Not part of a run without `--native`: installing them takes minutes and needs Python, Go and Rust. */
const nativeTopic = ['native', 'Peers in other languages', () => import('./native.mjs').then(({ nativeBench }) => nativeBench())]

const { json, markdown, only, megabytes, native } = readArguments(process.argv.slice(2))
// Memory is measured after a collection; the flag is set here so that plain `node` is enough.
v8.setFlagsFromString('--expose_gc')
globalThis.gc = vm.runInNewContext('gc')

console.log(
  `Node ${process.version}. Tokens are length/4 wherever the engine is timed; peers take turns with buildView in one process.`,
)
const all = []
const tables = []
for (const [topic, title, bench] of native ? [nativeTopic] : topics) {
  if (only !== null && !only.includes(topic)) continue
  process.stderr.write(`measuring ${topic} …\n`)
  globalThis.gc()
  const measured = await bench(megabytes === null ? {} : { megabytes: Number(megabytes) })
  const table = Array.isArray(measured) ? { rows: measured } : measured
  const { rows } = table
  printTable(title, table)
  tables.push([title, table])
  all.push(...rows.map((row) => ({ topic, ...row, verdict: verdictOf(row) })))
}
const missed = all.filter(({ verdict }) => verdict === 'missed')
console.log(`\n${all.filter(({ verdict }) => verdict === 'met').length} targets met, ${missed.length} missed.`)
if (json !== null) writeFileSync(json, `${JSON.stringify(all, null, 2)}\n`)
if (markdown !== null) {
  const before = existsSync(markdown) ? readFileSync(markdown, 'utf8') : ''
  const titles = topics.map(([, title]) => title)
  writeFileSync(markdown, createPage(tables, titles, before))
}

function readArguments(words) {
  const options = { json: null, markdown: null, only: null, megabytes: null, native: words.includes('--native') }
  const pairs = words.filter((word) => word !== '--native')
  for (let index = 0; index < pairs.length; index += 2) {
    const name = pairs[index].replace(/^--/, '')
    const value = pairs[index + 1]
    const chosen = name === 'only' ? value?.split(',') : value
    const unknown = name === 'only' && chosen?.some((one) => !topics.some(([topic]) => topic === one))
    if (!Object.hasOwn(options, name) || value === undefined || unknown) {
      const known = topics.map(([topic]) => topic).join(', ')
      console.error(
        `bench: expected --json FILE, --markdown FILE, --megabytes N, --native or --only TOPIC,… (${known}), got ${pairs.slice(index).join(' ')}`,
      )
      process.exit(2)
    }
    options[name] = chosen
  }
  return options
}

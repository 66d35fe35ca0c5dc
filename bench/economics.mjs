import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readLog } from '../packages/node/dist/logs/read-log.js'
import { readLogs } from '../packages/node/dist/logs/read-logs.js'
import { createO200kTokenizer } from '../packages/node/dist/model/tokens.js'
import { priceRows } from '../packages/node/dist/replay/bill/price-rows.js'
import { collectJobs } from '../packages/node/dist/replay/collect-jobs.js'
import { findNeeds } from '../packages/node/dist/replay/needs/find-needs.js'
import { policySets } from '../packages/node/dist/replay/policy-sets.js'
import { recordSession } from '../packages/node/dist/replay/record-session.js'
import { replaySession } from '../packages/node/dist/replay/replay-session.js'
import { summariseRuns } from '../packages/node/dist/replay/summarise-runs.js'
import { createConversation } from './conversation.mjs'

const sharedSessions = fileURLToPath(new URL('../../shared/sessions', import.meta.url))
const example = fileURLToPath(new URL('../packages/node/example/conversation.json', import.meta.url))
const ours = ['raw', 'spec-immediate', 'spec', 'economy', 'oracle']
const rows = priceRows.filter(({ name }) => ['r.10', 'r.05', 'r.025'].includes(name))
/** Shorter sessions say little about trimming, and more sessions would take hours. */
const minRequests = 100
const maxSessions = 8

/** The bills of complete sessions with peers and with Plimsoll, all by the same harness. */
export async function economicsBench() {
  // Imported late, because the peers' dependencies would slow down every other measurement.
  const { economicPeers } = await import('./economic-peers.mjs')
  const tokens = await createO200kTokenizer()
  const runs = new Map()
  const refused = new Map()
  let sessions = 0
  let requests = 0
  const kind = existsSync(sharedSessions) ? 'recorded' : 'generated'
  for await (const { read, name, format, common } of kind === 'recorded' ? recordedSessions() : generatedSessions()) {
    const session = recordSession(read, { name, format, tokens })
    const needs = findNeeds(session, { common: new Set(common) })
    process.stderr.write(`  ${name}: ${session.steps.length} requests\n`)
    sessions += 1
    requests += session.steps.length
    const sets = [...policySets.filter((set) => ours.includes(set.name)), ...(await peerSets(economicPeers, session, refused))]
    for (const set of sets) {
      const run = replaySession({ session, needs, set, rows, tokens, isCalibrated: false })
      runs.set(set.name, [...(runs.get(set.name) ?? []), run])
    }
  }
  const { policySets: summaries } = summariseRuns({
    runs,
    rows,
    configuration: '',
    pricesFrom: '',
    assumption: '',
    unreadable: [],
  })
  return {
    note: `${sessions} ${kind} sessions, ${requests} requests. Bill and effective bill (every need not in view paid for) against raw.`,
    columns,
    rows: summaries.map(({ name, prices, retention }) => ({
      name: refused.has(name) ? `${name} (${refused.get(name)} requests refused)` : name,
      prices,
      retention,
    })),
  }
}

const columns = [
  ...rows.map(({ name }, index) => [`bill ${name}`, ({ prices }) => percent(prices[index].change)]),
  ...rows.map(({ name }, index) => [`effective ${name}`, ({ prices }) => percent(prices[index].effectiveChange)]),
  ['effective r.05, a need at 5 recalls', ({ prices }) => percent(prices[1].sensitivity['5'])],
  ['worst session r.05', ({ prices }) => percent(prices[1].worstSessionChange)],
  ['in view', ({ retention }) => retention.inView.toFixed(3)],
  ['lost', ({ retention }) => retention.lost.toFixed(3)],
]

function percent(change) {
  return `${change > 0 ? '+' : ''}${(100 * change).toFixed(1)} %`
}

/** Peers may be asynchronous but replay is not, so their output is computed beforehand. */
async function peerSets(peers, session, refused) {
  const sets = []
  for (const { name, start, recallLasts } of peers) {
    const show = await start()
    const views = []
    for (const { segment, length } of session.steps) {
      const messages = session.segments[segment].slice(0, length)
      try {
        views.push(await show(messages))
      } catch {
        // Messages that a peer cannot handle are sent unchanged.
        views.push(messages)
        refused.set(name, (refused.get(name) ?? 0) + 1)
      }
    }
    const transform = () => {
      const left = views.values()
      return () => left.next().value
    }
    sets.push({
      name,
      policies: [],
      timing: 'immediate',
      dependsOnPrices: false,
      transform,
      ...(recallLasts === undefined ? {} : { recallLasts }),
    })
  }
  return sets
}

/** An even sample of the longer sessions next to the repository. */
async function* recordedSessions() {
  const nameOf = (path) => path.slice(sharedSessions.length + 1)
  const { jobs, common } = await collectJobs(readLogs([sharedSessions]), { nameOf })
  const long = jobs.flatMap(({ path, sessions }) =>
    sessions.filter(({ requests }) => requests > minRequests).map((session) => ({ path, ...session })),
  )
  const every = Math.max(1, long.length / maxSessions)
  const chosen = Array.from({ length: Math.min(maxSessions, long.length) }, (_, index) => long[Math.floor(index * every)])
  for (const { path, number, name } of chosen) {
    const { value: log } = await readLog(path)
    yield { read: log.sessions[number], name, format: log.format, common }
  }
}

/** The bundled conversation, and the generated ones of the other measurements. */
async function* generatedSessions() {
  const { value: log } = await readLog(example)
  yield { read: log.sessions[0], name: 'example', format: log.format, common: [] }
  for (const seed of [7, 8, 9]) {
    const messages = createConversation({ messages: 500, tokens: 120_000, seed })
    const read = { id: null, title: null, messages, usages: [], compactions: 0, sidechains: 0, abandoned: 0 }
    yield { read, name: `generated ${seed}`, format: 'generated', common: [] }
  }
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whatIf } from '../packages/node/dist/inspect/what-if.js'
import { readLogs } from '../packages/node/dist/logs/read-logs.js'
import { createO200kTokenizer } from '../packages/node/dist/model/tokens.js'
import { priceRows } from '../packages/node/dist/replay/bill/price-rows.js'
import { collectJobs, newestFirst } from '../packages/node/dist/replay/collect-jobs.js'
import { policySets } from '../packages/node/dist/replay/policy-sets.js'
import { replayInWorkers } from '../packages/node/dist/replay/replay-in-workers.js'
import { runJob } from '../packages/node/dist/replay/replay-job.js'
import { createConversation } from './conversation.mjs'

/** `plimsoll replay` over generated logs of Claude Code, and the inspector's comparison of a long one. */
export async function replayBench() {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'))
  try {
    return [...(await replayRows(folder)), ...(await comparisonRows(folder))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function replayRows(folder) {
  const paths = [7, 8, 9, 10, 11, 12].map((seed) => writeLog(join(folder, `${seed}.jsonl`), { messages: 300, seed }))
  const collected = await collectJobs(readLogs(paths), { nameOf: (path) => path })
  const tokens = await createO200kTokenizer()
  const all = { sets: policySets, rows: priceRows }
  const run = async (asked, jobs) => {
    const start = process.cpuUsage()
    let requests = 0
    for (const job of jobs) {
      for await (const { runs } of runJob(job, { asked, common: new Set(collected.common), tokens })) requests += runs[0].requests
    }
    const { user, system } = process.cpuUsage(start)
    return { requests, seconds: (user + system) / 1_000_000 }
  }
  // Warm code, as after the first session of many.
  await run(null, collected.jobs.slice(0, 1))
  const brief = await run(null, collected.jobs)
  const [first] = collected.jobs
  const one = await run(null, [first])
  const full = await run(all, [first])
  const started = performance.now()
  const moved = { progress: null, figure: null }
  const again = await collectJobs(readLogs(paths), { nameOf: (path) => path })
  await replayInWorkers(newestFirst(again.jobs), {
    asked: null,
    common: again.common,
    progress: () => (moved.progress ??= performance.now() - started),
    done: () => (moved.figure ??= performance.now() - started),
  })
  return [
    {
      name: `usual question, ${brief.requests} requests in ${collected.jobs.length} sessions: requests per second of processor time`,
      value: brief.requests / brief.seconds,
      unit: 'requests/s',
      bound: '>= 100',
    },
    {
      name: '--full / usual question, processor time of one session',
      value: full.seconds / one.seconds,
      unit: 'x',
      bound: '>= 10',
    },
    { name: 'time until progress moves, reading included', value: moved.progress, unit: 'ms', bound: '< 1000 ms' },
    { name: 'time until the first figures', value: moved.figure, unit: 'ms', bound: '< 5000 ms' },
  ]
}

/** Longer is as bad as never, and the other rows wait for it. */
const patience = 60_000

/** The inspector's first comparison of a session: as recorded, and in economy mode through its own entry point. */
async function comparisonRows(folder) {
  const rows = []
  for (const [name, compactEvery] of [
    ['compacted at 200,000 tokens', 950],
    ['never compacted', Number.POSITIVE_INFINITY],
  ]) {
    const path = writeLog(join(folder, 'long.jsonl'), { messages: 10_600, seed: 7, compactEvery })
    const start = performance.now()
    const used = process.cpuUsage()
    let progress = null
    const answer = await whatIf(
      { path, number: 0 },
      { policies: ['gateway-economy'], prices: ['r.10'] },
      { progress: () => (progress ??= performance.now() - start), signal: AbortSignal.timeout(patience) },
    ).catch((error) => (error.name === 'TimeoutError' ? null : Promise.reject(error)))
    const value = (performance.now() - start) / 1000
    const { user, system } = process.cpuUsage(used)
    const found = answer === null ? `stopped after ${patience / 1000} s` : `${answer.requests} requests`
    rows.push(
      {
        name: `inspector, first comparison of a session of 5,000 requests (${found}), ${name}`,
        value,
        unit: 's',
        bound: '< 10 s',
      },
      { name: 'the same, processor time of its threads', value: (user + system) / 1_000_000, unit: 's', bound: '< 20 s' },
      { name: 'the same until progress moves', value: progress, unit: 'ms', bound: '< 1000 ms' },
    )
  }
  return rows
}

/** A log of Claude Code; with `compactEvery`, a summary replaces everything after this many messages. */
function writeLog(path, { messages: count, seed, compactEvery = Number.POSITIVE_INFINITY }) {
  const lines = []
  let parent = null
  let since = 0
  const add = (type, uuid, at, rest) => {
    const common = { sessionId: `generated-${seed}`, cwd: '/home/dev/project', timestamp: new Date(at).toISOString() }
    lines.push(JSON.stringify({ parentUuid: parent, type, uuid, ...common, ...rest }))
    parent = uuid
  }
  for (const { id, role, at, parts } of createConversation({ messages: count, tokens: count * 200, seed })) {
    since += 1
    if (role === 'user' && since > compactEvery) {
      const logicalParentUuid = parent
      parent = null
      since = 0
      add('system', `b${id}`, at, { subtype: 'compact_boundary', logicalParentUuid })
      add('user', `s${id}`, at, { isCompactSummary: true, message: { role: 'user', content: 'The work so far. '.repeat(200) } })
    }
    if (role === 'system') continue
    const message = { role: role === 'assistant' ? role : 'user', content: parts.map(blockOf) }
    const answer = role === 'assistant' ? { id: `msg-${id}`, model: 'claude-opus-5' } : {}
    add(message.role, id, at, { message: { ...message, ...answer } })
  }
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

function blockOf(part) {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
      return { type: 'thinking', thinking: part.text, signature: '' }
    case 'tool-call':
      return { type: 'tool_use', id: part.callId, name: part.tool, input: JSON.parse(part.input) }
    case 'tool-result':
      return { type: 'tool_result', tool_use_id: part.callId, content: part.content.text, is_error: part.isError === true }
  }
}

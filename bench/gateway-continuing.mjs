import { growingBodies } from './gateway-growth.mjs'
import { summarize } from './sampling.mjs'

const conversations = 5
/** Conversations before them, until the code is compiled. */
const warmUp = 3
const turns = 40
/** Requests at the start of a conversation that are not counted: there is nothing to continue yet. */
const uncounted = 4
/** Milliseconds. What a gateway measures after an answer takes two of processor time, and must not slow the next one down. */
const pause = 3
/** Kilobytes of the first request, and the milliseconds that `economy` may add to what `observe` adds. */
const sizes = new Map([
  [200, 1],
  [1024, 2],
])

/** Conversations that grow by a call and its result with each request, through all gateways in turns. */
export async function continuingRows({ direct, bare, observe, economy, call }) {
  const rows = []
  const everyone = [direct, bare, observe, economy]
  for (const [kilobytes, most] of sizes) {
    const times = everyone.map(() => [])
    for (let seed = 1; seed <= warmUp + conversations; seed += 1) {
      // Created beforehand, so that the client's garbage collection is not measured.
      const bodies = growingBodies({ kilobytes, turns, seed: seed + kilobytes })
      for (const [turn, body] of bodies.entries()) {
        for (const [index, target] of everyone.entries()) {
          await new Promise((resolve) => setTimeout(resolve, pause))
          const { milliseconds, status } = await call(target, body)
          if (status !== 200) throw new Error(`${target.name} answered ${status}`)
          if (seed > warmUp && turn >= uncounted) times[index].push(milliseconds)
        }
      }
    }
    const [base, passed, observed, trimmed] = times.map(summarize)
    const size = kilobytes < 1024 ? `${kilobytes} KB` : '1 MB'
    const name = `${size}, continuing`
    for (const [index, { p50, spread, samples }] of [passed, observed, trimmed].entries())
      rows.push({
        name: `${name}: added to the first byte, ${everyone[index + 1].name}`,
        value: p50 - base.p50,
        unit: 'ms',
        spread,
        samples,
      })
    rows.push(
      { name: `${name}: economy, more than observe`, value: trimmed.p50 - observed.p50, unit: 'ms', bound: `<= ${most} ms` },
      {
        name: `${name}: p99 of economy in its own medians, of that of the bare pass-through`,
        value: trimmed.p99 / trimmed.p50 / (passed.p99 / passed.p50),
        unit: '×',
        bound: '<= 1.5',
      },
    )
  }
  return [...rows, ...(await inTurnsRows({ direct, economy, call }))]
}

const inTurns = 40

/** Agents at work at the same time have the same system prompt: none of them may make the others slower than one alone. */
async function inTurnsRows({ direct, economy, call }) {
  const measure = async (target, count, seed) => {
    const conversations = Array.from({ length: count }, (_, index) =>
      growingBodies({ kilobytes: 200, turns: 12, seed: seed + index }),
    )
    const times = []
    for (let turn = 0; turn < 12; turn += 1)
      for (const bodies of conversations) {
        await new Promise((resolve) => setTimeout(resolve, pause))
        const { milliseconds, status } = await call(target, bodies[turn])
        if (status !== 200) throw new Error(`${target.name} answered ${status}`)
        if (turn >= uncounted) times.push(milliseconds)
      }
    return times
  }
  const alone = { direct: [], economy: [] }
  for (let seed = 1; seed <= inTurns; seed += 1) {
    alone.direct.push(...(await measure(direct, 1, 7000 + seed)))
    alone.economy.push(...(await measure(economy, 1, 7000 + seed)))
  }
  const together = await measure(economy, inTurns, 8000)
  const added = (times) => summarize(times).p50 - summarize(alone.direct).p50
  return [
    {
      name: `200 KB, ${inTurns} conversations in turns: added to the first byte by economy, of one after the other`,
      value: added(together) / added(alone.economy),
      unit: '×',
      bound: '<= 1.5',
    },
  ]
}

const hostileMessages = 200_000
const smallRequests = 400

/** Small requests next to one with very many messages, compared with the same requests alone. */
export async function hostileRows({ gateways, call }) {
  const rows = []
  const tiny = '{"role":"user","content":"x"}'
  const hostile = Buffer.from(`{"model":"gpt-4o","messages":[${Array(hostileMessages).fill(tiny).join()}]}`)
  for (const gateway of gateways) {
    const small = growingBodies({ kilobytes: 2, turns: 3, seed: 7 })
    const measure = async (isOver) => {
      const times = []
      for (let index = 0; index < smallRequests || !isOver(); index += 1) {
        const { milliseconds, status } = await call(gateway, small[index % small.length])
        if (status !== 200) throw new Error(`${gateway.name} answered ${status}`)
        times.push(milliseconds)
      }
      return summarize(times)
    }
    await measure(() => true)
    const alone = await measure(() => true)
    let answered = null
    const sent = call(gateway, hostile).then((answer) => {
      answered = answer
    })
    const beside = await measure(() => answered !== null)
    await sent
    rows.push(
      {
        name: `2 KB next to ${hostileMessages.toLocaleString('en')} messages, ${gateway.name}: p99`,
        value: beside.p99,
        unit: 'ms',
        samples: beside.samples,
      },
      {
        name: `the same, of the p99 without it, ${gateway.name}`,
        value: beside.p99 / alone.p99,
        unit: '×',
        ...(gateway.name === 'economy' ? { bound: '<= 3' } : {}),
      },
      { name: `the request with them, ${gateway.name}`, value: answered.milliseconds, unit: 'ms' },
    )
  }
  return rows
}

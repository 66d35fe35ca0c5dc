import { buildView, createConversation, economyPolicies, policiesNamed, specPolicies } from '../packages/core/dist/index.js'
import { policyNames } from '../packages/core/dist/policies.js'
import { clone } from './competitors.mjs'
import { factsAfter, quarter } from './conversation.mjs'
import { oneMore, shapes } from './growth-shapes.mjs'

const factor = 16
/** Two runs of the same differ by up to this much on a busy machine: a plain copy (`structuredClone`) is linear by nature. */
const tolerance = 1.5
/** Milliseconds for one run. If n and 4n predict more for 16n, it is not tried. */
const maxRun = 8000

/**
 * How the time of a first view grows from n to 16n, for each policy alone and for both sets, over conversations that grow in one direction. For the
 * sets also the next request, and the first one after a restart. The row of a subject is its worst shape; every shape over its limit is listed.
 */
export function growthBench() {
  const rows = subjects.flatMap((subject) => {
    const measured = shapes.map((shape) => measure(subject, shape))
    const worst = measured.reduce((one, other) => (shareOf(other) > shareOf(one) ? other : one))
    return [worst, ...measured.filter((row) => row !== worst && row.value > row.limit)]
  })
  return { rows, columns, note }
}

const note = `Processor time, mean of several runs, over ${shapes.length} shapes: ${shapes.map(({ name }) => name).join(', ')}. One run at 16n is compared with sixteen at n, which take as much memory. The limit is n log n with a tolerance of ${tolerance} for the noise of the machine. Each row is the worst shape of its subject.`

const columns = [
  ['shape', ({ shape }) => shape],
  ['n', ({ n }) => String(n)],
  ['at n', ({ small }) => `${small.toFixed(2)} ms`],
  ['at 16n', ({ large }) => (large === null ? `over ${maxRun / 1000} s` : `${large.toFixed(1)} ms`)],
  ['ratio', ({ value }) => (Number.isFinite(value) ? value.toFixed(1) : '')],
  ['limit', ({ limit }) => limit.toFixed(1)],
  ['', ({ value, limit }) => (value <= limit ? 'met' : 'missed')],
]

/** Also half of the bytes, so that both sizes are counted in the same way. */
const halfWindow = (messages) => {
  const { report } = buildView({ messages, policies: [], facts: factsAfter(messages, quarter) })
  const tokens = Math.ceil(report.tokensBefore / 2)
  return { context_window: tokens, output_reserve: 0, request_limits: { max_bytes: tokens * 4, max_images: null } }
}

const subjects = [
  { name: 'a plain copy', start: (messages) => () => structuredClone(messages) },
  ...policyNames.map((name) => ({
    name,
    start: view(policiesNamed([name]), name === 'fit-window' ? halfWindow : () => undefined),
  })),
  ...Object.entries({ spec: specPolicies, economy: economyPolicies }).flatMap(([name, policies]) => [
    { name: `${name}: the first request`, start: (messages) => request(carryOn(policies, name), messages) },
    {
      name: `${name}: one call and its result more`,
      start(messages) {
        const conversation = carryOn(policies, name)
        request(conversation, messages)()
        return request(conversation, oneMore(messages))
      },
    },
    {
      name: `${name}: after a restart`,
      start(messages) {
        const before = carryOn(policies, name)
        request(before, messages)()
        const state = JSON.parse(JSON.stringify(before.state()))
        return request(carryOn(policies, name, state), oneMore(clone(messages)))
      },
    },
    { name: `${name}: into half the window`, start: view(policies, halfWindow) },
  ]),
]

function view(policies, configOf) {
  return (messages) => {
    const facts = factsAfter(messages, quarter, configOf(messages))
    return () => buildView({ messages, policies, facts })
  }
}

function carryOn(policies, name, state) {
  return createConversation({
    policies,
    timing: name === 'spec' ? 'immediate' : 'economic',
    ...(state === undefined ? {} : { state }),
  })
}

function request(conversation, messages) {
  return () => {
    conversation.next(messages, factsAfter(messages, quarter))
    conversation.accepted()
  }
}

/**
 * Every run has its own objects. Sixteen runs at n are timed together and compared with one at 16n: both have as many bytes in memory, so caches and
 * collection cost the same, and only growth is left. A row over its limit is measured up to twice more, and before each of these runs
 * all garbage is collected: a run at 16n takes a few milliseconds, and what earlier shapes left would be collected in it.
 */
function measure(subject, { name: shape, n, create }) {
  let isAgain = false
  const run = (size, times = 1) => {
    const all = Array.from({ length: times }, () => subject.start(clone(conversationOf(shape, create, size))))
    if (isAgain) globalThis.gc()
    const from = cpuTime()
    for (const go of all) go()
    return cpuTime() - from
  }
  const limit = factor * (Math.log(factor * n) / Math.log(n)) * tolerance
  const row = { name: subject.name, shape, n, limit, unit: 'x', bound: `<= ${limit.toFixed(1)}` }
  for (let warmUp = 0; warmUp < 3; warmUp += 1) run(n)
  const createMeans = () => [createMean(() => run(n, factor) / factor, 100 / factor), createMean(() => run(factor * n), 100)]
  let [small, large] = createMeans()
  let value = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 3 && value > limit; attempt += 1) {
    if (attempt === 1) {
      isAgain = true
      ;[small, large] = createMeans()
    }
    const before = small()
    const middle = Math.min(run(4 * n), run(4 * n))
    if (middle * (middle / before) > maxRun) return { ...row, small: before, large: null, value: Number.POSITIVE_INFINITY }
    value = large() / before
    Object.assign(row, { small: before, large: value * before })
  }
  return { ...row, value }
}

/** Processor time of this thread, in milliseconds: other processes do not count. It advances in steps of up to 4 ms, so many runs are added up. */
function cpuTime() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Each call adds runs, until they take `enough` ms together, and returns the mean of all so far. */
function createMean(run, enough) {
  let total = 0
  let runs = 0
  return () => {
    for (const [from, end] = [total, runs + 3]; runs < end && total - from < enough; runs += 1) total += run()
    return total / runs
  }
}

const made = new Map()

function conversationOf(shape, create, size) {
  const key = `${shape} ${size}`
  const known = made.get(key) ?? create(size)
  made.set(key, known)
  return known
}

function shareOf({ value, limit }) {
  return value / limit
}

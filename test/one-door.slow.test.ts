import { economyPolicies, type PartialConfig, specPolicies } from '@plimsoll/core'
import type { TrimMode } from '@plimsoll/core/policies'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { policySets } from '../packages/node/src/replay/policy-sets.ts'
import type { WireDialect } from '../packages/node/src/store/gateway-record.ts'
import { workOf } from './gateway/work.ts'
import type { RecordedConversation } from './laws/recordings.ts'
import { type Variant, variants } from './laws/variants.ts'
import { compareWithAgent, type Step } from './one-door/compare-agent.ts'
import { compareWithGateway, type Difference, type GatewayRun } from './one-door/compare-gateway.ts'
import { compareWithReplay } from './one-door/compare-replay.ts'
import { type Conversations, firstOf, isFull, readConversations, toModel, withRetries } from './one-door/conversations.ts'
import type { Keeping } from './one-door/library-host.ts'
import type { Reached } from './one-door/reached.ts'
import { isProductCode, readSources, withoutComments } from './source-files.ts'

if (isFull) vi.setConfig({ testTimeout: 0 })

const modes: readonly TrimMode[] = ['observe', 'safe', 'spec', 'economy']

/** The situations that all requests of a mode reached. */
const reachedIn: Readonly<Record<TrimMode, Reached>> = { observe: {}, safe: {}, spec: {}, economy: {} }

let recorded: Conversations

beforeAll(async () => {
  recorded = await readConversations()
})

/** Long conversations by name; all of them in a full run. */
function long(...names: readonly string[]): readonly RecordedConversation[] {
  if (isFull) return [...recorded.long.values()]
  return names.map((name) => {
    const found = recorded.long.get(name)
    if (found === undefined) throw new Error(`There is no conversation ${name}.`)
    return found
  })
}

/** Each short one is sent in one mode; those of half the agents also in the mode with the most edits. */
function smallFor(mode: TrimMode): readonly RecordedConversation[] {
  const turn = modes.indexOf(mode)
  return recorded.small.filter((_, index) => index % modes.length === turn || (mode === 'economy' && index % 2 === 0))
}

/** The first differences are enough to see what is wrong. */
function expectNone(differences: readonly Difference[]): void {
  expect({ count: differences.length, first: differences.slice(0, 3) }).toEqual({ count: 0, first: [] })
}

async function compareAll(
  conversations: readonly Parameters<typeof compareWithGateway>[0][],
  run: GatewayRun,
): Promise<readonly Difference[]> {
  // Most of the time is spent waiting for the disk.
  const differences = await Promise.all(conversations.map((conversation) => compareWithGateway(conversation, run)))
  return differences.flat()
}

describe('library and gateway send the same bytes', () => {
  it.concurrent.each(modes)('in recorded conversations, with two gateways taking turns on one store (%s)', async (mode) => {
    const run = { dialect: 'anthropic', mode, gateways: 2, keeping: 'in memory', reached: reachedIn[mode] } as const
    const own = { observe: ['working 3'], safe: ['example'], spec: ['example', 'working 3'], economy: ['example'] }
    const small = isFull ? recorded.small : smallFor(mode)
    expectNone(
      await compareAll(
        [...small, ...long(...own[mode]), ...(mode === 'spec' || mode === 'economy' ? recorded.real : [])].map((one) =>
          firstOf(one, 7),
        ),
        run,
      ),
    )
  })

  const dialects: readonly WireDialect[] = ['openai-chat', 'openai-responses', 'gemini']
  const ways = dialects.flatMap((dialect) => (['spec', 'economy'] as const).map((mode) => ({ dialect, mode })))

  it.concurrent.each(ways)('in every API format ($dialect, $mode)', async ({ dialect, mode }) => {
    const run = { dialect, mode, gateways: 1, keeping: 'in memory', reached: reachedIn[mode] } as const
    expectNone(
      await compareAll(
        long('repeating 2').map((one) => firstOf(one, 9)),
        run,
      ),
    )
  })

  interface Case {
    readonly what: string
    readonly variant: Variant
    readonly keeping: Keeping
    readonly hasThoughts?: boolean
  }

  const cases: readonly Case[] = [
    { what: 'a restart at every request', variant: variants['as recorded'], keeping: 'restarted' },
    { what: 'a model switch', variant: variants['a model switch in the middle'], keeping: 'in memory' },
    { what: 'failed requests that are sent again', variant: withRetries, keeping: 'in memory' },
    { what: 'failed requests', variant: variants['every third request fails'], keeping: 'by branch' },
    { what: 'rewinds', variant: variants.rewinds, keeping: 'by branch' },
    { what: 'a long history at first', variant: variants['a first request with a long history'], keeping: 'by branch' },
    { what: 'list contents', variant: variants['list contents'], keeping: 'in memory' },
  ]

  // The economy set has every kind of edit; the other one takes the variants that change what counts as sent.
  const inSpec = new Set(['a model switch', 'failed requests', 'rewinds'])
  const modesOf = ({ what }: Case) => (inSpec.has(what) ? (['spec', 'economy'] as const) : (['economy'] as const))

  it.concurrent.each(cases.flatMap((one) => modesOf(one).map((mode) => ({ ...one, mode }))))(
    'with $what ($mode)',
    async ({ variant, keeping, mode }) => {
      const run = { dialect: 'anthropic', mode, gateways: 2, keeping, reached: reachedIn[mode] } as const
      const conversations = long(mode === 'spec' ? 'working 3' : 'repeating 3').map((one) =>
        firstOf(one, mode === 'spec' ? 9 : 12),
      )
      expectNone(await compareAll(conversations.map(variant), run))
    },
  )

  it.concurrent.each(['safe', 'observe'] as const)('with failed requests and restarts (%s)', async (mode) => {
    const run = { dialect: 'anthropic', mode, gateways: 1, keeping: 'restarted', reached: reachedIn[mode] } as const
    expectNone(
      await compareAll(
        long('working 3').map((one) => withRetries(firstOf(one, 12))),
        run,
      ),
    )
  })

  it.concurrent('with signed reasoning: content sent to a newer Claude model never changes', async () => {
    const signed: Reached = {}
    const unsigned: Reached = {}
    const send = (model: string, reached: Reached) =>
      compareAll(
        long('repeating 3').map((one) => toModel(model)(firstOf(one, 40))),
        { dialect: 'anthropic', mode: 'economy', gateways: 2, keeping: 'restarted', hasThoughts: true, reached },
      )
    expectNone(await send('claude-opus-5.5', signed))
    expectNone(await send('claude-opus-4-5', unsigned))
    expect([(signed['changed'] ?? 0) > 10, signed['rewrites'] ?? 0, (unsigned['rewrites'] ?? 0) > 0]).toEqual([true, 0, true])
  })
})

describe('library, agent and gateway show the same', () => {
  const sets = { spec: specPolicies, economy: economyPolicies }
  const fired = {
    spec: [
      'compress-old-results',
      'filter-binary',
      'limit-tool-output',
      'shorten-losslessly',
      'trim-outdated-commands',
      'trim-repeated-reads',
    ],
    economy: [
      'cut-long-output',
      'filter-binary',
      'shorten-losslessly',
      'skip-shown-lines',
      'stub-old-results',
      'thin-line-numbers',
    ],
  }
  const ways = (['anthropic', 'openai-chat'] as const).flatMap((dialect) =>
    (['spec', 'economy'] as const).map((mode) => ({ dialect, mode })),
  )

  it.concurrent.each(ways)(
    'request by request, in work without reasoning, long arguments and broken pairs ($dialect, $mode)',
    async ({ dialect, mode }) => {
      const reached: Reached = {}
      const run = { dialect, model: 'claude-opus-5', policies: sets[mode], gateway: mode, reached }
      expectNone(await compareWithAgent({ name: 'work', messages: rounds(3, 6) }, run))
      expect(fired[mode].filter((name) => (reached[name] ?? 0) === 0)).toEqual([])
      expect([reached['requests'], (reached['waiting'] ?? 0) > 3]).toEqual([21, true])
    },
  )
})

describe('library and agent show the same', () => {
  const sets = { spec: specPolicies, economy: economyPolicies }
  // The economy set has every kind of edit; the other one takes what changes which messages are sent.
  const inTurn = <Case extends { readonly what: string }>(cases: readonly Case[]) =>
    cases.flatMap((one) =>
      (isFull || inSpec.has(one.what) ? (['spec', 'economy'] as const) : (['economy'] as const)).map((mode) => ({
        ...one,
        mode,
      })),
    )
  const inSpec = new Set([
    'recorded conversations',
    'a window that is too small for one round',
    'compactions of all that was sent',
  ])
  const ways = inTurn([
    { what: 'recorded conversations', model: 'claude-opus-4-5', names: ['example', 'repeating 3'], config: {} },
    { what: 'signed reasoning', model: 'claude-opus-5.5', names: ['repeating 3'], config: {} },
    {
      what: 'a window that is too small for one round',
      model: 'claude-opus-4-5',
      names: ['repeating 0'],
      config: { context_window: 16_000 },
    },
  ])

  it.concurrent.each(ways)('request by request, in $what ($mode)', async ({ model, mode, names, config }) => {
    const run = { dialect: 'anthropic', model, policies: sets[mode], config, gateway: null, reached: reachedIn[mode] } as const
    for (const { name, requests } of long(...names))
      expectNone(await compareWithAgent({ name, messages: requests.at(-1)?.messages ?? [] }, run))
  })

  const compacted = inTurn<Compacted>([
    { what: 'compactions of all that was sent', keep: 1, threshold: 0.2 },
    { what: 'summaries that are hidden', keep: 2, threshold: 0.2, hides: 400 },
    {
      what: 'compactions by the user, with a resumed session after each',
      keep: 10,
      between: (rounds) =>
        rounds % 3 === 0 ? [{ kind: 'compact', keepRounds: rounds % 2 === 0 ? 1 : 2 }, { kind: 'resume' }] : [],
    },
    { what: 'compactions, with a resumed session after each round', keep: 2, count: 9, between: () => [{ kind: 'resume' }] },
  ])

  it.concurrent.each(compacted)(
    'request by request, after $what ($mode)',
    async ({ keep, threshold = 0.8, hides, count = 6, between, mode }) => {
      const reached: Reached = {}
      const config: PartialConfig = {
        context_window: 20_000,
        compaction: { keep_rounds: keep, threshold, ...(hides === undefined ? {} : { max_summary_tokens: hides }) },
      }
      const run = {
        dialect: 'anthropic',
        model: 'claude-opus-4-5',
        policies: sets[mode],
        config,
        gateway: null,
        reached,
      } as const
      expectNone(
        await compareWithAgent({ name: 'work', messages: rounds(count, 6) }, between === undefined ? run : { ...run, between }),
      )
      expect([(reached['compactions'] ?? 0) > 1, hides === undefined || (reached['folds'] ?? 0) > 0]).toEqual([true, true])
    },
  )
})

/** How a session is compacted. */
interface Compacted {
  readonly what: string
  /** The number of rounds to keep. */
  readonly keep: number
  /** The share of the window at which a compaction is due. Default: 0.8. */
  readonly threshold?: number
  /** Token limit of all summaries together. */
  readonly hides?: number
  /** How many rounds there are. Default: 6. */
  readonly count?: number
  readonly between?: (rounds: number) => readonly Step[]
}

describe('library and replay show the same', () => {
  // The long ones take turns, except in the set with every kind of edit.
  const [example, repeating, working] = ['example', 'repeating 2', 'working 0'] as const
  const ways = [
    { set: 'spec', mode: 'spec', model: 'claude-opus-4-5', hasThoughts: false, names: [example, working] },
    { set: 'economy', mode: 'economy', model: 'claude-opus-4-5', hasThoughts: true, names: [example, repeating, working] },
    { set: 'gateway-safe', mode: 'safe', model: 'claude-opus-4-5', hasThoughts: false, names: [example] },
    { set: 'gateway-spec', mode: 'spec', model: 'claude-opus-4-5', hasThoughts: false, names: [repeating] },
    { set: 'gateway-economy', mode: 'economy', model: 'claude-opus-4-5', hasThoughts: false, names: [working] },
    { set: 'gateway-economy', mode: 'economy', model: 'claude-opus-5.5', hasThoughts: true, names: [repeating] },
    { set: 'gateway-economy-signed', mode: 'economy', model: 'claude-opus-4-5', hasThoughts: true, names: [example] },
  ] as const

  it.each(ways.map((way, turn) => ({ ...way, turn })))('request by request ($set, $model)', (way) => {
    const { set: name, mode, model, hasThoughts, names, turn } = way
    const set = policySets.find((one) => one.name === name)
    if (set === undefined) throw new Error(`There is no policy set ${name}.`)
    const run = { dialect: 'anthropic', model, set, hasThoughts, reached: reachedIn[mode] } as const
    const real = recorded.real.filter((_, index) => isFull || (index + turn) % 5 === 0)
    const conversations = [...recorded.small, ...long(...names), ...real]
    expectNone(conversations.flatMap((conversation) => compareWithReplay(conversation, run)))
  })
})

describe('the conversations', () => {
  it('trigger every policy, pending edits, announced rewrites and restated references', () => {
    const missing = (mode: TrimMode, wanted: readonly string[]) => wanted.filter((key) => (reachedIn[mode][key] ?? 0) === 0)
    const names = (policies: readonly { readonly name: string }[]) => policies.map(({ name }) => name)
    const common = ['changed', 'waiting', 'rewrites']
    expect({
      observe: [reachedIn.observe['changed'] ?? 0, (reachedIn.observe['requests'] ?? 0) > 20],
      safe: missing('safe', ['changed', 'filter-binary', 'limit-tool-output']),
      spec: missing('spec', [...common, ...names(specPolicies)]),
      economy: missing('economy', [...common, ...names(economyPolicies), 'restated']),
    }).toEqual({ observe: [0, true], safe: [], spec: [], economy: [] })
  })
})

describe('one place decides', () => {
  const sources = readSources('packages', (path) => /^packages\/\w+\/src\//.test(path) && isProductCode(path))
  const using = (name: RegExp) => sources.filter(({ text }) => name.test(withoutComments(text))).map(({ path }) => path)

  it('builds views only in prepare, except for the price of hiding, repair and the status line, which have no request', () => {
    expect(using(/\bbuildView\b/)).toEqual([
      'packages/core/src/engine/build-view.ts',
      'packages/core/src/engine/hiding-cost.ts',
      'packages/core/src/engine/prepare.ts',
      'packages/core/src/index.ts',
      'packages/node/src/cli/setup/trimmable-tokens.ts',
      'packages/node/src/repair/repair-value.ts',
    ])
  })

  it('calls policies and timings only while building a view', () => {
    expect(using(/\b(?:planStages|timingNamed)\(/)).toEqual([
      'packages/core/src/engine/build-view.ts',
      'packages/core/src/engine/plan-stages.ts',
      'packages/core/src/timing/timing.ts',
    ])
  })

  it('prepares requests only in a conversation, except for a view of a single request', () => {
    expect(using(/\bprepare\b[^'"]*from '[^']*\/prepare\.ts'/)).toEqual(['packages/core/src/conversation.ts'])
    expect(using(/\bviewOnce\b[^'"]*from '[^']*\/prepare\.ts'/)).toEqual([
      'packages/core/src/engine/view-request.ts',
      // One result, for hosts that show no more than that.
      'packages/core/src/host-results.ts',
    ])
  })
})

/** The scripted work as several rounds. */
function rounds(count: number, steps: number) {
  const work = workOf(count * steps)
  const answers = work.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  return work.flatMap((message, index) => {
    const step = answers.indexOf(index)
    const isStart = step > 0 && step < count * steps && step % steps === 0
    const said = { id: `said-${step}`, role: 'user', parts: [{ type: 'text', text: 'Continue.' }] } as const
    return isStart ? [said, message] : [message]
  })
}

import type { Message } from '@plimsoll/core'
import { type Price, priceOf } from '@plimsoll/core/bill'
import type { TrimMode } from '@plimsoll/core/policies'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { FakeUpstream } from './gateway/fake-upstream.ts'
import { type MeteredClient, startMeteredUpstream } from './gateway/metered-upstream.ts'
import { type ProviderTokenizer, providerTokenizers, realTokenizers } from './gateway/provider-tokenizers.ts'
import {
  recordedLogs,
  recordedRequests,
  repeatingRequests,
  screenshotRequests,
  workRequests,
} from './gateway/savings-conversations.ts'
import {
  runForSavings,
  type SavingsDialect,
  type SavingsRequest,
  type SavingsResult,
  type SavingsRun,
} from './gateway/savings-run.ts'

const modes = ['safe', 'spec', 'economy'] as const satisfies readonly TrimMode[]
const dialects = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const
const models: Readonly<Record<SavingsDialect, readonly [usual: string, other: string]>> = {
  anthropic: ['claude-opus-5', 'claude-sonnet-5.5'],
  'openai-chat': ['gpt-5.5', 'gpt-6-sol'],
  'openai-responses': ['gpt-5.5', 'grok-4.5'],
  gemini: ['gemini-3.1-pro-preview', 'gemini-4-argon'],
}

const clients = new Map<string, MeteredClient>()
let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startMeteredUpstream(clients)
})

afterAll(() => upstream.close())

describe('untrimmed cost, as reported by the run that was trimmed', () => {
  // The most uneven ones in each format, and all kinds of them in one.
  const cases = dialects.flatMap((dialect) =>
    providerTokenizers
      .filter((_, index) => (dialect === 'anthropic' ? index % 4 === 0 : index === 5))
      .map((tokenizer) => ({ dialect, tokenizer, name: tokenizer.name })),
  )
  // The mode with the most edits each time; the others take turns.
  const inTurn = cases.map((one, index) => ({ ...one, only: ['economy', index % 2 === 0 ? 'safe' : 'spec'] as const }))

  it.each(inTurn)(
    'is within 3 % of the cost of the observe run ($dialect, provider counts $name)',
    async ({ dialect, tokenizer, only }) => {
      await expectAgreement(dialect, tokenizer, workRequests(models[dialect]), 0.02, { only })
    },
  )

  it('is within 3 % for a session that reads files again', async () => {
    const requests = repeatingRequests(models['openai-responses'][0])
    await expectAgreement('openai-responses', providerTokenizers[3] as ProviderTokenizer, requests, 0)
    // Its outputs repeat the same words, which the view has once: nothing sent shows that this tokenizer counts words at half the price of code.
    await expectAgreement('openai-responses', providerTokenizers[4] as ProviderTokenizer, requests, 0, { most: 0.05 })
  })

  it.each(['openai-chat'] as const)('is within 3 % if trimming starts late, after a restart (%s)', async (dialect) => {
    const requests = workRequests(models[dialect])
    const first = { mode: 'observe' as const, requests: 10 }
    await expectAgreement(dialect, providerTokenizers[5] as ProviderTokenizer, requests, 0.02, { first })
  })

  it('is within 3 % if the gateway is restarted while it trims', async () => {
    const requests = workRequests(models.anthropic)
    const mode = 'economy'
    await expectAgreement('anthropic', providerTokenizers[6] as ProviderTokenizer, requests, 0.02, {
      first: { mode, requests: 9 },
      only: [mode],
    })
  })

  it.each(realTokenizers)(
    'is within 3 % for base64 that no provider ever saw, counted by a real tokenizer ($name)',
    async (tokenizer) => {
      await expectAgreement('anthropic', tokenizer, screenshotRequests(models.anthropic[0]))
    },
  )

  it.each([3, 5])(
    'says how far it may be off for base64 that no provider ever saw, counted in an unusual way (%i)',
    async (index) => {
      const tokenizer = providerTokenizers[index] as ProviderTokenizer
      const requests = screenshotRequests(models.anthropic[0])
      const observed = await observe('anthropic', tokenizer, requests)
      const trimmed = await run('anthropic', 'safe', tokenizer, requests)
      expect(Math.abs(trimmed.untrimmed - observed.paid)).toBeLessThan(trimmed.doubt)
      expect(trimmed.doubt).toBeLessThan(observed.paid * 0.15)
      expect(observed.doubt).toBe(0)
    },
  )

  it.each([5])(
    'is within 3 % for base64 if a conversation went out untouched before, even before a restart (%i)',
    async (index) => {
      const [model] = models.anthropic
      const untouched = screenshotRequests(model, 6).map(({ messages, ...rest }) => ({
        ...rest,
        messages: withOpening(messages),
      }))
      await expectAgreement('anthropic', providerTokenizers[index] as ProviderTokenizer, screenshotRequests(model), 0.02, {
        untouched,
      })
    },
  )

  it.each(['openai-chat', 'gemini'] as const)(
    'is within 3 % if the gateway is restarted right before the model is switched (%s)',
    async (dialect) => {
      const requests = workRequests(models[dialect])
      const mode = 'economy'
      const split = requests.findIndex(({ model }) => model !== models[dialect][0])
      await expectAgreement(dialect, providerTokenizers[5] as ProviderTokenizer, requests, 0.02, {
        first: { mode, requests: split },
        only: [mode],
      })
    },
  )

  it('has no cache writes for Gemini, which caches on its own and charges nothing for it', async () => {
    const { measured } = await run('gemini', 'spec', providerTokenizers[3] as ProviderTokenizer, workRequests(models.gemini))
    const usages = measured.map(({ usage }) => usage)
    expect(usages.some((usage) => (usage?.cacheRead ?? 0) > 0)).toBe(true)
    expect(usages.every((usage) => usage?.cacheWrite === 0)).toBe(true)
  })

  test.each(
    recordedLogs.map((log, index) => ({
      log,
      dialect: dialects[index % dialects.length] ?? 'anthropic',
      tokenizer: 3 + (index % 4),
      only: ['economy', index % 2 === 0 ? 'safe' : 'spec'] as const,
    })),
  )('is within 3 % for a recorded session ($log as $dialect)', async ({ log, dialect, tokenizer, only }) => {
    const requests = await recordedRequests(log, models[dialect][0], 18)
    expect(requests.length).toBeGreaterThan(10)
    await expectAgreement(dialect, providerTokenizers[tokenizer] as ProviderTokenizer, requests, 0, { only })
  })
})

/** The same conversation with another first message, so that it counts as a different one. */
function withOpening([, ...rest]: readonly Message[]): readonly Message[] {
  return [
    { id: 'opening', role: 'user', parts: [{ type: 'text', text: 'Take pictures of all pages, and compare them.' }] },
    ...rest,
  ]
}

interface AgreementOptions extends Pick<SavingsRun, 'first' | 'untouched'> {
  /** Default: each. */
  readonly only?: readonly TrimMode[]
  /** How far off it may be. Default: 3 %. */
  readonly most?: number
}

/** Runs a conversation untrimmed and in each trimming mode, and compares. Each mode has to save this part of the cost. */
async function expectAgreement(
  dialect: SavingsDialect,
  tokenizer: ProviderTokenizer,
  requests: readonly SavingsRequest[],
  saved = 0.02,
  { only, most = 0.03, ...options }: AgreementOptions = {},
): Promise<void> {
  const observed = await observe(dialect, tokenizer, requests)
  expect(observed.untrimmed).toBe(observed.paid)
  for (const mode of modes.filter((each) => only === undefined || only.includes(each))) {
    const trimmed = await run(dialect, mode, tokenizer, requests, options)
    const off = trimmed.untrimmed / observed.paid - 1
    expect({ mode, off, isClose: Math.abs(off) < most }).toEqual({ mode, off, isClose: true })
    if (options.untouched !== undefined) expect(trimmed.doubt).toBeLessThan(observed.paid * 0.03)
    if (saved > 0) expect(trimmed.paid).toBeLessThan(observed.paid * (1 - saved))
  }
}

const observed = new Map<string, Promise<SavingsResult>>()

/** The untrimmed run of a conversation, once for all that are compared with it. */
function observe(
  dialect: SavingsDialect,
  tokenizer: ProviderTokenizer,
  requests: readonly SavingsRequest[],
): Promise<SavingsResult> {
  const key = JSON.stringify([dialect, tokenizer.name, requests.at(-1)])
  const known = observed.get(key) ?? run(dialect, 'observe', tokenizer, requests)
  observed.set(key, known)
  return known
}

let runs = 0

function run(
  dialect: SavingsDialect,
  mode: TrimMode,
  { count }: ProviderTokenizer,
  requests: readonly SavingsRequest[],
  options: Pick<SavingsRun, 'first' | 'untouched'> = {},
): Promise<SavingsResult> {
  runs += 1
  const key = `run-${runs}`
  let at = 0
  const now = () => at
  // Providers that do not say for how long they keep a prompt do not keep it forever.
  const rules = (model: string) => {
    const { cache } = priceOf(model) as Price
    return { ...cache, lifetimeSeconds: cache.lifetimeSeconds ?? 1800 }
  }
  clients.set(key, { provider: { count, hidden: 300, frame: 3, image: 1200, rules }, now, output: 300 })
  const setNow = (next: number) => {
    at = next
  }
  return runForSavings({
    dialect,
    mode,
    requests,
    upstream: upstream.url,
    key,
    now,
    setNow,
    ...options,
  })
}

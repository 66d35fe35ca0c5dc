import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Savings } from '../../gateway/measure/savings.ts'
import type { GatewayRequest } from '../../store/gateway-record.ts'
import { openGatewayStore } from '../../store/open-gateway-store.ts'
import { dollars, noon, record, request } from '../../store/testing/samples.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { runCaptured } from '../testing/run-captured.ts'

const english = stringsFor('en').gateway.savings

const usage = { input: 300, cacheRead: 600, cacheWrite: 100, output: 50 }
const unpriced = { cost: null, untrimmed: null, usage, tokensBefore: 4000, tokensAfter: 2000, status: 200 }
const priced = { cost: dollars(1), untrimmed: dollars(1.5), usage, status: 200 }

/** A store with these requests, each in its own conversation, and a command that reads it. */
async function savingsOf(requests: readonly Partial<GatewayRequest>[], LANG = 'en_GB.UTF-8') {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-savings-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'gateway.sqlite')
  const store = await openGatewayStore(path, { now: () => noon })
  for (const [index, rest] of requests.entries())
    await store.record('tenant', record(request(`r${index}`, { conversation: `c${index}`, ...rest })))
  await store.close()
  const environment = { LANG, HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder }
  const run = async (...options: string[]) => {
    const { code, stdout } = await runCaptured(['gateway', 'savings', '--store', path, ...options], { environment })
    expect(code).toBe(0)
    return stdout
  }
  return { lines: (await run()).trimEnd().split('\n'), json: JSON.parse(await run('--json')) as Savings }
}

describe('plimsoll gateway savings', () => {
  it('shows prompts that were sent again apart from requests, and charges them', async () => {
    const kept = { ...priced, cost: dollars(0.25), untrimmed: dollars(0), keptAlive: true, conversation: 'c0' } as const
    const { lines, json } = await savingsOf([priced, { ...kept, number: 1 }, { ...kept, number: 2 }])
    expect(lines.slice(0, 5)).toEqual([
      'conversations: 1, requests: 1',
      'paid (usage as reported by the providers): $1.50',
      english.keptAlive('2', '$0.500'),
      english.untrimmed('$1.50'),
      english.net(stringsFor('en').gateway.even, '0.0 %'),
    ])
    expect(json).toMatchObject({ requests: 1, paid: 1.5, net: 0, keptAlive: { times: 2, dollars: 0.5 } })
  })

  it('reports tokens and no dollars if no price is known', async () => {
    const { lines, json } = await savingsOf([unpriced, { ...unpriced, usage: null }])
    expect(lines.slice(0, -1)).toEqual([
      'conversations: 2, requests: 2',
      'requests without a known cost, counted in tokens only: 2',
      '  sent: 3,000 tokens (600 read from the cache)',
      english.untrimmedTokens('6,000'),
      '  removed: 3,000 tokens (50.0 %)',
      '  requests without reported usage, all tokens estimated: 1',
      '  Set prices.MODEL in your configuration to see dollars.',
    ])
    expect(json).toMatchObject({
      paid: 0,
      share: null,
      unpriced: 2,
      unpricedTokens: { requests: 2, sent: 3000, cached: 600, uncached: 2400, untrimmed: 6000, removed: 3000, estimated: 1 },
    })
  })

  it('reports dollars and tokens apart if only some prices are known', async () => {
    const { lines, json } = await savingsOf([priced, unpriced])
    expect(lines.slice(1, 8)).toEqual([
      english.paid('$1.00'),
      english.untrimmed('$1.50'),
      english.net('saved $0.500', '33.3 %'),
      'requests without a known cost, counted in tokens only: 1',
      '  sent: 1,000 tokens (600 read from the cache)',
      english.untrimmedTokens('2,000'),
      '  removed: 1,000 tokens (50.0 %)',
    ])
    expect(json).toMatchObject({ paid: 1, untrimmed: 1.5, unpriced: 1, unpricedTokens: { requests: 1, removed: 1000 } })
  })

  it('reports what tools cost that were never called', async () => {
    const tools = [
      { name: 'mcp__hub__find', tokens: 100 },
      { name: 'Bash', tokens: 150 },
      { name: 'mcp__hub__list', tokens: 50 },
    ]
    const uncached = { ...priced, usage: { input: 300, cacheRead: 0, cacheWrite: 0, output: 0 } }
    const { lines, json } = await savingsOf([
      { ...uncached, tools },
      { ...uncached, tools: tools.slice(0, 1) },
      { ...uncached, tools: tools.slice(1, 2), called: ['Bash'] },
      { ...uncached, tools: [] },
    ])
    // 300 tokens of input cost a dollar.
    expect(lines[2]).toBe(english.unusedTools('$1.33', '4', 'mcp__hub__find $0.667, Bash $0.500, mcp__hub__list $0.167'))
    expect(json.unusedTools).toMatchObject({ conversations: 4, dollars: expect.closeTo(4 / 3) })
  })

  it('reports no tokens if every price is known', async () => {
    const { lines, json } = await savingsOf([priced])
    expect([lines.length, json.unpricedTokens]).toEqual([5, null])
  })

  it('says by how much the estimate may be off if providers never counted what was removed', async () => {
    const { lines, json } = await savingsOf([
      { ...priced, untrimmedDoubt: 0.3 },
      { ...priced, untrimmedDoubt: 0.15 },
    ])
    expect(lines.slice(2, 5)).toEqual([
      english.untrimmed('$3.00'),
      english.net('saved $1.00', '33.3 %'),
      english.doubtful('$0.450', '15.0 %'),
    ])
    expect(json).toMatchObject({ untrimmed: 3, untrimmedDoubt: expect.closeTo(0.45, 9), isDoubtful: true })
  })

  it('does not mention a small uncertainty', async () => {
    const { lines } = await savingsOf([{ ...priced, untrimmedDoubt: 0.01 }])
    expect(lines.length).toBe(5)
  })

  it('reports tokens that were added', async () => {
    const { lines } = await savingsOf([{ ...unpriced, tokensBefore: 1900 }])
    expect(lines).toContain('  added: 50 tokens (5.3 %)')
  })

  it('speaks Chinese', async () => {
    const { savings } = stringsFor('zh').gateway
    const { lines } = await savingsOf([unpriced], 'zh_CN.UTF-8')
    expect(lines.slice(1, 3)).toEqual([savings.unpriced('1'), savings.sentTokens('1,000', '600')])
  })
})

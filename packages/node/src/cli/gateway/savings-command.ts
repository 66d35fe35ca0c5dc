import {
  minHeldOut,
  type Savings,
  type SavingsConversation,
  type SavingsTokens,
  summariseSavings,
  unpricedTokens,
} from '../../gateway/measure/savings.ts'
import { unusedTools } from '../../inspect/unused-tools.ts'
import type { GatewayStore, StoredConversation } from '../../store/gateway-store.ts'
import { openGatewayStore } from '../../store/open-gateway-store.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import { readSettings } from '../settings.ts'
import type { JsonOptions } from '../terminal/screen.ts'
import { grouped, moneyText, percent } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'
import { gatewayPlace } from './gateway-place.ts'
import { netText, storeProblem } from './open-gateway.ts'

/** Prints what requests cost and would have cost untrimmed, in dollars, or in tokens if their price is unknown. */
export async function savingsCommand(options: JsonOptions & { readonly store?: string }, io: CommandIo): Promise<void> {
  const { strings, config } = await readSettings({ json: options.json === true }, io)
  const { store: location } = gatewayPlace(options, { ...config.gateway, host: '127.0.0.1' }, io, strings)
  const savings = summariseSavings(await conversationsIn(location, io, strings))
  if (options.json === true) return writeJson(savings, 'savings', strings, io.stdout)
  io.stdout.write(`${savingsLines(savings, strings.gateway).join('\n')}\n`)
}

async function conversationsIn(location: string, io: CommandIo, strings: Strings): Promise<readonly SavingsConversation[]> {
  let store: GatewayStore | null = null
  try {
    store = await openGatewayStore(location, { now: io.now, isReading: true })
    const found: SavingsConversation[] = []
    for (const tenant of await store.tenants())
      for (const conversation of await store.conversations(tenant, { limit: maxConversations })) {
        // Sums have no tokens and no doubts, so requests are read if they are needed.
        const { unpriced, dollars, untrimmedDollars } = conversation
        const isNeeded = unpriced > 0 || dollars !== untrimmedDollars || found.length < maxRead
        const stored = isNeeded ? await store.conversation(tenant, conversation.id) : null
        const { requests = [] } = stored ?? {}
        const tokens = unpriced > 0 ? unpricedTokens(requests) : null
        const untrimmedDoubt = requests.reduce((sum, request) => sum + (request.untrimmedDoubt ?? 0), 0)
        const unused = stored === null ? null : unusedToolsIn(stored)
        const kept = requests.filter((request) => request.keptAlive === true)
        found.push({
          ...conversation,
          requests: conversation.requests - kept.length,
          keptAlive: { times: kept.length, dollars: kept.reduce((sum, { cost }) => sum + (cost?.dollars ?? 0), 0) },
          untrimmedDoubt,
          ...(tokens === null ? {} : { unpricedTokens: tokens }),
          ...(unused === null ? {} : { unusedTools: unused }),
        })
      }
    return found
  } catch (error) {
    throw storeProblem(error, location, io, strings)
  } finally {
    await store?.close()
  }
}

const maxConversations = 1_000_000
/** Conversations that are read only for their tools. */
const maxRead = 200

/** Dollars for the definitions of tools that a conversation never called, by name; null if unknown. */
function unusedToolsIn({ requests }: StoredConversation): ReadonlyMap<string, number> | null {
  const offered = requests.find(({ tools }) => tools !== undefined)?.tools
  if (offered === undefined) return null
  const called = new Set(requests.flatMap((request) => request.called ?? []))
  return unusedTools({ requests, called, toolsOf: () => offered })?.costs ?? new Map()
}

function savingsLines(savings: Savings, strings: Strings['gateway']): readonly string[] {
  const { conversations, requests, paid, untrimmed, untrimmedDoubt, isDoubtful, net, share, unpriced } = savings
  if (requests === 0) return [strings.savings.nothing]
  const dollars = [
    strings.savings.paid(moneyText(paid)),
    ...unusedLines(savings, strings),
    ...(savings.keptAlive.times === 0
      ? []
      : [strings.savings.keptAlive(grouped(savings.keptAlive.times), moneyText(savings.keptAlive.dollars))]),
    strings.savings.untrimmed(moneyText(untrimmed)),
    strings.savings.net(netText(net, strings), percent(share ?? 0)),
    ...(isDoubtful ? [strings.savings.doubtful(moneyText(untrimmedDoubt), percent(untrimmedDoubt / untrimmed))] : []),
  ]
  return [
    strings.savings.counted(grouped(conversations), grouped(requests)),
    // Amounts mean nothing without a single known cost.
    ...(unpriced > 0 && paid === 0 && untrimmed === 0 ? [] : dollars),
    ...(unpriced > 0 ? [strings.savings.unpriced(grouped(unpriced))] : []),
    ...tokenLines(savings.unpricedTokens, strings),
    ...holdOutLines(savings, strings),
  ]
}

function unusedLines({ unusedTools: unused }: Savings, { savings }: Strings['gateway']): readonly string[] {
  if (unused === null || unused.dollars < minShown) return []
  const names = unused.most.map(({ name, dollars }) => `${name} ${moneyText(dollars)}`)
  return [savings.unusedTools(moneyText(unused.dollars), grouped(unused.conversations), names.join(', '))]
}

/** Dollars below which a cost is not worth a line. */
const minShown = 0.005

function tokenLines(tokens: SavingsTokens | null, { savings }: Strings['gateway']): readonly string[] {
  if (tokens === null) return []
  const { sent, cached, untrimmed, removed, estimated } = tokens
  const share = percent(untrimmed > 0 ? Math.abs(removed) / untrimmed : 0)
  return [
    savings.sentTokens(grouped(sent), grouped(cached)),
    savings.untrimmedTokens(grouped(untrimmed)),
    removed < 0 ? savings.addedTokens(grouped(-removed), share) : savings.removedTokens(grouped(removed), share),
    ...(estimated > 0 ? [savings.estimatedTokens(grouped(estimated))] : []),
    savings.setPrice,
  ]
}

function holdOutLines({ holdOut }: Savings, { savings }: Strings['gateway']): readonly string[] {
  if (holdOut === null) return [savings.noHoldOut]
  const { trimmed, untouched, perRequest } = holdOut
  if (perRequest === null)
    return [savings.notEnough(grouped(trimmed.conversations), grouped(untouched.conversations), grouped(minHeldOut))]
  const [low, high] = perRequest.interval
  const line = savings.holdOut(signed(perRequest.change), signed(low), signed(high))
  return perRequest.isCertain ? [line] : [line, savings.uncertain]
}

function signed(share: number): string {
  return `${share > 0 ? '+' : ''}${percent(share)}`
}

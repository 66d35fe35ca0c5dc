import { codecs } from '@plimsoll/core'
import { type TrimMode, trimModes } from '@plimsoll/core/policies'
import type { WireDialect } from '../../../packages/node/src/store/gateway-record.ts'
import { requestLengths, workOf } from '../../../test/gateway/work.ts'
import type { Hidden } from '../laws/check-originals.ts'
import { createWitness } from '../laws/witness.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import type { Upstream } from '../upstream/start-upstream.ts'
import { ask } from './gateway-client.ts'
import type { SoakedGateway } from './gateway-process.ts'

/** Gateways with a shared store; one alone is a group too. */
export interface GatewayGroup {
  readonly gateways: readonly [SoakedGateway, ...SoakedGateway[]]
}

/** Options of a conversation. */
export interface ConversationOptions {
  /** Increases with every fault of a store or a gateway. */
  readonly faults: () => number
  readonly stage: Stage
  readonly random: Random
  readonly upstream: Upstream
  readonly group: GatewayGroup
}

/** Milliseconds until another gateway of the group sees a sent request. */
const writingTime = 1200

const dialects = Object.keys(codecs).filter((name): name is WireDialect => name !== 'ai-sdk') as [WireDialect, ...WireDialect[]]

/** Sends an agent's conversation, request by request, through any available gateway of a group. Returns the trimmed texts. */
export async function converse({ stage, random, upstream, group, faults }: ConversationOptions): Promise<Hidden | null> {
  const { journal } = stage
  const dialect = random.pick(dialects)
  const mode = gentler(group.gateways[0].mode, random)
  const key = stage.plant(dialect)
  const work = workOf(2 + random.below(7))
  const before = faults()
  const witness = createWitness(dialect, mode, journal)
  journal.count(`gateway: conversations, ${dialect}, ${mode}`)
  let latest: SoakedGateway | null = null
  for (const length of requestLengths(work)) {
    const messages = work.slice(0, length)
    const isStreamed = random.chance(0.5)
    const once = async (leaveAfter?: number) => {
      const gateway = random.pick(group.gateways)
      // A sent request is stored a moment later, faster than a model answers.
      if (gateway !== latest) await stage.rest(latest === null ? 0 : writingTime)
      latest = gateway
      const url = gateway.url()
      if (url === null) return null
      const lives = gateway.lives()
      const request = { url, dialect, mode, key, isStreamed, messages, ...(leaveAfter === undefined ? {} : { leaveAfter }) }
      return ask(request, upstream, journal, () => gateway.lives() !== lives)
    }
    const first = await once(random.chance(0.1) ? random.below(300) : undefined)
    if (first === null) witness.lose()
    else witness.see(first)
    if (!random.chance(0.3)) continue
    const earlier: SoakedGateway | null = latest
    const again = await once()
    if (again === null) {
      witness.lose()
      continue
    }
    witness.see(again)
    // The store records what was sent; after an outage it may treat sent content as unsent.
    if (faults() !== before || (latest !== earlier && !stage.isPatient)) continue
    // Only requests with a certain decision can be compared.
    if (first?.findings !== '' || again.findings !== '' || !first.isAnswered || !again.isAnswered) continue
    journal.check('a repeated request has the same bytes', first.arrived === again.arrived, () => {
      return `${dialect}, ${mode}, ${group.gateways[0].name}: ${first.status}, ${first.arrived.length} and ${again.status}, ${again.arrived.length} characters of ${first.body.length}`
    })
  }
  return witness.hidden().size === 0 ? null : { key, texts: [...witness.hidden()], store: group.gateways[0].store }
}

/** The gateway's own mode, or one that changes less. */
function gentler(mode: TrimMode, random: Random): TrimMode {
  const allowed = trimModes.slice(0, trimModes.indexOf(mode) + 1)
  return random.chance(0.6) ? mode : (allowed[random.below(allowed.length)] ?? mode)
}

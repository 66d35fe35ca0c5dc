import { escapeUnprintable } from '@plimsoll/core/text'
import { hidingCostOf } from '../../inspect/inspect-gateway.ts'
import type { GatewayMessage } from '../../store/gateway-record.ts'
import { type GatewayStore, isSharedStore } from '../../store/gateway-store.ts'
import { changeHidden, readHidden } from '../../store/hidden-items.ts'
import { openGatewayStore } from '../../store/open-gateway-store.ts'
import { tenantsOf } from '../../store/tenants.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { readSettings } from '../settings.ts'
import { grouped, moneyText } from '../terminal/text.ts'
import { gatewayPlace } from './gateway-place.ts'
import { storeProblem } from './open-gateway.ts'

interface HideOptions {
  readonly store?: string
  readonly conversation?: string
}

/** Prints what hiding costs and hides a result from what the gateway sends; without a number, lists the results that can be hidden. */
export function hideResultCommand(which: string | undefined, options: HideOptions, io: CommandIo): Promise<void> {
  return change(which, 'hide', options, io)
}

export function unhideResultCommand(which: string | undefined, options: HideOptions, io: CommandIo): Promise<void> {
  return change(which, 'unhide', options, io)
}

async function change(which: string | undefined, how: 'hide' | 'unhide', options: HideOptions, io: CommandIo): Promise<void> {
  const { strings, config } = await readSettings({}, io)
  const { store: location } = gatewayPlace(options, { ...config.gateway, host: '127.0.0.1' }, io, strings)
  let store: GatewayStore | null = null
  try {
    store = await openGatewayStore(location, { now: io.now, isReading: which === undefined })
    const found = await findConversation(store, await tenantsOf(store, isSharedStore(location), io.environment), options)
    if (found === null) throw new CommandError(strings.gateway.hide.noConversation, 1)
    const { tenant, stored } = found
    const hidden = await readHidden(store, tenant)
    const results = stored.messages.map((message, index) => ({ message, number: index + 1 })).filter(isResult)
    if (which === undefined) {
      const lines = results.map(({ message: { id, tool, tokens }, number }) =>
        strings.gateway.hide.row(`${number}`, escapeUnprintable(tool ?? ''), grouped(tokens), hidden.has(id)),
      )
      return io.stdout.write(`${lines.join('\n')}\n`)
    }
    const chosen = results.find(({ message, number }) => `${number}` === which || message.id === which)
    if (chosen === undefined) throw new CommandError(strings.gateway.hide.noResult(escapeUnprintable(which)), 1)
    const { id } = chosen.message
    const number = `${chosen.number}`
    const { sessionCommands } = strings
    if (hidden.has(id) === (how === 'hide'))
      return io.stdout.write(`${how === 'hide' ? sessionCommands.alreadyHidden(number) : sessionCommands.notHidden(number)}\n`)
    // The price is shown before anything changes.
    if (how === 'hide') {
      const settings = { config, isWindowSet: false, day: new Date(io.now()).toISOString().slice(0, 10) }
      const { saved, rewritten, dollars } = hidingCostOf(stored, id, settings, io.now())
      const price = dollars === null ? null : moneyText(dollars)
      io.stdout.write(`${sessionCommands.hidingCost(grouped(saved), grouped(rewritten), price)}\n`)
    }
    await changeHidden(store, tenant, { message: id, isHidden: how === 'hide', now: io.now() })
    io.stdout.write(`${how === 'hide' ? strings.gateway.hide.hidden(number) : sessionCommands.unhidden(number)}\n`)
  } catch (error) {
    throw storeProblem(error, location, io, strings)
  } finally {
    await store?.close()
  }
}

function isResult({ message: { role } }: { readonly message: GatewayMessage }): boolean {
  return role === 'tool'
}

/** The conversation with this id or label, or the latest. */
async function findConversation(store: GatewayStore, tenants: readonly string[], { conversation: asked }: HideOptions) {
  const all = await Promise.all(
    tenants.map(async (tenant) => (await store.conversations(tenant)).map((conversation) => ({ tenant, conversation }))),
  )
  const [latest] = all
    .flat()
    .filter(({ conversation: { id, label } }) => asked === undefined || id === asked || label === asked)
    .toSorted((one, other) => other.conversation.last - one.conversation.last)
  const stored = latest === undefined ? null : await store.conversation(latest.tenant, latest.conversation.id)
  return latest === undefined || stored === null ? null : { tenant: latest.tenant, stored }
}

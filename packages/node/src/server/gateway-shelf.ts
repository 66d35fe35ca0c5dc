import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { HidingCost } from '@plimsoll/core/session'
import { escapeUnprintable } from '@plimsoll/core/text'
import type { InspectSettings } from '../inspect/inspect-facts.ts'
import { hidingCostOf } from '../inspect/inspect-gateway.ts'
import type { GatewayTarget } from '../inspect/inspector.ts'
import type { LogListRow } from '../shared/server-api.ts'
import type { GatewayConversation } from '../store/gateway-record.ts'
import { type GatewayStore, isSharedStore } from '../store/gateway-store.ts'
import { changeHidden } from '../store/hidden-items.ts'
import { tenantsOf } from '../store/tenants.ts'
import type { LogShelf } from './log-shelf.ts'
import { refusal } from './refusal.ts'
import type { RouteOptions } from './server-options.ts'

export interface Shelves {
  readonly shelf: LogShelf
  readonly gateways: GatewayShelf | null
}

export type GatewayShelf = ReturnType<typeof createGatewayShelf>

/** The conversations of this user's gateways, in a store that is opened at the first use. */
export function createGatewayShelf(
  location: string,
  { now, environment, config, isWindowSet }: Pick<RouteOptions, 'now' | 'environment' | 'config' | 'isWindowSet'>,
) {
  let store: Promise<GatewayStore> | null = null
  let targets = new Map<string, GatewayTarget>()

  async function look(): Promise<readonly LogListRow[]> {
    // Looking for a gateway must not create a store.
    if (!isSharedStore(location) && !existsSync(location)) return []
    store ??= openStore(location)
    store.catch(() => {
      store = null
    })
    const opened = await store
    const rows: LogListRow[] = []
    const next = new Map<string, GatewayTarget>()
    const own = new Set(await tenantsOf(opened, isSharedStore(location), environment))
    for (const tenant of await opened.tenants()) {
      for (const conversation of await opened.conversations(tenant, { limit: maxRows })) {
        // The names of tenants and conversations must not appear in addresses.
        const id = `g${hash('sha256', `${tenant}\n${conversation.id}`).slice(0, 16)}`
        next.set(id, { kind: 'gateway', store: location, tenant, conversation: conversation.id, id, canHide: own.has(tenant) })
        rows.push(rowOf(id, conversation))
      }
    }
    targets = next
    return rows.toSorted((one, other) => other.changed - one.changed).slice(0, maxRows)
  }

  async function targetOf(id: string): Promise<GatewayTarget | null> {
    if (!/^g[0-9a-f]{16}$/.test(id)) return null
    if (!targets.has(id)) await look().catch(() => [])
    return targets.get(id) ?? null
  }

  return {
    /** The newest first; none if the store cannot be read right now. */
    list: () => look().catch(() => []),
    targetOf,
    /** What hiding results of a conversation costs, and hiding them; null if there is no such conversation. */
    async hiding(id: string) {
      const target = await targetOf(id)
      const opened = target === null || store === null ? null : await store
      const stored = target === null || opened === null ? null : await opened.conversation(target.tenant, target.conversation)
      if (target === null || opened === null || stored === null) return null
      const settings: InspectSettings = { config, isWindowSet, day: new Date(now()).toISOString().slice(0, 10) }
      const check = (messages: readonly string[]) => {
        const results = new Set(stored.messages.flatMap((message) => (message.role === 'tool' ? [message.id] : [])))
        if (!target.canHide || !messages.every((message) => results.has(message))) throw refusal('NO_SUCH_MESSAGE')
      }
      return {
        cost(message: string): HidingCost {
          check([message])
          return hidingCostOf(stored, message, settings, now())
        },
        async change({ hide, unhide }: Readonly<Record<'hide' | 'unhide', readonly string[]>>): Promise<void> {
          check([...hide, ...unhide])
          for (const message of hide) await changeHidden(opened, target.tenant, { message, isHidden: true, now: now() })
          for (const message of unhide) await changeHidden(opened, target.tenant, { message, isHidden: false, now: now() })
        },
      }
    },
    async close(): Promise<void> {
      await (await store?.catch(() => null))?.close()
    },
  }
}

/** Most users have no gateway, and the code for its store takes a while to load. */
async function openStore(location: string): Promise<GatewayStore> {
  const { openGatewayStore } = await import('../store/open-gateway-store.ts')
  return openGatewayStore(location, { now: Date.now, isReading: true })
}

const maxRows = 1000

function rowOf(id: string, { label, model, dialect, mode, last, requests }: GatewayConversation): LogListRow {
  return {
    id,
    agent: 'gateway',
    name: escapeUnprintable(label ?? model ?? dialect),
    folder: escapeUnprintable([dialect, model, mode].filter((word) => word !== null).join(' · ')),
    bytes: 0,
    changed: last,
    requests,
  }
}

import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { escapeUnprintable } from '@plimsoll/core/text'
import type { GatewayTarget } from '../inspect/inspector.ts'
import type { LogListRow } from '../shared/server-api.ts'
import type { GatewayConversation } from '../store/gateway-record.ts'
import { type GatewayStore, isSharedStore } from '../store/gateway-store.ts'
import type { LogShelf } from './log-shelf.ts'

export interface Shelves {
  readonly shelf: LogShelf
  readonly gateways: GatewayShelf | null
}

type GatewayShelf = ReturnType<typeof createGatewayShelf>

/** The conversations of this user's gateways, in a store that is opened at the first use. */
export function createGatewayShelf(location: string, open: (location: string) => Promise<GatewayStore>) {
  let store: Promise<GatewayStore> | null = null
  let targets = new Map<string, GatewayTarget>()

  async function look(): Promise<readonly LogListRow[]> {
    // Looking for a gateway must not create a store.
    if (!isSharedStore(location) && !existsSync(location)) return []
    store ??= open(location)
    store.catch(() => {
      store = null
    })
    const opened = await store
    const rows: LogListRow[] = []
    const next = new Map<string, GatewayTarget>()
    for (const tenant of await opened.tenants()) {
      for (const conversation of await opened.conversations(tenant, { limit: maxRows })) {
        // The names of tenants and conversations must not appear in addresses.
        const id = `g${hash('sha256', `${tenant}\n${conversation.id}`).slice(0, 16)}`
        next.set(id, { kind: 'gateway', store: location, tenant, conversation: conversation.id, id })
        rows.push(rowOf(id, conversation))
      }
    }
    targets = next
    return rows.toSorted((one, other) => other.changed - one.changed).slice(0, maxRows)
  }

  return {
    /** The newest first; none if the store cannot be read right now. */
    list: () => look().catch(() => []),
    async targetOf(id: string): Promise<GatewayTarget | null> {
      if (!/^g[0-9a-f]{16}$/.test(id)) return null
      if (!targets.has(id)) await look().catch(() => [])
      return targets.get(id) ?? null
    },
    async close(): Promise<void> {
      await (await store?.catch(() => null))?.close()
    },
  }
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

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { escapeUnprintable } from '@plimsoll/core/text'
import type { GatewayTarget } from '../inspect/inspector.ts'
import type { LogListRow } from '../shared/server-api.ts'
import type { GatewayConversation } from '../store/gateway-record.ts'
import { type GatewayStore, isSharedStore } from '../store/gateway-store.ts'
import type { LogShelf } from './log-shelf.ts'

/** What can be looked at besides the sessions of ours: logs, and what went through gateways. */
export interface Shelves {
  readonly shelf: LogShelf
  /** Null where nobody runs one. */
  readonly gateways: GatewayShelf | null
}

/** The conversations that went through a gateway of this user. */
export interface GatewayShelf {
  /** The newest first; none where the store cannot be read right now. */
  readonly list: () => Promise<readonly LogListRow[]>
  /** What an id of the list names; null where it names nothing. */
  readonly targetOf: (id: string) => Promise<GatewayTarget | null>
  readonly close: () => Promise<void>
}

/** A shelf of the conversations in a store, which is opened with the first look at it. */
export function createGatewayShelf(location: string, open: (location: string) => Promise<GatewayStore>): GatewayShelf {
  let store: Promise<GatewayStore> | null = null
  let targets = new Map<string, GatewayTarget>()

  async function look(): Promise<readonly LogListRow[]> {
    // To look for a gateway makes none.
    if (!isSharedStore(location) && !existsSync(location)) return []
    store ??= open(location)
    store.catch(() => {
      store = null
    })
    const opened = await store
    const rows: LogListRow[] = []
    const next = new Map<string, GatewayTarget>()
    for (const tenant of await opened.tenants()) {
      for (const conversation of await opened.conversations(tenant, { limit: mostRows })) {
        const id = idOf(tenant, conversation.id)
        next.set(id, { kind: 'gateway', store: location, tenant, conversation: conversation.id, id })
        rows.push(rowOf(id, conversation))
      }
    }
    targets = next
    return rows.toSorted((one, other) => other.changed - one.changed).slice(0, mostRows)
  }

  return {
    list: () => look().catch(() => []),
    async targetOf(id) {
      if (!isGatewayId(id)) return null
      if (!targets.has(id)) await look().catch(() => [])
      return targets.get(id) ?? null
    },
    async close() {
      await (await store?.catch(() => null))?.close()
    },
  }
}

/** Whether an id is one that a gateway's shelf may know. */
function isGatewayId(id: string): boolean {
  return /^g[0-9a-f]{16}$/.test(id)
}

const mostRows = 1000

/** Tenants and conversations have names of their own, which are nobody's business in an address. */
function idOf(tenant: string, conversation: string): string {
  return `g${createHash('sha256').update(`${tenant}\n${conversation}`).digest('hex').slice(0, 16)}`
}

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

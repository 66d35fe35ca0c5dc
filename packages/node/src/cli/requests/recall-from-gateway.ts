import { existsSync } from 'node:fs'
import { recall } from '@plimsoll/core'
import type { RecallAnswer, RecallRequest } from '@plimsoll/core/session'
import { handleIn, storedOriginals, storedSource } from '../../mcp/recall-server.ts'
import { type GatewayStore, StoreError } from '../../store/gateway-store.ts'
import { openGatewayStore } from '../../store/open-gateway-store.ts'
import { isSharedStore, storeLocation } from '../../store/store-location.ts'
import type { SessionContext } from '../session-context.ts'
import { tenantsOf } from './store-tenants.ts'

/** What a gateway hid and was found again: in which conversation, and the answer. */
export interface GatewayAnswer {
  readonly session: string
  readonly answer: Exclude<RecallAnswer, { kind: 'missing' }>
}

/** Looks for an original among those that a gateway keeps. Null where there is none, or no store that answers. */
export async function answerFromGateway(
  request: RecallRequest,
  { io, settings: { config } }: SessionContext,
): Promise<GatewayAnswer | null> {
  const location = storeLocation(config.gateway.store, io.environment)
  // Looking for something makes no store.
  if (!isSharedStore(location) && !existsSync(location)) return null
  const handle = handleIn(request.handle)
  if (request.handle !== undefined && handle === null) return null
  let store: GatewayStore | null = null
  try {
    const opened = await openGatewayStore(location, { now: io.now })
    store = opened
    const tenants = () => tenantsOf(opened, isSharedStore(location), io.environment)
    const kept = await storedOriginals(handle, { store, tenants })
    const answer = recall(request, storedSource(kept), { facts: { config } })
    if (answer.kind === 'missing') return null
    const id = answer.kind === 'found' ? answer.original.message : null
    const conversation = kept.find(({ message }) => message.id === id)?.conversation
    return { session: conversation === undefined ? 'gateway' : `gateway:${conversation}`, answer }
  } catch (error) {
    if (error instanceof StoreError) return null
    throw error
  } finally {
    await store?.close()
  }
}

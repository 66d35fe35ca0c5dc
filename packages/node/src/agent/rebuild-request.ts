import { applyEdits, type Edit, type Message } from '@plimsoll/core'
import { assembleLayers } from '../layers/assemble-layers.ts'
import type { StoredSession } from '../session/session.ts'
import { inPolicyOrder, listFirst } from './edit-order.ts'
import { knownLayers, viewHandle } from './record-request.ts'

/** A past request, rebuilt from the log. */
export interface RebuiltRequest {
  readonly model: string
  readonly messages: readonly Message[]
  /** Whether it is, byte for byte, what was sent. */
  readonly isProven: boolean
}

/** Rebuilds what a request showed the model, from the log alone. Null where the log has no such request. */
export function rebuildRequest(session: StoredSession, id: string): RebuiltRequest | null {
  const request = session.entry(id)
  if (request?.type !== 'request') return null
  const state = session.state(id)
  const texts = knownLayers(session)
  const layer = (name: string) => texts.get(request.layers?.[name] ?? '') ?? ''
  const rebuilt = [inPolicyOrder, listFirst].map((order) => {
    const messages = assembleLayers({
      system: layer('system'),
      rules: layer('rules'),
      messages: edited(state.messages, order(state.edits, request.policies ?? [])),
      announcement: layer('announcement'),
      recap: layer('recap'),
    })
    return { model: request.model, messages, isProven: viewHandle(messages) === request.view }
  })
  return rebuilt.find(({ isProven }) => isProven) ?? rebuilt[0] ?? null
}

/** What a log that was tampered with makes of messages is anybody's guess; that it is not proven, is said. */
function edited(messages: readonly Message[], edits: readonly Edit[]): readonly Message[] {
  try {
    return applyEdits(messages, edits)
  } catch {
    return messages
  }
}

import {
  type Codec,
  type ConversationState,
  createConversation,
  type Edit,
  type PreparedRequest,
  type RequestConversation,
} from '@plimsoll/core'
import { emptyLedger, gatewayMode, type TrimMode } from '@plimsoll/core/policies'
import { readRequest } from '../../packages/core/src/engine/known-request.ts'

type Body = Readonly<Record<string, unknown>>

/** A program that uses the library for the requests of one client. */
export interface LibraryHost {
  readonly next: (body: Body, at: number, model: string) => PreparedRequest<Body>
  readonly accepted: (answer: unknown) => void
}

/** How a host keeps the state of its conversation. */
export type Keeping =
  /** One conversation, unchanged. */
  | 'in memory'
  /** A new one from `state()` through JSON at every request. */
  | 'restarted'
  /**
   * The state after each request, to continue from the one that the client continues, and the decisions about each part, even of
   * failed requests. Gateways do both.
   */
  | 'by branch'

/** Starts a host with the options of a gateway mode. */
export function createLibraryHost(codec: Codec, mode: TrimMode, keeping: Keeping): LibraryHost {
  const open = (model: string, state?: ConversationState): RequestConversation =>
    createConversation({ codec, ...gatewayMode(mode, codec.name), model, ...(state === undefined ? {} : { state }) })
  const firstSeen = new Map<string, number>()
  const branches = createBranches()
  let conversation: RequestConversation | null = null
  let last: { readonly model: string; readonly ids: readonly string[] } | null = null
  return {
    next(body, at, model) {
      const { messages } = readRequest(codec, body)
      const ids = messages.map(({ id }) => id)
      // The time a message was first seen does not depend on the outcome of the request.
      for (const id of ids) if (!firstSeen.has(id)) firstSeen.set(id, at)
      if (keeping === 'by branch' || conversation === null) {
        const answered = messages.findLast(({ role }) => role === 'assistant')?.id ?? null
        conversation = open(model, throughJson(branches.find(ids, answered)))
      } else if (keeping === 'restarted' || last?.model !== model) {
        conversation = open(model, throughJson(conversation.state()))
      }
      last = { model, ids }
      const prepared = conversation.next(body, { now: at, firstSeen: (id) => firstSeen.get(id) })
      branches.decided(prepared.edits)
      return prepared
    },
    accepted(answer) {
      conversation?.accepted(answer)
      if (conversation !== null && last !== null) branches.accepted(last.ids, conversation.state())
    },
  }
}

/** The state of a conversation after each of its requests, and the decisions about each part. */
function createBranches() {
  const states: { readonly ids: readonly string[]; readonly state: ConversationState }[] = []
  const decisions = new Map<string, Edit[]>()
  return {
    /** In a new conversation, everything up to the last answer was sent by others. */
    find(ids: readonly string[], answered: string | null): ConversationState {
      let best: (typeof states)[number] | undefined
      for (const branch of states) {
        if (branch.ids.length < (best?.ids.length ?? 0) || !branch.ids.every((id, index) => id === ids[index])) continue
        best = branch
      }
      const state = best?.state ?? { model: null, sent: answered, edits: [], ledger: emptyLedger }
      return { ...state, edits: ids.flatMap((id) => decisions.get(id) ?? []) }
    },
    decided(edits: readonly Edit[]) {
      const parts = new Map<string, Edit[]>()
      for (const edit of edits) {
        if (edit.kind !== 'replace') continue
        const list = parts.get(edit.message)
        if (list === undefined) parts.set(edit.message, [edit])
        else list.push(edit)
      }
      for (const [message, list] of parts) decisions.set(message, list)
    },
    accepted: (ids: readonly string[], state: ConversationState) => void states.push({ ids, state }),
  }
}

function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}

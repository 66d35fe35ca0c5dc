import type { Message, ReplaceEdit } from '@plimsoll/core'
import { windowFill } from '@plimsoll/core/bill'
import type { HidingCost } from '@plimsoll/core/session'
import type {
  InspectedEdit,
  InspectedRequest,
  Inspection,
  MessageTable,
  SessionFinding,
} from '../shared/inspection/inspection.ts'
import type { GatewayMessage, GatewayRequest } from '../store/gateway-record.ts'
import type { Claim, GatewayStore, StoredConversation } from '../store/gateway-store.ts'
import { type HiddenItems, readHidden } from '../store/hidden-items.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { createInspectFacts, InspectError, type InspectSettings } from './inspect-facts.ts'
import { editTexts, messagePage, type OpenInspected } from './inspected-texts.ts'
import { unusedOffers } from './unused-tools.ts'

/** Uses only stored numbers, because texts are mostly not kept. `sent` has the message numbers of each request, by its id. */
function inspectGateway(
  { conversation, requests, messages, damaged }: StoredConversation,
  { id, canHide, hidden }: Pick<GatewayToInspect, 'id' | 'canHide'> & { readonly hidden: HiddenItems },
  settings: InspectSettings,
): { readonly inspection: Inspection; readonly sent: ReadonlyMap<string, readonly number[]> } {
  const numbers = new Map(messages.map((message, number) => [message.id, number]))
  const sent = sentMessages(requests, numbers)
  const edits = requests.flatMap(({ edits: made, at }, request) =>
    made.map((edit): InspectedEdit => {
      const number = numbers.get(edit.message) ?? -1
      return { ...edit, number, lastNumber: number, at, request, state: 'in-force' }
    }),
  )
  const last = requests.at(-1)
  const hides = messages.flatMap((message) => (hidden.has(message.id) ? [message.id] : []))
  return {
    inspection: {
      session: {
        id,
        title: conversation.label ?? conversation.model,
        format: conversation.dialect,
        isOwn: false,
        root: null,
        model: conversation.model,
        first: conversation.first,
        last: conversation.last,
        bytes: null,
        cost: { dollars: conversation.dollars, unpriced: conversation.unpriced },
        pins: [],
        ...(hides.length === 0 ? {} : { hides }),
        ...(canHide ? { hiding: { isObserved: conversation.mode === 'observe' } } : {}),
      },
      messages: tableOf(messages, shownTokens(messages, sent.get(last?.id ?? '') ?? [], edits)),
      requests: requests.map((request) => inspectRequest(request, sent.get(request.id) ?? [])),
      edits,
      fill: last?.fill ?? windowFill([], createInspectFacts(settings).limitsOf(conversation.model)),
      findings: unusedIn(requests),
      troubles: damaged === undefined ? [] : [stringsFor(settings.config.locale).server.inspecting.damagedRows(damaged)],
    },
    sent,
  }
}

/** What tools cost that were never called, the most expensive first. */
function unusedIn(requests: readonly GatewayRequest[]): readonly SessionFinding[] {
  const offered = requests.find(({ tools }) => tools !== undefined)?.tools ?? []
  return unusedOffers(requests, offered, new Set(requests.flatMap(({ called = [] }) => called)))
    .filter(({ dollars }) => dollars > 0)
    .toSorted((one, other) => other.dollars - one.dollars)
}

/** What hiding a result costs by the gateway's own counts: everything after it in the last request is written again, unless the cache has expired. */
export function hidingCostOf(
  { conversation, requests, messages }: StoredConversation,
  id: string,
  settings: InspectSettings,
  now: number,
): HidingCost {
  const places = new Map(messages.map((message, number) => [message.id, number]))
  const last = requests.at(-1)
  const sent = sentMessages(requests, places).get(last?.id ?? '') ?? []
  const at = sent.indexOf(places.get(id) ?? -1)
  const { priceOf, termsOf } = createInspectFacts(settings)
  const model = conversation.model ?? ''
  const { lifetimeSeconds } = termsOf(model)
  const isCold = lifetimeSeconds !== null && now - (last?.at ?? 0) > lifetimeSeconds * 1000
  const after = at < 0 || isCold ? [] : sent.slice(at + 1)
  const rewritten = after.reduce((sum, number) => sum + (messages[number]?.tokens ?? 0), 0)
  const price = priceOf(model, now)
  return {
    saved: messages[places.get(id) ?? -1]?.tokens ?? 0,
    rewritten,
    dollars: price === null ? null : (rewritten * price.cacheWrite) / 1_000_000,
  }
}

/** A request lists only the messages that the request it continues did not have. */
function sentMessages(
  requests: readonly GatewayRequest[],
  numbers: ReadonlyMap<string, number>,
): ReadonlyMap<string, readonly number[]> {
  const sent = new Map<string, readonly number[]>()
  for (const { id, after, sharedMessages, messages } of requests) {
    const before = sent.get(after ?? '') ?? []
    sent.set(id, [...before.slice(0, sharedMessages), ...messages.map((message) => numbers.get(message) ?? -1)])
  }
  return sent
}

function inspectRequest(request: GatewayRequest, sent: readonly number[]): InspectedRequest {
  const { id, at, model, fill, usage, cost, edits, waiting, broken } = request
  return {
    id,
    at,
    model,
    fill,
    last: sent.at(-1) ?? -1,
    usage,
    cost,
    edits: edits.length,
    saved: request.tokensBefore - request.tokensAfter,
    waiting,
    isCompacted: false,
    broken: broken === null || broken.message === null ? broken : { ...broken, message: sent[broken.message] ?? null },
  }
}

function shownTokens(
  messages: readonly GatewayMessage[],
  sent: readonly number[],
  edits: readonly InspectedEdit[],
): readonly number[] {
  const shown = messages.map(() => 0)
  for (const number of sent) if (number >= 0) shown[number] = messages[number]?.tokens ?? 0
  for (const { number, tokensBefore, tokensAfter } of edits)
    if ((shown[number] ?? 0) > 0) shown[number] = Math.max(0, (shown[number] ?? 0) - tokensBefore + tokensAfter)
  return shown
}

function tableOf(messages: readonly GatewayMessage[], shown: readonly number[]): MessageTable {
  const toolNames = [...new Set(messages.flatMap(({ tool }) => tool ?? []))]
  const places = new Map(toolNames.map((tool, place) => [tool, place]))
  return {
    ids: messages.map(({ id }) => id),
    roles: messages.map(({ role }) => role),
    tokens: messages.map(({ tokens }) => tokens),
    shown,
    categories: messages.map(({ category }) => category),
    tools: messages.map(({ tool }) => (tool === null ? -1 : (places.get(tool) ?? -1))),
    toolNames,
    times: messages.map(({ at }) => at),
  }
}

interface GatewayToInspect {
  readonly store: GatewayStore
  readonly tenant: string
  readonly conversation: string
  /** The name of the conversation in URLs. */
  readonly id: string
  /** Whether results of this tenant can be hidden from here. */
  readonly canHide: boolean
}

/**
 * Leaves the store open. Rejects with `InspectError` if there is no such conversation, with `StoreError` if the store cannot be
 * reached.
 */
export async function openInspectedGateway(
  { store, tenant, conversation, id, canHide }: GatewayToInspect,
  settings: InspectSettings,
): Promise<OpenInspected> {
  const stored = await store.conversation(tenant, conversation)
  if (stored === null) throw new InspectError('no-such-session')
  const { inspection, sent } = inspectGateway(stored, { id, canHide, hidden: await readHidden(store, tenant) }, settings)
  let claims: Promise<readonly Claim[]> | null = null
  const claimed = () => {
    claims ??= store.claimsOf(tenant, conversation)
    return claims
  }

  /** The messages as sent to the gateway, if they were kept. */
  async function originals(numbers: readonly number[]): Promise<readonly Message[]> {
    const wanted = numbers.flatMap((number) => stored?.messages[number] ?? [])
    const ids = wanted.map((message) => message.id)
    const texts = await store.texts(tenant, ids)
    const hidden = new Map(
      (await claimed()).flatMap(({ original: { message } }) => (message.parts.length === 0 ? [] : [[message.id, message]])),
    )
    return wanted.map((message) => texts.get(message.id) ?? hidden.get(message.id) ?? notKept(message, settings))
  }

  return {
    close: async () => undefined,
    texts: {
      inspection: async (locale = null) => ({
        ...inspection,
        ...((await isTextKept()) ? {} : { note: stringsFor(locale).server.inspecting.textNotKept }),
      }),
      async messages(from, to) {
        const first = Math.max(0, from)
        const numbers = [...inspection.messages.ids.keys()].slice(first, Math.max(first, to))
        const messages = await originals(numbers)
        return messagePage(inspection, from, to, (_, number) => messages[number - first] ?? null)
      },
      async request(name) {
        const place = inspection.requests.findIndex((one) => one.id === name)
        const numbers = sent.get(name)
        if (place < 0 || numbers === undefined) throw new InspectError('no-such-request')
        const messages = await originals(numbers)
        const edits = Map.groupBy(await claimed(), ({ original }) => original.message.id)
        const inForce = new Set(inspection.edits.flatMap((edit) => ((edit.request ?? 0) <= place ? [edit.message] : [])))
        return {
          id: name,
          model: inspection.requests[place]?.model ?? null,
          messages: messages.map((message) => {
            const about = (inForce.has(message.id) ? edits.get(message.id) : undefined) ?? []
            const made = about.filter(({ decision }) => message.parts[decision.part] !== undefined)
            return made.length === 0
              ? message
              : {
                  ...message,
                  parts: made.reduce((parts, { decision }) => parts.with(decision.part, decision.with), message.parts),
                }
          }),
          // The gateway does not store the bytes it sent.
          isProven: false,
        }
      },
      async edit(name, locale = null) {
        const edit = inspection.edits.find((one) => one.id === name)
        const claim = (await claimed()).find(
          ({ original, decision: { part } }) => original.message.id === edit?.message && part === edit.part,
        )
        if (edit === undefined || claim === undefined) throw new InspectError('no-such-edit')
        const { decision, original } = claim
        const replace: ReplaceEdit = { ...decision, id: edit.id, kind: 'replace', message: edit.message }
        const session = { whole: () => ({ trouble: '' }), large: () => null }
        const source = { session, message: () => original.message, folded: () => [] }
        return editTexts(replace, source, stringsFor(locale))
      },
      blob: async () => null,
    },
  }

  async function isTextKept(): Promise<boolean> {
    const first = stored?.messages[0]
    return first === undefined || (await store.texts(tenant, [first.id])).size > 0
  }
}

function notKept({ id, role, at }: GatewayMessage, { config }: InspectSettings): Message {
  return { id, role, at, parts: [{ type: 'text', text: stringsFor(config.locale).server.inspecting.notKept }] }
}

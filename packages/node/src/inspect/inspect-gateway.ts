import { windowFill } from '@plimsoll/core/bill'
import type { InspectedEdit, InspectedRequest, Inspection, MessageTable } from '../shared/inspection/inspection.ts'
import type { GatewayMessage, GatewayRequest } from '../store/gateway-record.ts'
import type { StoredConversation } from '../store/gateway-store.ts'
import { createInspectFacts, type InspectSettings } from './inspect-facts.ts'

/** How a conversation that went through a gateway is inspected. */
export interface InspectGatewayOptions extends InspectSettings {
  /** What names it in addresses. */
  readonly id: string
}

/** A conversation that went through a gateway, as it is inspected. */
export interface InspectedGateway {
  readonly inspection: Inspection
  /** The numbers of the messages that stood in each request, by its id. */
  readonly sent: ReadonlyMap<string, readonly number[]>
}

/**
 * Everything that the inspector shows of a conversation that went through a gateway, out of the numbers that were written down: no text
 * is needed for it, and mostly none was kept.
 */
export function inspectGateway(
  { conversation, requests, messages }: StoredConversation,
  options: InspectGatewayOptions,
): InspectedGateway {
  const numbers = new Map(messages.map(({ id }, number) => [id, number]))
  const sent = sentMessages(requests, numbers)
  const inspected = requests.map((request) => inspectRequest(request, sent.get(request.id) ?? []))
  const edits = requests.flatMap((request, place) => inspectEdits(request, place, numbers))
  const last = requests.at(-1)
  const { limitsOf } = createInspectFacts(options)
  return {
    inspection: {
      session: {
        id: options.id,
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
      },
      messages: tableOf(messages, shownTokens(messages, sent.get(last?.id ?? '') ?? [], edits)),
      requests: inspected,
      edits,
      fill: last?.fill ?? windowFill([], { ...limitsOf(conversation.model) }),
      troubles: [],
    },
    sent,
  }
}

/** A request names what the one it goes on from did not have; what they share is only counted. */
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

function inspectEdits(
  { edits, at }: GatewayRequest,
  request: number,
  numbers: ReadonlyMap<string, number>,
): readonly InspectedEdit[] {
  return edits.map((edit) => {
    const number = numbers.get(edit.message) ?? -1
    return { ...edit, number, lastNumber: number, at, request, state: 'in-force' }
  })
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

import type { Message, ReplaceEdit } from '@plimsoll/core'
import type { InspectedMessage } from '../shared/inspection/inspection.ts'
import type { GatewayMessage } from '../store/gateway-record.ts'
import type { Claim, GatewayStore } from '../store/gateway-store.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { editTexts } from './edit-texts.ts'
import { InspectError } from './inspect-error.ts'
import type { InspectSettings } from './inspect-facts.ts'
import { inspectGateway } from './inspect-gateway.ts'
import type { OpenInspected } from './inspected-texts.ts'

/** A conversation that went through a gateway, and the store that knows of it. */
export interface GatewayToInspect {
  readonly store: GatewayStore
  readonly tenant: string
  readonly conversation: string
  /** What names it in addresses. */
  readonly id: string
}

/**
 * Opens a conversation that went through a gateway to be looked at; the store stays open. Rejects with `InspectError` where there is no
 * such conversation, with `StoreError` where the store cannot be reached. What was not kept is shown by its size.
 */
export async function openInspectedGateway(
  { store, tenant, conversation, id }: GatewayToInspect,
  settings: InspectSettings,
): Promise<OpenInspected> {
  const stored = await store.conversation(tenant, conversation)
  if (stored === null) throw new InspectError('no-such-session')
  const { inspection, sent } = inspectGateway(stored, { ...settings, id })
  let claims: Promise<readonly Claim[]> | null = null
  const claimed = () => {
    claims ??= store.claimsOf(tenant, conversation)
    return claims
  }

  /** The messages as they were sent to the gateway, as far as anybody kept them. */
  async function originals(numbers: readonly number[]): Promise<readonly Message[]> {
    const wanted = numbers.flatMap((number) => stored?.messages[number] ?? [])
    const texts = await store.texts(
      tenant,
      wanted.map((message) => message.id),
    )
    const hidden = new Map((await claimed()).map(({ original: { message } }) => [message.id, message]))
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
        const numbers = inspection.messages.ids.slice(first, Math.max(first, to)).map((_, index) => first + index)
        const messages = await originals(numbers)
        return messages.map(
          (message, index): InspectedMessage => ({
            number: first + index,
            message,
            tokens: inspection.messages.tokens[first + index] ?? 0,
            isPinned: false,
            edits: inspection.edits.filter((edit) => edit.number === first + index).map((edit) => edit.id),
          }),
        )
      },
      async request(name) {
        const place = inspection.requests.findIndex((one) => one.id === name)
        const numbers = sent.get(name)
        if (place < 0 || numbers === undefined) throw new InspectError('no-such-request')
        const messages = await originals(numbers)
        const edits = new Map((await claimed()).map(({ decision, original }) => [original.message.id, decision]))
        const inForce = new Set(inspection.edits.flatMap((edit) => ((edit.request ?? 0) <= place ? [edit.message] : [])))
        return {
          id: name,
          model: inspection.requests[place]?.model ?? null,
          messages: messages.map((message) => {
            const decision = inForce.has(message.id) ? edits.get(message.id) : undefined
            if (decision === undefined || message.parts[decision.part] === undefined) return message
            return { ...message, parts: message.parts.with(decision.part, decision.with) }
          }),
          // The bytes that went out are in nobody's book, only what they were made of.
          isProven: false,
        }
      },
      async edit(name, locale = null) {
        const edit = inspection.edits.find((one) => one.id === name)
        const claim = (await claimed()).find(({ original }) => original.message.id === edit?.message)
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

/** In place of a message of which nothing but its size was written down. */
function notKept({ id, role, at }: GatewayMessage, { config }: InspectSettings): Message {
  return { id, role, at, parts: [{ type: 'text', text: stringsFor(config.locale).server.inspecting.notKept }] }
}

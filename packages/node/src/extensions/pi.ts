import {
  type Codec,
  type ConversationState,
  createConversation,
  detectCodec,
  economyPolicies,
  type RequestConversation,
  recallTool,
} from '@plimsoll/core'

// The parts of pi's API that are needed here.
interface Pi {
  on(event: string, handler: (event: never, context: never) => unknown): void
  registerTool(tool: object): void
  appendEntry(type: string, data: unknown): void
}
interface Context {
  readonly sessionManager: { getBranch(): readonly { readonly customType?: string; readonly data?: unknown }[] }
}

/** An extension for pi: trims each request in the provider's own format. pi's session keeps the full history, and what was decided is an entry of it. */
// oxlint-disable-next-line import/no-default-export -- pi loads the default export
export default function plimsoll(pi: Pi): void {
  let conversation: RequestConversation | null = null
  let codec: Codec | null = null
  let state: ConversationState | undefined
  let sent: Parameters<RequestConversation['accepted']>[1]
  pi.on('session_start', (_: never, context: Context) => {
    conversation = null
    state = undefined
    for (const { customType, data } of context.sessionManager.getBranch())
      if (customType === 'plimsoll') state = data as ConversationState
  })
  pi.on('before_provider_request', ({ payload }: { readonly payload: unknown }) => {
    try {
      const found = detectCodec(payload)
      if (found === null) return undefined
      if (conversation === null || found !== codec)
        conversation = createConversation({ codec: found, policies: economyPolicies, ...(state === undefined ? {} : { state }) })
      codec = found
      const prepared = conversation.next(payload, { now: Date.now() })
      sent = prepared.sent
      return prepared.request
    } catch {
      return undefined
    }
  })
  pi.on('message_end', ({ message }: { readonly message: Readonly<Record<string, unknown>> }) => {
    if (message['role'] !== 'assistant' || message['stopReason'] === 'error' || sent === undefined) return
    conversation?.accepted(message['usage'], sent)
    sent = undefined
  })
  // Once for each prompt: the state may have some kilobytes.
  pi.on('agent_end', () => {
    state = conversation?.state()
    if (state !== undefined) pi.appendEntry('plimsoll', state)
  })
  const { name, description, inputSchema } = recallTool
  pi.registerTool({
    name,
    label: 'Recall',
    description,
    parameters: inputSchema,
    execute: async (_id: string, input: unknown) => ({
      content: [{ type: 'text', text: conversation?.recall(input) ?? '' }],
      details: {},
    }),
  })
}

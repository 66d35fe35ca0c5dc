import {
  type Codec,
  type ConversationState,
  createConversation,
  detectCodec,
  economyPolicies,
  type RequestConversation,
  recallTool,
} from '@plimsoll/core'
import { summariseHistory } from '@plimsoll/core/hosts'

// The parts of pi's API that are needed here.
interface Pi {
  on(event: string, handler: (event: never, context: never) => unknown): void
  registerTool(tool: object): void
  appendEntry(type: string, data: unknown): void
}
interface Compaction {
  readonly preparation: {
    readonly messagesToSummarize: readonly Fields[]
    readonly turnPrefixMessages?: readonly Fields[]
    readonly previousSummary?: string
    readonly firstKeptEntryId: string
    readonly tokensBefore: number
  }
  readonly customInstructions?: string
}
type Fields = Readonly<Record<string, unknown>>
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
  // Instead of a summary that a model writes: only if the user asks for it.
  if ((process.env['PLIMSOLL_COMPACTION'] ?? '') !== '')
    pi.on('session_before_compact', ({ preparation, customInstructions: focus }: Compaction) => {
      try {
        const {
          messagesToSummarize,
          turnPrefixMessages = [],
          previousSummary: previous,
          firstKeptEntryId,
          tokensBefore,
        } = preparation
        const summary = summariseHistory([...messagesToSummarize, ...turnPrefixMessages].flatMap(itemsOf), {
          ...(focus === undefined ? {} : { focus }),
          ...(previous === undefined ? {} : { previous }),
        })
        return { compaction: { summary, firstKeptEntryId, tokensBefore } }
      } catch {
        return undefined
      }
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

type Item = Parameters<typeof summariseHistory>[0][number]

/** pi's own messages, which it passes for a compaction. */
function itemsOf({ role, content, toolCallId, isError }: Fields): readonly Item[] {
  if (role === 'toolResult') return [{ result: String(toolCallId), text: textOf(content), isError: isError === true }]
  if (role === 'user') return [{ role, text: textOf(content) }]
  if (role !== 'assistant' || !Array.isArray(content)) return []
  return content.flatMap((part: Fields): readonly Item[] => {
    if (part['type'] === 'text') return [{ role, text: String(part['text']) }]
    return part['type'] === 'toolCall' ? [{ call: String(part['id']), tool: String(part['name']), input: part['arguments'] }] : []
  })
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts: readonly Fields[] = Array.isArray(content) ? content : []
  return parts.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('\n')
}

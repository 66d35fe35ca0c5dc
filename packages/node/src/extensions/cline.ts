import { codecs, economyPolicies, recallTool } from '@plimsoll/core'
import { conversations, trimResults } from '@plimsoll/core/hosts'

type Fields = Readonly<Record<string, unknown>>
interface ClineMessage extends Fields {
  readonly role: string
  readonly content: string | readonly Fields[]
}
interface Asked {
  readonly request: { readonly messages: readonly ClineMessage[]; readonly sessionId?: string }
}

const all = conversations({ codec: codecs.anthropic, policies: economyPolicies, rules: ['results-only'] })
let accepted: ((usage: unknown) => void) | null = null

/** A plugin for the Cline CLI: trims the results of tools before each request. Cline's own history stays whole. */
const plimsoll = {
  name: 'plimsoll',
  manifest: { capabilities: ['hooks', 'tools'] },
  setup(api: { readonly registerTool: (tool: object) => void }) {
    const { name, description, inputSchema } = recallTool
    api.registerTool({ name, description, inputSchema, execute: async (input: unknown) => all.recall(input) })
  },
  hooks: {
    beforeModel({ request }: Asked) {
      try {
        const conversation = all.of(request.sessionId ?? JSON.stringify(request.messages[0] ?? null))
        const { results, sent } = trimResults(conversation, request.messages.flatMap(itemsOf), { now: Date.now() })
        accepted = (usage) => conversation.accepted(usage, sent)
        return { messages: request.messages.map((message) => shown(message, results)) }
      } catch {
        return undefined
      }
    },
    afterModel({ assistantMessage }: { readonly assistantMessage?: { readonly metrics?: unknown } }) {
      accepted?.(assistantMessage?.metrics)
      accepted = null
    },
  },
}
// oxlint-disable-next-line import/no-default-export -- Cline loads the default export
export default plimsoll

type Item = Parameters<typeof trimResults>[1][number]

function itemsOf({ role, content }: ClineMessage): readonly Item[] {
  const author = role === 'assistant' || role === 'system' ? role : 'user'
  if (typeof content === 'string') return [{ role: author, text: content }]
  return content.flatMap((part): readonly Item[] => {
    if (part['type'] === 'text') return [{ role: author, text: textIn(part['text']) }]
    if (part['type'] === 'tool-call')
      return [{ call: String(part['toolCallId']), tool: String(part['toolName']), input: part['input'] ?? part['args'] }]
    const text = part['type'] === 'tool-result' ? textOf(part['output']) : null
    return text === null ? [] : [{ result: String(part['toolCallId']), text, isError: part['isError'] === true }]
  })
}

function shown(message: ClineMessage, results: ReadonlyMap<string, string>): ClineMessage {
  if (typeof message.content === 'string') return message
  const content = message.content.map((part) => {
    const text =
      part['type'] === 'tool-result' && textOf(part['output']) !== null ? results.get(String(part['toolCallId'])) : undefined
    return text === undefined ? part : { ...part, output: text }
  })
  return { ...message, content }
}

/** Null if it is anything but text. Cline's own tools return a list of what each query gave. */
function textOf(output: unknown): string | null {
  if (typeof output === 'string') return output
  const blocks: readonly unknown[] = Array.isArray(output) ? output : []
  const texts = blocks.map((block) => blockText(block, blocks.length > 1))
  return texts.length > 0 && texts.every((text) => text !== null) ? texts.join('\n') : null
}

function blockText(block: unknown, isNamed: boolean): string | null {
  if (typeof block !== 'object' || block === null) return null
  const { text, query, result, success } = block as Fields
  if (typeof text === 'string') return text
  if (typeof result !== 'string' || success === false) return null
  return isNamed ? `${String(query)}:\n${result}` : result
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

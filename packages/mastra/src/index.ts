/** Plimsoll for Mastra. @packageDocumentation */
import { codecs, economyPolicies, handleOf, type Policy, type Report, recallTool } from '@plimsoll/core'
import { conversations } from '@plimsoll/core/hosts'

export interface TrimContextOptions {
  /** Default: `economyPolicies`. */
  readonly policies?: readonly Policy[]
  /** Called with what each request shows, and why. */
  readonly onReport?: (report: Report) => void
}

// Mastra's own types, as far as they are needed.
interface Step {
  readonly model: unknown
  readonly state: Record<string, unknown>
}

/**
 * Trims every request of an agent, and gives the tool with which the model recalls what was trimmed, for `createTool()`. Memory keeps the full history. One
 * processor serves any number of conversations at once, told apart by their first messages.
 *
 * @example
 * const { processor, recall } = trimContext()
 * new Agent({ …, inputProcessors: [processor], tools: { recall: createTool(recall) } })
 */
export function trimContext({ policies = economyPolicies, onReport }: TrimContextOptions = {}) {
  const all = conversations({ codec: codecs['ai-sdk'], policies })
  const processor = {
    id: 'plimsoll',
    processLLMRequest<Prompt extends readonly unknown[]>({ prompt, model, state }: Step & { readonly prompt: Prompt }) {
      // Mastra ends the run if this throws.
      try {
        const name = (model as { readonly modelId?: string }).modelId ?? ''
        const conversation = all.of(`${name} ${handleOf(JSON.stringify(prompt.slice(0, 2)))}`)
        const { request, report, sent } = conversation.next({ model: name, messages: prompt }, { now: Date.now() })
        onReport?.(report)
        state['plimsoll'] = (usage: unknown) => conversation.accepted(usage, sent)
        return { prompt: request.messages }
      } catch {
        return undefined
      }
    },
    processLLMResponse({ chunks, state }: Step & { readonly chunks: readonly object[] }) {
      const accepted = state['plimsoll']
      const last = chunks.findLast((chunk) => 'type' in chunk && (chunk.type === 'finish' || chunk.type === 'step-finish'))
      if (typeof accepted === 'function') accepted(usageIn(last))
      return undefined
    },
  }
  const { name: id, description, inputSchema } = recallTool
  return { processor, recall: { id, description, inputSchema, execute: async (input: unknown) => all.recall(input) } }
}

function usageIn(chunk: unknown): unknown {
  return (chunk as { readonly payload?: { readonly output?: { readonly usage?: unknown } } } | undefined)?.payload?.output?.usage
}

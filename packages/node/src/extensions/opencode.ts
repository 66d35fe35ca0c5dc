import { codecs, economyPolicies, recallTool } from '@plimsoll/core'
import { conversations, summariseHistory, trimResults } from '@plimsoll/core/hosts'
import { z } from 'zod'

type Fields = Record<string, unknown>
interface Entry {
  readonly info: Fields
  readonly parts: readonly Fields[]
}

/** A plugin for opencode (V1): trims the results of tools before each request. opencode's own history stays whole. */
export async function plimsoll() {
  const all = conversations({ codec: codecs.anthropic, policies: economyPolicies, rules: ['results-only'] })
  let latest: { readonly session: string; readonly items: readonly Item[] } | null = null
  return {
    async 'experimental.chat.messages.transform'(_: unknown, output: { readonly messages: readonly Entry[] }) {
      try {
        const last = output.messages.at(-1)?.info
        const answered = output.messages.findLast(({ info }) => info['role'] === 'assistant' && isRecord(info['tokens']))
        const session = all.of(textIn(last?.['sessionID']))
        // The answer to the request before comes with the next one.
        if (answered !== undefined) session.accepted(usageOf(answered.info['tokens'] as Fields))
        const model = isRecord(last?.['model']) ? last['model']['modelID'] : last?.['modelID']
        const items = output.messages.flatMap(itemsOf)
        latest = { session: textIn(last?.['sessionID']), items }
        const { results } = trimResults(session, items, {
          now: Date.now(),
          ...(typeof model === 'string' ? { model } : {}),
        })
        for (const part of output.messages.flatMap(({ parts }) => parts)) {
          const text = results.get(String(part['callID']))
          if (text !== undefined && isRecord(part['state'])) part['state'] = { ...part['state'], output: text }
        }
      } catch {
        // The request goes out as it is.
      }
    },
    // opencode's model writes the summary; what must be in it comes with the request.
    async 'experimental.session.compacting'(
      { sessionID }: { readonly sessionID: string },
      output: { readonly context: string[] },
    ) {
      try {
        if (latest?.session === sessionID) output.context.push(summariseHistory(latest.items))
      } catch {
        // The summary is written without it.
      }
    },
    tool: {
      [recallTool.name]: {
        description: recallTool.description,
        args: Object.fromEntries(Object.keys(recallTool.inputSchema.properties).map((name) => [name, z.string().optional()])),
        execute: async (input: unknown) => all.recall(input),
      },
    },
  }
}

type Item = Parameters<typeof trimResults>[1][number]

function itemsOf({ info, parts }: Entry): readonly Item[] {
  const role = info['role'] === 'assistant' ? 'assistant' : 'user'
  return parts.flatMap((part): readonly Item[] => {
    if (part['type'] === 'text') return [{ role, text: textIn(part['text']) }]
    const { state, callID, tool } = part
    if (part['type'] !== 'tool' || !isRecord(state)) return []
    const call = { call: String(callID), tool: String(tool), input: state['input'] }
    if (state['status'] === 'completed') return [call, { result: call.call, text: textIn(state['output']) }]
    return state['status'] === 'error' ? [call, { result: call.call, text: textIn(state['error']), isError: true }] : [call]
  })
}

function usageOf(tokens: Fields): unknown {
  const cache = isRecord(tokens['cache']) ? tokens['cache'] : {}
  return {
    input_tokens: tokens['input'],
    output_tokens: tokens['output'],
    cache_read_input_tokens: cache['read'],
    cache_creation_input_tokens: cache['write'],
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

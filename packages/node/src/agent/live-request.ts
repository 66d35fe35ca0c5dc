import type { ToolSet } from 'ai'
import type { LiveRequest } from '../model/summary-writer.ts'
import type { AskContext } from './ask-context.ts'
import { lastView } from './last-view.ts'

/** The last request of a session as its model has it in its cache, for a summary that continues it; null where there is none. */
export async function liveRequest({ session, model, tools }: AskContext): Promise<LiveRequest | null> {
  const last = lastView(session)
  // Asked in text, a model has seen neither these messages nor these tools.
  if (last === null || last.model !== model.name || model.usesText) return null
  const { jsonSchema, tool } = await import('ai')
  const offered: ToolSet = Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [name, tool({ description, inputSchema: jsonSchema(inputSchema) })]),
  )
  return { messages: last.messages, tools: offered }
}

import Anthropic from '@anthropic-ai/sdk'
import type { ContentBlockParam, Message, MessageParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages'
import { type Client, type ClientAnswers, type ClientCall, maxRounds } from './client.ts'
import { runTool, task } from './task.ts'

/** Anthropic's own library. */
export const anthropicClient: Client = { name: 'anthropic', dialect: 'anthropic', run }

async function run(call: ClientCall): Promise<ClientAnswers> {
  const client = new Anthropic({ baseURL: call.url, apiKey: call.key, maxRetries: 0 })
  const messages: MessageParam[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: task.question },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: task.image } },
      ],
    },
  ]
  const received = { text: '', calls: [] as string[], usage: [] as unknown[] }
  for (let round = 0; round < maxRounds; round += 1) {
    const answer = await ask(client, messages, call)
    received.usage.push(answer.usage)
    const results: ToolResultBlockParam[] = []
    for (const block of answer.content) {
      if (block.type === 'text') received.text += block.text
      if (block.type !== 'tool_use') continue
      received.calls.push(`${block.name} ${JSON.stringify(block.input)}`)
      results.push({ type: 'tool_result', tool_use_id: block.id, content: runTool(block.name, block.input) })
    }
    messages.push({ role: 'assistant', content: answer.content as ContentBlockParam[] })
    if (results.length === 0) break
    messages.push({ role: 'user', content: results })
  }
  return received
}

async function ask(client: Anthropic, messages: MessageParam[], { isStreamed, signal, onPiece }: ClientCall): Promise<Message> {
  const body = {
    model: 'claude-sonnet-5',
    max_tokens: 1000,
    system: [{ type: 'text' as const, text: task.system, cache_control: { type: 'ephemeral' as const } }],
    messages: messages.map((message, index) => (index === messages.length - 1 ? marked(message) : message)),
    tools: task.tools.map(({ name, description, argument }) => ({
      name,
      description,
      input_schema: { type: 'object' as const, properties: { [argument]: { type: 'string' } }, required: [argument] },
    })),
  }
  const options = signal === undefined ? {} : { signal }
  if (!isStreamed) return client.messages.create(body, options)
  const stream = client.messages.stream(body, options)
  if (onPiece !== undefined) stream.on('streamEvent', onPiece)
  return stream.finalMessage()
}

/** The cache mark moves with the end of the conversation, as in agents. */
function marked(message: MessageParam): MessageParam {
  if (typeof message.content === 'string') return message
  const content = message.content.map((block, index, { length }) =>
    index === length - 1 ? ({ ...block, cache_control: { type: 'ephemeral' } } as ContentBlockParam) : block,
  )
  return { ...message, content } as MessageParam
}

import OpenAI from 'openai'
import type { ChatCompletion, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { Response, ResponseInputItem } from 'openai/resources/responses/responses'
import { type Client, type ClientAnswers, type ClientCall, maxRounds } from './client.ts'
import { runTool, task } from './task.ts'

/** OpenAI's own library, in both of its dialects. */
export const openaiClients: readonly Client[] = [
  { name: 'openai chat', dialect: 'openai-chat', run: runChat },
  { name: 'openai responses', dialect: 'openai-responses', run: runResponses },
]

const model = 'gpt-4.1'
const parameters = (argument: string) => ({
  type: 'object' as const,
  properties: { [argument]: { type: 'string' } },
  required: [argument],
  additionalProperties: false,
})

async function runChat(call: ClientCall): Promise<ClientAnswers> {
  const client = open(call)
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: task.system },
    {
      role: 'user',
      content: [
        { type: 'text', text: task.question },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${task.image}` } },
      ],
    },
  ]
  const tools = task.tools.map(({ name, description, argument }) => ({
    type: 'function' as const,
    function: { name, description, parameters: parameters(argument) },
  }))
  const received = { text: '', calls: [] as string[], usage: [] as unknown[] }
  for (let round = 0; round < maxRounds; round += 1) {
    const answer = await chatAnswer(client, { model, messages, tools, parallel_tool_calls: true }, call)
    const message = answer.choices[0]?.message
    if (message === undefined) break
    received.text += message.content ?? ''
    received.usage.push(answer.usage)
    messages.push(message)
    for (const asked of message.tool_calls ?? []) {
      if (asked.type !== 'function') continue
      received.calls.push(`${asked.function.name} ${asked.function.arguments}`)
      const input: unknown = JSON.parse(asked.function.arguments)
      messages.push({ role: 'tool', tool_call_id: asked.id, content: runTool(asked.function.name, input) })
    }
    if ((message.tool_calls ?? []).length === 0) break
  }
  return received
}

type ChatParameters = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'>

async function chatAnswer(
  client: OpenAI,
  body: ChatParameters,
  { isStreamed, signal, onPiece }: ClientCall,
): Promise<ChatCompletion> {
  const options = signal === undefined ? {} : { signal }
  if (!isStreamed) return client.chat.completions.create(body, options)
  const stream = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }, options)
  if (onPiece !== undefined) stream.on('chunk', onPiece)
  return stream.finalChatCompletion()
}

async function runResponses(call: ClientCall): Promise<ClientAnswers> {
  const client = open(call)
  const input: ResponseInputItem[] = [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: task.question },
        { type: 'input_image', image_url: `data:image/png;base64,${task.image}`, detail: 'auto' },
      ],
    },
  ]
  const tools = task.tools.map(({ name, description, argument }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: parameters(argument),
    strict: true,
  }))
  const received = { text: '', calls: [] as string[], usage: [] as unknown[] }
  for (let round = 0; round < maxRounds; round += 1) {
    const body = { model, instructions: task.system, input, tools, store: false, parallel_tool_calls: true }
    const answer = await responsesAnswer(client, body, call)
    received.text += answer.output_text
    received.usage.push(answer.usage)
    input.push(...(answer.output as ResponseInputItem[]))
    const asked = answer.output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
    for (const { name, arguments: text, call_id } of asked) {
      received.calls.push(`${name} ${text}`)
      input.push({ type: 'function_call_output', call_id, output: runTool(name, JSON.parse(text)) })
    }
    if (asked.length === 0) break
  }
  return received
}

type ResponsesParameters = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'stream'>

async function responsesAnswer(
  client: OpenAI,
  body: ResponsesParameters,
  { isStreamed, signal, onPiece }: ClientCall,
): Promise<Response> {
  const options = signal === undefined ? {} : { signal }
  if (!isStreamed) return client.responses.create(body, options)
  const stream = client.responses.stream(body, options)
  if (onPiece !== undefined) stream.on('event', onPiece)
  return stream.finalResponse()
}

function open({ url, key }: ClientCall): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
}

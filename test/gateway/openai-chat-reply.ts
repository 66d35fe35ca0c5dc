import { halves, type ModelReply, replyUsage, serverEvent } from './reply.ts'

/** The body of an answer to `/v1/chat/completions`. */
export function openaiChatReply(reply: ModelReply, model: string): string {
  const { text = null, calls = [] } = reply
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const message = { role: 'assistant', content: text, refusal: null, ...(calls.length > 0 ? { tool_calls } : {}) }
  return JSON.stringify({
    ...shell(model),
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(reply) }],
    usage,
  })
}

/** The same as events; usage is included only on request. */
export function openaiChatEvents(reply: ModelReply, model: string, hasUsage: boolean): readonly string[] {
  const { text, calls = [] } = reply
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    serverEvent({
      ...shell(model),
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(hasUsage ? { usage: null } : {}),
    })
  return [
    chunk({ role: 'assistant', content: text === undefined ? null : '' }),
    ...(text === undefined ? [] : halves(text).map((content) => chunk({ content }))),
    ...calls.flatMap(({ id, name, input }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...halves(JSON.stringify(input)).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, finishReason(reply)),
    ...(hasUsage ? [serverEvent({ ...shell(model), object: 'chat.completion.chunk', choices: [], usage })] : []),
    serverEvent('[DONE]'),
  ]
}

const usage = {
  prompt_tokens: replyUsage.input + replyUsage.cacheRead,
  completion_tokens: replyUsage.output,
  total_tokens: replyUsage.input + replyUsage.cacheRead + replyUsage.output,
  prompt_tokens_details: { cached_tokens: replyUsage.cacheRead },
  completion_tokens_details: { reasoning_tokens: 0 },
}

function shell(model: string) {
  return { id: 'chatcmpl-fake', created: 1_700_000_000, model }
}

function finishReason({ calls = [] }: ModelReply): string {
  return calls.length > 0 ? 'tool_calls' : 'stop'
}

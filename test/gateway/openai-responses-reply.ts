import { halves, type ModelReply, replyUsage, serverEvent } from './reply.ts'

/** The body of an answer to `/v1/responses`. */
export function openaiResponsesReply(reply: ModelReply, model: string): string {
  return JSON.stringify(response(model, 'completed', items(reply)))
}

/** The same as events. */
export function openaiResponsesEvents(reply: ModelReply, model: string): readonly string[] {
  let sequence_number = 0
  const event = (type: string, fields: Readonly<Record<string, unknown>>) => {
    const data = { type, sequence_number, ...fields }
    sequence_number += 1
    return serverEvent(data, type)
  }
  const started = response(model, 'in_progress', [])
  const list = items(reply)
  return [
    event('response.created', { response: started }),
    event('response.in_progress', { response: started }),
    ...list.flatMap((item, output_index) => itemEvents(event, item, output_index)),
    event('response.completed', { response: response(model, 'completed', list) }),
  ]
}

type Item = TextItem | CallItem
interface TextItem {
  readonly type: 'message'
  readonly id: string
  readonly status: string
  readonly role: 'assistant'
  readonly content: readonly {
    readonly type: 'output_text'
    readonly text: string
    readonly annotations: []
    readonly logprobs: []
  }[]
}
interface CallItem {
  readonly type: 'function_call'
  readonly id: string
  readonly status: string
  readonly call_id: string
  readonly name: string
  readonly arguments: string
}
type EventOf = (type: string, fields: Readonly<Record<string, unknown>>) => string

function items({ text, calls = [] }: ModelReply): readonly Item[] {
  const content = text === undefined ? [] : [{ type: 'output_text' as const, text, annotations: [] as [], logprobs: [] as [] }]
  return [
    ...(text === undefined
      ? []
      : [{ type: 'message' as const, id: 'msg_fake', status: 'completed', role: 'assistant' as const, content }]),
    ...calls.map(({ id, name, input }) => ({
      type: 'function_call' as const,
      id: `fc_${id}`,
      status: 'completed',
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    })),
  ]
}

function itemEvents(event: EventOf, item: Item, output_index: number): readonly string[] {
  const place = { item_id: item.id, output_index }
  if (item.type === 'function_call') {
    return [
      event('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', arguments: '' } }),
      ...halves(item.arguments).map((delta) => event('response.function_call_arguments.delta', { ...place, delta })),
      event('response.function_call_arguments.done', { ...place, name: item.name, arguments: item.arguments }),
      event('response.output_item.done', { output_index, item }),
    ]
  }
  const [part] = item.content
  const text = part?.text ?? ''
  return [
    event('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', content: [] } }),
    event('response.content_part.added', { ...place, content_index: 0, part: { ...part, text: '' } }),
    ...halves(text).map((delta) => event('response.output_text.delta', { ...place, content_index: 0, delta, logprobs: [] })),
    event('response.output_text.done', { ...place, content_index: 0, text, logprobs: [] }),
    event('response.content_part.done', { ...place, content_index: 0, part }),
    event('response.output_item.done', { output_index, item }),
  ]
}

function response(model: string, status: string, output: readonly Item[]) {
  return {
    id: 'resp_fake',
    object: 'response',
    created_at: 1_700_000_000,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    tool_choice: 'auto',
    tools: [],
    usage:
      status === 'completed'
        ? {
            input_tokens: replyUsage.input + replyUsage.cacheRead,
            input_tokens_details: { cached_tokens: replyUsage.cacheRead },
            output_tokens: replyUsage.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: replyUsage.input + replyUsage.cacheRead + replyUsage.output,
          }
        : null,
  }
}

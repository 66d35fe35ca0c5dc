import { halves, type ModelReply, replyUsage, serverEvent } from './reply.ts'

/** The body of an answer to `/v1/messages`. */
export function anthropicReply(reply: ModelReply, model: string): string {
  return JSON.stringify({ ...shell(model), content: blocks(reply), stop_reason: stopReason(reply), usage })
}

/** The same as events. */
export function anthropicEvents(reply: ModelReply, model: string): readonly string[] {
  const started = { ...shell(model), content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  return [
    event({ type: 'message_start', message: started }),
    event({ type: 'ping' }),
    ...blocks(reply).flatMap((block, index) => [
      event({ type: 'content_block_start', index, content_block: emptied(block) }),
      ...deltas(block).map((delta) => event({ type: 'content_block_delta', index, delta })),
      event({ type: 'content_block_stop', index }),
    ]),
    event({
      type: 'message_delta',
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { output_tokens: replyUsage.output },
    }),
    event({ type: 'message_stop' }),
  ]
}

const usage = {
  input_tokens: replyUsage.input,
  cache_read_input_tokens: replyUsage.cacheRead,
  cache_creation_input_tokens: replyUsage.cacheWrite,
  output_tokens: replyUsage.output,
}

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }

function shell(model: string) {
  return { id: 'msg_fake', type: 'message', role: 'assistant', model, stop_sequence: null }
}

function blocks({ text, calls = [] }: ModelReply): readonly Block[] {
  return [
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use' as const, id, name, input })),
  ]
}

function stopReason({ calls = [] }: ModelReply): string {
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

function emptied(block: Block): Block {
  return block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }
}

function deltas(block: Block): readonly unknown[] {
  if (block.type === 'text') return halves(block.text).map((text) => ({ type: 'text_delta', text }))
  return halves(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
}

function event(data: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return serverEvent(data, data.type)
}

import { hash } from 'node:crypto'
import { isRecord } from '@plimsoll/core/text'
import type { OwnAnswer } from '../planner.ts'
import { type Summary, summaryPlaces } from './summary-places.ts'

/** The answer of `/responses/compact`: the user's messages and a summary. No model was asked, so it has no tokens. */
export function compactedList(at: number, list: readonly unknown[], summary: Summary): OwnAnswer {
  const item = summaryPlaces['openai-responses'].write(summary)
  const said = list.filter((entry) => isRecord(entry) && entry['role'] === 'user')
  return json({
    id: `resp_${hash('sha256', String(item['id'])).slice(0, 32)}`,
    object: 'response.compaction',
    created_at: Math.floor(at / 1000),
    output: [...said, item],
    usage: {
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    },
  })
}

/** The answer of a request in Anthropic's format that asked to pause after compaction. */
export function pausedAnswer({ model, stream }: Readonly<Record<string, unknown>>, summary: Summary): OwnAnswer {
  const block = summaryPlaces.anthropic.write(summary)
  const message = {
    id: `msg_${hash('sha256', summary.text).slice(0, 24)}`,
    type: 'message',
    role: 'assistant',
    model: typeof model === 'string' ? model : '',
    content: [block],
    stop_reason: 'compaction',
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  }
  if (stream !== true) return json(message)
  const { stop_reason, stop_sequence, usage } = message
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...blockEvents(block),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ]
  return { contentType: 'text/event-stream; charset=utf-8', text: events.map(eventText).join('') }
}

/** The events of a stream that has the summary first. */
export function blockEvents({ type, ...summary }: Readonly<Record<string, unknown>>) {
  return [
    { type: 'content_block_start', index: 0, content_block: { type, content: null, encrypted_content: null } },
    { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', ...summary } },
    { type: 'content_block_stop', index: 0 },
  ]
}

export function eventText(event: { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function json(value: unknown): OwnAnswer {
  return { contentType: 'application/json', text: JSON.stringify(value) }
}

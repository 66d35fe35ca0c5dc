import { describe, expect, it } from 'vitest'
import { type AppliedContextEdit, withAppliedEdits } from './context-edits.ts'

const edits: readonly AppliedContextEdit[] = [
  { type: 'clear_tool_uses_20250919', cleared_tool_uses: 2, cleared_input_tokens: 900 },
]
const reported = `"context_management":{"applied_edits":${JSON.stringify(edits)}}`

describe('withAppliedEdits', () => {
  it.each<[name: string, text: string, expected: string | null]>([
    ['a message', '{"type":"message","content":[]}', `{"type":"message","content":[],${reported}}`],
    ['a message with spaces', '{ "type": "message",\n  "n": 1.0 }\n', `{ "type": "message",\n  "n": 1.0 ,${reported}}\n`],
    [
      'a message that leaves it empty',
      '{"context_management": null, "type":"message"}',
      `{${reported.replace(':', ': ')}, "type":"message"}`,
    ],
    [
      'the event that ends a stream',
      '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}',
      `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5},${reported}}`,
    ],
    ['an event before that', '{"type":"message_delta","delta":{"stop_reason":null}}', null],
    ['an answer that tells by itself', '{"type":"message","context_management":{"applied_edits":[]}}', null],
    ['an error', '{"type":"error","error":{"type":"overloaded_error"}}', null],
    ['another event', '{"type":"message_stop"}', null],
    ['an answer that was cut off', '{"type":"message","content":[', null],
    ['a list', '[{"type":"message"}]', null],
    ['no JSON', 'type: message', null],
    ['nothing', '', null],
  ])('%s', (_name, text, expected) => expect(withAppliedEdits(text, edits)).toBe(expected))

  it('reports that nothing was applied', () =>
    expect(withAppliedEdits('{"type":"message"}', [])).toBe('{"type":"message","context_management":{"applied_edits":[]}}'))
})

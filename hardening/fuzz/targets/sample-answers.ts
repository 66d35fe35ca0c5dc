const stream = (events: readonly unknown[], end = '\n') =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}${end}${end}`).join('')

const usage = { input_tokens: 3, cache_read_input_tokens: 900, cache_creation_input_tokens: 70, output_tokens: 1 }

/** Small responses of providers, streamed and not. */
export const answers: readonly string[] = [
  stream([
    { type: 'message_start', message: { type: 'message', model: 'claude-x', usage, stop_reason: null } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'the "usage" of data:' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 55 } },
    { type: 'message_stop' },
  ]),
  stream(
    [
      {
        model: 'gpt-x',
        choices: [
          {
            index: 0,
            delta: {
              role: 'assistant',
              content: 'hi',
              tool_calls: [{ index: 0, id: 'c', function: { name: 'ls', arguments: '{"a"' } }],
            },
            finish_reason: null,
          },
        ],
      },
      {
        model: 'gpt-x',
        choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
        usage: { prompt_tokens: 100, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 64 } },
      },
      '[DONE]',
    ],
    '\r\n',
  ),
  stream(
    [
      {
        type: 'response.completed',
        response: {
          model: 'gpt-y',
          status: 'completed',
          usage: { input_tokens: 300, input_tokens_details: { cached_tokens: 256 }, output_tokens: 20 },
        },
      },
    ],
    '\r',
  ),
  JSON.stringify([
    {
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 50, cachedContentTokenCount: 20, candidatesTokenCount: 4, thoughtsTokenCount: 6 },
      modelVersion: 'g',
    },
  ]),
  JSON.stringify({ type: 'message', model: 'm', content: [], stop_reason: 'tool_use', usage }),
  JSON.stringify({
    id: 'x',
    choices: [
      {
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'ls', arguments: {} } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 5, completion_tokens: 6 },
  }),
  stream([
    {
      error: { message: 'context_length_exceeded: maximum 200000 tokens, got 210000', code: 400, type: 'invalid_request_error' },
    },
  ]),
]

import type { ModelMessage } from 'ai'

/** A conversation in the AI SDK's own types, with every kind of part that a tool loop leaves behind. */
export const aiSdkMessages: ModelMessage[] = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'fix it' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'first read' },
      { type: 'text', text: 'Reading.' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'x' } },
      { type: 'tool-call', toolCallId: 'b', toolName: 'bash', input: { command: 'ls' } },
      { type: 'tool-call', toolCallId: 'c', toolName: 'bash', input: { command: 'cat' } },
      { type: 'tool-call', toolCallId: 'p', toolName: 'web', input: {}, providerExecuted: true },
      { type: 'tool-result', toolCallId: 'p', toolName: 'web', output: { type: 'text', value: 'found' } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'read',
        output: { type: 'text', value: 'text of x', providerOptions: { any: { keep: true } } },
      },
      { type: 'tool-result', toolCallId: 'b', toolName: 'bash', output: { type: 'json', value: { stdout: 'x', nested: ['y'] } } },
      {
        type: 'tool-result',
        toolCallId: 'c',
        toolName: 'bash',
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'one' },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
          ],
        },
      },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 'd', toolName: 'bash', input: {} },
      { type: 'tool-call', toolCallId: 'e', toolName: 'bash', input: {} },
      { type: 'tool-call', toolCallId: 'f', toolName: 'bash', input: {} },
      { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'f' },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'd', toolName: 'bash', output: { type: 'error-text', value: 'no' } },
      { type: 'tool-result', toolCallId: 'e', toolName: 'bash', output: { type: 'error-json', value: { code: 1 } } },
      { type: 'tool-approval-response', approvalId: 'q', approved: false },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'f', toolName: 'bash', output: { type: 'execution-denied', reason: 'too risky' } },
    ],
  },
  { role: 'assistant', content: 'done' },
]

/** One small request of each dialect, with all its features. */
export const requests: readonly string[] = [
  {
    model: 'gpt-5.5',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'Read', arguments: '{"path":"a.ts"}' } },
          { id: 'c2', type: 'function', function: { name: 'Bash', arguments: 'not json' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'line one\nline two' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'exit 1' }] },
      { role: 'assistant', content: 'done', reasoning_content: 'hm', refusal: null },
      { role: 'function', name: 'old', content: 'x' },
    ],
  },
  {
    model: 'claude-opus-5.5',
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'text', text: 'ok' },
          { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a.ts' } },
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't1',
            content: [
              { type: 'text', text: '1\tone' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
            ],
            is_error: true,
          },
          { type: 'text', text: 'and?' },
        ],
      },
      { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'x' }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't9' },
          { type: 'document', source: { type: 'text', data: 'd' } },
        ],
      },
    ],
  },
  {
    model: 'gpt-6-sol',
    instructions: 'Be brief.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'hi' },
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
        ],
      },
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'x' },
      { type: 'function_call', call_id: 'f1', name: 'Read', arguments: '{"path":"a"}' },
      { type: 'function_call_output', call_id: 'f1', output: 'text' },
      { type: 'custom_tool_call', call_id: 'u1', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'custom_tool_call_output', call_id: 'u1', output: [{ type: 'input_text', text: 'ok' }] },
      { type: 'local_shell_call', call_id: 'l1', action: { type: 'exec', command: ['ls'] }, status: 'completed' },
      { type: 'local_shell_call_output', call_id: 'l1', output: '{"output":"a"}' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
      { type: 'item_reference', id: 'i' },
    ],
  },
  {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'hi' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] },
      {
        role: 'model',
        parts: [
          { thought: true, text: 'hm' },
          { functionCall: { id: 'g1', name: 'read_file', args: { path: 'a' } }, thoughtSignature: 's' },
          { functionCall: { name: 'ls', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'g1', name: 'read_file', response: { output: 'text' } } },
          {
            functionResponse: {
              name: 'ls',
              response: { error: 'no' },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'aa' } }],
            },
          },
        ],
      },
      {
        role: 'model',
        parts: [
          { executableCode: { language: 'PYTHON', code: '1' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
        ],
      },
    ],
  },
  [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'tool-call', toolCallId: 'a1', toolName: 'Read', input: { path: 'a' } },
        { type: 'tool-call', toolCallId: 'a2', toolName: 'Bash', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'a1', toolName: 'Read', output: { type: 'text', value: 'x' } },
        {
          type: 'tool-result',
          toolCallId: 'a2',
          toolName: 'Bash',
          output: { type: 'content', value: [{ type: 'text', text: 'y' }] },
        },
        { type: 'tool-approval-response', approvalId: 'p', approved: true },
      ],
    },
    { role: 'assistant', content: 'done' },
  ],
].map((request) => JSON.stringify(request))

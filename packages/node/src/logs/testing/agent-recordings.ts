import { writeLine } from '@plimsoll/core/session'
import { linesOf, type Recording, timeOf } from './recordings.ts'

type Line = Readonly<Record<string, unknown>>

const image = 'iVBORw0KGgo='
const ms = (step: number) => Date.parse(timeOf(step))

/** A session with a sub-agent, a rewind, a compaction and counts for each response. */
export const copilotLines: readonly Line[] = [
  copilotLine('e0', 0, 'session.start', { sessionId: 'copilot-1', selectedModel: 'model-a', context: { cwd: '/home/sam/shop' } }),
  copilotLine('e1', 1, 'system.message', { role: 'system', content: 'Be brief.' }),
  copilotLine('e2', 1, 'user.message', { content: 'Why red?', transformedContent: '<now>9:00</now> Why red?', source: 'user' }),
  copilotLine('e3', 2, 'assistant.turn_start', { turnId: '0' }),
  copilotLine('e4', 3, 'assistant.message', {
    messageId: 'm1',
    content: 'Looking.',
    reasoningText: 'Find the colour.',
    model: 'model-b',
    toolRequests: [
      { toolCallId: 'c1', name: 'view', arguments: { path: 'a.css' } },
      { toolCallId: 'c2', name: 'bash', arguments: { command: 'npm test' } },
    ],
  }),
  copilotLine('e5', 3, 'assistant.usage', {
    model: 'model-b',
    inputTokens: 100,
    outputTokens: 7,
    cacheReadTokens: 60,
    apiCallId: 'x',
  }),
  copilotLine('e5b', 3, 'assistant.usage', {
    model: 'model-b',
    inputTokens: 100,
    outputTokens: 7,
    cacheReadTokens: 60,
    apiCallId: 'x',
  }),
  copilotLine('e6', 4, 'tool.execution_complete', { toolCallId: 'c1', success: true, result: { content: 'color: red' } }),
  copilotLine('e7', 4, 'assistant.message', { messageId: 's', content: 'Inner.', parentToolCallId: 'c2' }),
  copilotLine('e8', 5, 'tool.execution_complete', { toolCallId: 'c2', success: false, error: { message: 'exit 1' } }),
  copilotLine('e9', 6, 'assistant.message', { messageId: 'm2', content: 'It is red in a.css.' }),
  copilotLine('e10', 6, 'user.message', { content: 'Undo that.' }),
  copilotLine('e11', 7, 'session.snapshot_rewind', { upToEventId: 'e9', eventsRemoved: 1 }),
  copilotLine('e12', 8, 'session.compaction_complete', { success: true, summaryContent: 'The colour is in a.css.' }),
  copilotLine('e13', 9, 'user.message', {
    content: 'Make it blue.',
    attachments: [{ type: 'blob', mimeType: 'image/png', data: image }],
  }),
  copilotLine('e14', 10, 'assistant.message', {
    messageId: 'm3',
    content: '',
    toolRequests: [{ toolCallId: 'c3', name: 'edit', arguments: { path: 'a.css' } }],
  }),
]

function copilotLine(id: string, step: number, type: string, data: Line): Line {
  return { type, data, id, timestamp: timeOf(step), parentId: null }
}

/** Two steps in one message, a revert, a compaction that keeps a tail, a failed tool and one that still runs. */
export const opencodeExport: Line = {
  info: {
    id: 'ses_1',
    title: 'Fix the cart',
    directory: '/home/sam/shop',
    time: { created: ms(0) },
    revert: { messageID: 'msg_7' },
  },
  messages: [
    {
      info: { id: 'msg_1', role: 'user', time: { created: ms(1) } },
      parts: [
        { id: 'prt_1', type: 'text', text: 'Fix the cart.' },
        { id: 'prt_2', type: 'text', text: 'Read: cart.ts', synthetic: true },
        { id: 'prt_3', type: 'file', mime: 'image/png', url: `data:image/png;base64,${image}` },
        { id: 'prt_4', type: 'file', mime: 'text/plain', url: 'file:///cart.ts' },
      ],
    },
    {
      info: { id: 'msg_2', role: 'assistant', modelID: 'model-a', time: { created: ms(2) }, tokens: opencodeTokens(999) },
      parts: [
        { id: 'prt_5', type: 'step-start' },
        { id: 'prt_6', type: 'reasoning', text: 'Read it first.', time: { start: ms(2) } },
        opencodeTool('prt_7', 'call_1', {
          status: 'completed',
          input: { path: 'cart.ts' },
          output: 'let sum',
          time: { end: ms(3) },
        }),
        { id: 'prt_8', type: 'step-finish', tokens: opencodeTokens(10) },
        { id: 'prt_9', type: 'step-start' },
        { id: 'prt_a', type: 'text', text: 'Now the tests.', time: { start: ms(4) } },
        opencodeTool('prt_b', 'call_2', { status: 'error', input: {}, error: 'no such file', time: { end: ms(5) } }),
        { id: 'prt_c', type: 'step-finish', tokens: opencodeTokens(20) },
        { id: 'prt_d', type: 'patch', hash: 'x', files: [] },
      ],
    },
    {
      info: { id: 'msg_3', role: 'user', time: { created: ms(6) } },
      parts: [{ id: 'prt_e', type: 'compaction', auto: true, tail_start_id: 'msg_2' }],
    },
    {
      info: { id: 'msg_4', role: 'assistant', summary: true, modelID: 'model-a', time: { created: ms(7) } },
      parts: [{ id: 'prt_f', type: 'text', text: 'The sum is wrong.' }],
    },
    {
      info: { id: 'msg_5', role: 'user', time: { created: ms(8) } },
      parts: [{ id: 'prt_g', type: 'text', text: 'Go on.' }],
    },
    {
      info: { id: 'msg_6', role: 'assistant', modelID: 'model-b', time: { created: ms(9) }, tokens: opencodeTokens(30) },
      parts: [opencodeTool('prt_h', 'call_3', { status: 'running', input: { path: 'b.ts' } })],
    },
    {
      info: { id: 'msg_7', role: 'user', time: { created: ms(10) } },
      parts: [{ id: 'prt_i', type: 'text', text: 'Forget it.' }],
    },
  ],
}

function opencodeTool(id: string, callID: string, state: Line): Line {
  return { id, type: 'tool', callID, tool: 'read', state }
}

function opencodeTokens(input: number): Line {
  return { input, output: 5, reasoning: 2, cache: { read: 90, write: 3 } }
}

/** Calls side by side in one response, the client's own events, a condensation, an error and a call without its observation. */
export const openHandsEvents: readonly Line[] = [
  openHandsEvent(0, { source: 'agent', action: 'system', args: { content: 'You fix bugs.' } }),
  openHandsEvent(1, {
    source: 'user',
    action: 'message',
    args: { content: 'Fix it.', image_urls: [`data:image/png;base64,${image}`] },
  }),
  openHandsEvent(2, { source: 'environment', observation: 'agent_state_changed', content: '', extras: {} }),
  openHandsEvent(3, { source: 'agent', action: 'run', args: { command: 'ls' }, tool_call_metadata: openHandsCall('h1', 'r1') }),
  openHandsEvent(4, { source: 'agent', action: 'read', args: { path: 'a.c' }, tool_call_metadata: openHandsCall('h2', 'r1') }),
  openHandsEvent(5, {
    source: 'agent',
    observation: 'run',
    content: 'a.c',
    cause: 3,
    success: true,
    tool_call_metadata: openHandsCall('h1', 'r1'),
  }),
  openHandsEvent(6, {
    source: 'agent',
    observation: 'error',
    content: 'No such file',
    cause: 4,
    tool_call_metadata: openHandsCall('h2', 'r1'),
  }),
  openHandsEvent(7, { source: 'agent', action: 'condensation', args: { summary: 'a.c is there.', forgotten_events_end_id: 1 } }),
  openHandsEvent(8, { source: 'agent', action: 'message', args: { content: 'I will read it.' } }),
  openHandsEvent(9, {
    source: 'agent',
    action: 'run',
    args: { command: 'cat a.c' },
    tool_call_metadata: openHandsCall('h3', 'r2'),
  }),
]

function openHandsEvent(id: number, fields: Line): Line {
  return { id, timestamp: `2026-01-05T09:00:0${id}.5`, message: '', ...fields }
}

function openHandsCall(id: string, response: string): Line {
  const calls = (response === 'r1' ? ['h1', 'h2'] : ['h3']).map((one) => ({
    id: one,
    type: 'function',
    function: { name: 'execute_bash', arguments: `{"command":"${one}"}` },
  }))
  const message = { role: 'assistant', content: 'Let me see.', reasoning_content: 'Hm.', tool_calls: calls }
  const usage = { prompt_tokens: 100, completion_tokens: 8, prompt_tokens_details: { cached_tokens: 40 } }
  return {
    function_name: 'execute_bash',
    tool_call_id: id,
    model_response: { id: response, model: 'model-a', choices: [{ message }], usage },
  }
}

/** Events of the library: calls side by side in one response, the client's own events, a summary, and a call that was refused. */
export const openHandsSdkEvents: readonly Line[] = [
  sdkEvent('s', 0, 'SystemPromptEvent', 'agent', { system_prompt: { type: 'text', text: 'You fix bugs.' }, tools: [] }),
  sdkEvent('u', 1, 'MessageEvent', 'user', {
    llm_message: {
      role: 'user',
      content: [
        { type: 'text', text: 'Fix it.' },
        { type: 'image', image_urls: [`data:image/png;base64,${image}`] },
      ],
    },
    extended_content: [{ type: 'text', text: 'Rules: be brief.' }],
  }),
  sdkEvent('v', 1, 'ConversationStateUpdateEvent', 'environment', { key: 'x', value: 'y' }),
  sdkAction('a1', 2, 'h1', 'r1', { thought: [{ type: 'text', text: 'Look.' }], reasoning_content: 'Hm.' }),
  sdkAction('a2', 2, 'h2', 'r1', { thought: [] }),
  sdkEvent('o1', 3, 'ObservationEvent', 'environment', {
    tool_name: 'terminal',
    tool_call_id: 'h1',
    action_id: 'a1',
    observation: { kind: 'TerminalObservation', content: [{ type: 'text', text: 'a.c' }], metadata: { suffix: ' [exit 0]' } },
  }),
  sdkEvent('o2', 4, 'AgentErrorEvent', 'agent', { tool_name: 'terminal', tool_call_id: 'h2', error: 'No such tool' }),
  sdkAction('a3', 5, 'h3', 'r2', { thought: [] }),
  sdkEvent('o3', 6, 'UserRejectObservation', 'environment', {
    tool_name: 'terminal',
    tool_call_id: 'h3',
    action_id: 'a3',
    rejection_reason: 'Not that.',
  }),
  sdkEvent('k', 7, 'Condensation', 'environment', { summary: 'a.c is there.', forgotten_event_ids: ['a1', 'a2', 'o1', 'o2'] }),
  sdkAction('a4', 8, 'h4', 'r3', { thought: [] }),
]

function sdkEvent(id: string, step: number, kind: string, source: string, fields: Line): Line {
  return { id, timestamp: `2026-01-05T09:00:0${step}.5`, source, ...fields, kind }
}

function sdkAction(id: string, step: number, call: string, response: string, fields: Line): Line {
  return sdkEvent(id, step, 'ActionEvent', 'agent', {
    ...fields,
    action: { kind: 'TerminalAction', command: call },
    tool_name: 'terminal',
    tool_call_id: call,
    tool_call: { id: call, name: 'terminal', arguments: `{"command":"${call}"}`, origin: 'completion' },
    llm_response_id: response,
  })
}

/** The oldest form: pairs without ids, and counts next to the history. */
export const openHandsPairs: Line = {
  instance_id: 'shop-7',
  metadata: { llm_config: { model: 'model-c' } },
  metrics: { token_usages: [] },
  history: [
    [
      { action: 'message', content: 'Add a licence.', wait_for_response: false, action_risk: null },
      { observation: 'null', content: '' },
    ],
    [
      { action: 'run', command: 'touch LICENSE', thought: 'Create it.', action_risk: null },
      { observation: 'run', content: '$', command: 'touch LICENSE', exit_code: 0 },
    ],
    [
      { action: 'run_ipython', code: 'print(1)', thought: '', action_risk: null },
      { observation: 'run_ipython', content: '1', code: 'print(1)' },
    ],
    [
      { action: 'run', command: 'cat LICENSE', thought: 'Check.', action_risk: null },
      { observation: 'null', content: '' },
    ],
  ],
}

/** Text calls, a demonstration, and a last action whose answer only the steps have. */
export const sweAgentRun: Line = {
  environment: 'swe_main',
  trajectory: [
    { action: 'ls\n', observation: 'a.py', state: '{"working_dir": "/repo"}' },
    { action: 'submit\n', observation: 'diff --git a/a.py', state: '{}' },
  ],
  history: [
    { role: 'system', content: 'SETTING: fix it.', agent: 'main' },
    { role: 'user', content: 'Here is a demonstration.', is_demo: true, agent: 'main' },
    { role: 'user', content: 'The total is wrong.', agent: 'main' },
    { role: 'assistant', content: 'First look.\n\n```\nls\n```', thought: 'First look.\n\n', action: 'ls\n', agent: 'main' },
    { role: 'user', content: 'a.py\n(Open file: n/a)\nbash-$', agent: 'main' },
    { role: 'assistant', content: 'Done.\n<command>\nsubmit\n</command>', thought: 'Done.', action: 'submit\n', agent: 'main' },
  ],
  info: { model_stats: { api_calls: 2 } },
  replay_config: '{"agent":{"model":{"name":"model-a"}}}',
}

/** One command to an answer, a refused answer with two, and a last one without its output. */
export const miniSweAgentRun: Line = {
  trajectory_format: 'mini-swe-agent-1',
  instance_id: 'shop-1',
  info: { mini_version: '1.0', config: { model: { model_name: 'model-a' }, environment: { cwd: '/testbed' } } },
  messages: [
    { role: 'system', content: 'One command each time.' },
    { role: 'user', content: 'Fix the total.' },
    miniAnswer(1, 'Look.\n\n```bash\nls -la\n```'),
    { role: 'user', content: '<returncode>0</returncode>\n<output>\na.py\n</output>' },
    miniAnswer(2, 'Two.\n```bash\nls\n```\nor\n```bash\npwd\n```'),
    { role: 'user', content: 'Please always provide EXACTLY ONE action.' },
    miniAnswer(3, '```bash\ncat <<EOF > a.py\nprint(1)\nEOF\n```\nThat should do.'),
    { role: 'user', content: '<returncode>0</returncode>\n<output>\n</output>' },
    miniAnswer(4, 'Again.\n\n```bash\nnpm test\n```'),
  ],
}

function miniAnswer(step: number, content: string): Line {
  const usage = { prompt_tokens: 100 * step, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 50 } }
  return {
    role: 'assistant',
    content,
    extra: { response: { id: `g${step}`, model: 'model-b', created: ms(step) / 1000, usage } },
  }
}

/** A chat in which calls are XML, with one answer that only talks. */
export const sweSmithChat: Line = {
  instance_id: 'shop-2',
  messages: [
    { role: 'system', content: 'You can call functions.' },
    { role: 'user', content: 'Fix the total.' },
    {
      role: 'assistant',
      content: 'Look.\n\n<function=edit>\n<parameter=path>/a.py</parameter>\n<parameter=text>\na\nb\n</parameter>\n</function>',
    },
    { role: 'user', content: 'OBSERVATION:\nedited' },
    { role: 'assistant', content: 'It is better now.' },
    { role: 'user', content: 'Submit, then.' },
    { role: 'assistant', content: '<function=submit>\n</function>' },
  ],
}

const openAiCall = (id: string): Line => ({ id, type: 'function', function: { name: 'find_user', arguments: '{"name":"Sam"}' } })

/** A run with an answer that was never given. */
export const tauBenchRuns: readonly Line[] = [
  {
    task_id: 3,
    trial: 1,
    reward: 1,
    info: {},
    traj: [
      { role: 'system', content: 'Help the customer.' },
      { role: 'user', content: 'Where is my order?' },
      { role: 'assistant', content: null, tool_calls: [openAiCall('t1')] },
      { role: 'tool', tool_call_id: 't1', name: 'find_user', content: '{"id":1}' },
      { role: 'assistant', content: 'On its way.' },
      { role: 'user', content: 'Are you sure?' },
      { role: 'assistant', content: null, tool_calls: [openAiCall('t2')] },
    ],
  },
]

/** A file of Cline's with an attached file, and what each response used. */
export const clineFile: Line = {
  version: 1,
  sessionId: 'cline-1',
  system_prompt: 'You are a coding agent.',
  messages: [
    {
      id: 'c1',
      role: 'user',
      ts: ms(1),
      content: [
        { type: 'text', text: 'Move the icon.' },
        { type: 'file', path: '/a.tsx', content: 'export {}' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } },
      ],
    },
    clineAnswer('c2', 2, [
      { type: 'thinking', thinking: 'Where is it?' },
      { type: 'tool_use', id: 'u1', name: 'editor', input: { path: '/a.tsx' } },
    ]),
    { id: 'c3', role: 'user', ts: ms(3), content: [{ type: 'tool_result', tool_use_id: 'u1', content: 'edited' }] },
    clineAnswer('c4', 4, [{ type: 'text', text: 'Moved.' }]),
    { id: 'c5', role: 'user', ts: ms(5), content: 'And now smaller.' },
    clineAnswer('c6', 6, [{ type: 'tool_use', id: 'u2', name: 'editor', input: {} }]),
  ],
}

function clineAnswer(id: string, step: number, content: readonly Line[]): Line {
  const metrics = { inputTokens: 100, outputTokens: 9, cacheReadTokens: 60, cacheWriteTokens: 10 }
  return { id, role: 'assistant', ts: ms(step), content, modelInfo: { id: 'model-a', provider: 'x' }, metrics }
}

/** A session of snow-cli with an image, a file read, a failed command and a call without a result. */
export const snowFile: Line = {
  id: '6f1c2a3e-0000-4000-8000-000000000001',
  title: 'Why does the button not work?',
  summary: '',
  createdAt: ms(0),
  updatedAt: ms(8),
  messages: [
    {
      role: 'user',
      content: 'Why does the button not work?',
      images: [{ type: 'image', data: image, mimeType: 'image/png' }],
      timestamp: ms(1),
    },
    {
      role: 'assistant',
      content: '',
      thinking: { type: 'thinking', thinking: 'Read it first.', signature: 'x' },
      tool_calls: [snowCall('s1', 'filesystem-read', { filePath: 'src/Button.tsx' })],
      timestamp: ms(2),
    },
    {
      role: 'tool',
      tool_call_id: 's1',
      content: '📄 src/Button.tsx (lines 1-2/2)\n1→export function Button() {\n2→}',
      messageStatus: 'success',
      timestamp: ms(3),
    },
    {
      role: 'assistant',
      content: 'I will build it.',
      tool_calls: [snowCall('s2', 'terminal-execute', { command: 'npm run build' })],
      timestamp: ms(4),
    },
    { role: 'tool', tool_call_id: 's2', content: 'no such script', messageStatus: 'error', timestamp: ms(5) },
    { role: 'assistant', content: 'There is no build.', timestamp: ms(6) },
    { role: 'user', content: 'Test it then.', timestamp: ms(7) },
    {
      role: 'assistant',
      content: '',
      tool_calls: [snowCall('s3', 'terminal-execute', { command: 'npm test' })],
      timestamp: ms(8),
    },
  ],
  messageCount: 8,
  projectPath: '/home/sam/shop',
  projectId: 'shop-1a2b',
}

function snowCall(id: string, name: string, input: Line): Line {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

/** A chat as Gemini CLI keeps it. */
export const geminiChatFile: Line = {
  sessionId: 'gemini-1',
  projectHash: 'x',
  messages: [
    {
      id: 'g1',
      timestamp: timeOf(1),
      type: 'user',
      content: [{ text: 'Rename it.' }, { inlineData: { mimeType: 'image/png', data: image } }],
    },
    { id: 'g2', timestamp: timeOf(2), type: 'info', content: 'Update available.' },
    {
      id: 'g3',
      timestamp: timeOf(3),
      type: 'gemini',
      content: 'Renaming.',
      model: 'gemini-x',
      thoughts: [{ subject: 'Plan', description: 'Two steps.' }],
      tokens: { input: 100, output: 7, cached: 60, thoughts: 3, tool: 0, total: 110 },
      toolCalls: [
        {
          id: 'k1',
          name: 'move',
          args: { to: 'b' },
          status: 'success',
          result: [{ functionResponse: { id: 'k1', name: 'move', response: { output: 'moved' } } }],
        },
        {
          id: 'k2',
          name: 'move',
          args: {},
          status: 'error',
          result: [{ functionResponse: { id: 'k2', name: 'move', response: { error: 'no target' } } }],
        },
      ],
    },
    { id: 'g4', timestamp: timeOf(4), type: 'user', content: 'Go on.' },
    { id: 'g5', timestamp: timeOf(5), type: 'gemini', content: 'Yes.', tokens: 'many' },
    { id: 'g6', timestamp: timeOf(6), type: 'gemini', content: '', toolCalls: [{ id: 'k3', name: 'move', args: {} }] },
  ],
}

const geminiOutput = (id: string, output: string): Line => ({
  functionResponse: { id, name: 'read_file', response: { output } },
})

const geminiRead = (id: string, fields: Line): Line => ({ id, name: 'read_file', args: { path: `${id}.ts` }, ...fields })

function geminiLine(id: string, step: number, type: string, content: unknown, fields: Line = {}): Line {
  return { id, timestamp: timeOf(step), type, content, ...fields }
}

/** A chat in lines: rewritten, undone, compacted with a kept tail, and a last call without its result. */
export const geminiChatLines: readonly Line[] = [
  { sessionId: 'gemini-2', projectHash: 'x', startTime: timeOf(0), lastUpdated: timeOf(0), directories: ['/home/sam/shop'] },
  { $set: { messages: [geminiLine('s0', 0, 'user', [{ text: '<session_context>\nIt is Monday.' }])] } },
  geminiLine('u1', 1, 'user', [{ text: 'Explain @a.ts' }, { text: 'export {}' }], {
    displayContent: [{ text: 'Explain @a.ts' }],
  }),
  geminiLine('g1', 2, 'gemini', 'Looking.', { model: 'gemini-x', thoughts: [{ subject: 'Plan', description: 'Read.' }] }),
  geminiLine('g1', 2, 'gemini', 'Looking.', {
    model: 'gemini-x',
    thoughts: [{ subject: 'Plan', description: 'Read.' }],
    tokens: { input: 100, output: 7, cached: 60, thoughts: 3, tool: 0, total: 110 },
    toolCalls: [geminiRead('k1', { status: 'executing' })],
  }),
  geminiLine('g1r', 3, 'user', [geminiOutput('k1', 'let a')]),
  geminiLine('g1', 2, 'gemini', 'Looking.', {
    model: 'gemini-x',
    thoughts: [{ subject: 'Plan', description: 'Read.' }],
    toolCalls: [geminiRead('k1', { status: 'success', result: [geminiOutput('k1', 'let a')], timestamp: timeOf(3) })],
  }),
  geminiLine('g2', 4, 'gemini', [{ text: 'Hm.', thought: true }, { text: 'It is empty.' }], {
    tokens: { input: 120, output: 4 },
  }),
  geminiLine('u2', 5, 'user', [{ text: 'Delete it.' }]),
  geminiLine('g3', 6, 'gemini', 'Deleting.'),
  { $rewindTo: 'u2' },
  geminiLine('u3', 7, 'user', [{ text: 'Fill it.' }, { inlineData: { mimeType: 'image/png', data: image } }]),
  geminiLine('g4', 8, 'gemini', 'With what?'),
  geminiLine('i1', 9, 'info', 'Chat history compressed.'),
  {
    $set: {
      messages: [
        geminiLine('x0', 9, 'user', [{ text: '<session_context>\nIt is Monday.' }]),
        geminiLine('x1', 9, 'user', [{ text: '<state_snapshot>a.ts is empty.</state_snapshot>' }]),
        geminiLine('x2', 9, 'gemini', [{ text: 'Got it.' }]),
        geminiLine('x3', 9, 'user', [{ text: 'Fill it.' }, { inlineData: { mimeType: 'image/png', data: image } }]),
        geminiLine('x4', 9, 'gemini', [{ text: 'With what?' }]),
      ],
    },
  },
  geminiLine('u4', 10, 'user', 'With a test.'),
  geminiLine('g5', 11, 'gemini', '', { model: 'gemini-y', toolCalls: [geminiRead('k2', {})] }),
  { $set: { lastUpdated: timeOf(11), summary: 'Fill an empty file' } },
]

const entry = (fields: Line) => JSON.parse(writeLine(fields as never)) as Line

/** One of our logs with an abandoned branch, a fold, request counts and one imported count. */
export const plimsollLines: readonly Line[] = [
  entry({
    type: 'header',
    id: 's1',
    parentId: null,
    at: ms(0),
    version: 1,
    session: 's1',
    root: '/home/sam/shop',
    title: 'Shop',
  }),
  ownMessage('m1', 's1', 1, 'user', [
    { type: 'text', text: 'Why?' },
    { type: 'media', mediaType: 'image/png', data: image },
  ]),
  entry({ type: 'request', id: 'q1', parentId: 'm1', at: ms(1), model: 'model-a', last: 'm1', view: 'x', estimate: 5 }),
  entry({
    type: 'usage',
    id: 'n1',
    parentId: 'q1',
    at: ms(2),
    request: 'q1',
    usage: { input: 10, cacheRead: 90, cacheWrite: 3, output: 5 },
  }),
  ownMessage('m2', 'n1', 2, 'assistant', [
    { type: 'reasoning', text: 'Look.' },
    { type: 'tool-call', callId: 'o1', tool: 'bash', input: { command: 'ls' } },
  ]),
  ownMessage('m3', 'm2', 3, 'tool', [
    { type: 'tool-result', callId: 'o1', tool: 'bash', content: { type: 'text', text: 'a.ts' } },
  ]),
  ownMessage('m4', 'm3', 4, 'user', [{ type: 'text', text: 'Leave it.' }]),
  entry({ type: 'rewind', id: 'w1', parentId: 'm3', at: ms(5), left: 'm4' }),
  ownMessage('m5', 'w1', 6, 'assistant', [{ type: 'text', text: 'There is a.ts.' }]),
  entry({
    type: 'note',
    id: 'n2',
    parentId: 'm5',
    at: ms(6),
    code: 'reported-usage',
    data: { message: 'm5', model: 'model-b', usage: { input: 20, cacheRead: 0, cacheWrite: 0, output: 4 } },
  }),
  entry({
    type: 'edits',
    id: 'f1',
    parentId: 'n2',
    at: ms(7),
    apply: [
      {
        id: 'fold',
        policy: 'compaction',
        why: 'long',
        kind: 'fold',
        first: 'm1',
        last: 'm3',
        into: { id: 'sum', role: 'system', parts: [{ type: 'text', text: 'a.ts is there.' }], summary: true },
      },
    ],
  }),
  ownMessage('m6', 'f1', 8, 'user', [{ type: 'text', text: 'Read it.' }]),
  ownMessage('m7', 'm6', 9, 'assistant', [{ type: 'tool-call', callId: 'o2', tool: 'read', input: { path: 'a.ts' } }]),
]

function ownMessage(id: string, parentId: string, step: number, role: string, parts: readonly Line[]): Line {
  return entry({ type: 'message', id, parentId, at: ms(step), message: { id, role, parts, at: ms(step) } })
}

const words = ['text', 'tool-call', 'tool-result']

/** One recording of each of these formats, as the agents' files look. */
export const agentRecordings: readonly Recording[] = [
  { name: 'Copilot CLI', format: 'copilot', text: linesOf(copilotLines) },
  { name: 'Plimsoll', format: 'plimsoll', text: linesOf(plimsollLines) },
  { name: 'opencode, exported', format: 'opencode', text: JSON.stringify(opencodeExport, null, 1) },
  { name: 'OpenHands, a list', format: 'openhands', text: JSON.stringify(openHandsEvents, null, 1) },
  { name: 'OpenHands, lines', format: 'openhands', text: linesOf(openHandsEvents) },
  { name: 'OpenHands, the library', format: 'openhands-sdk', text: linesOf(openHandsSdkEvents) },
  { name: 'OpenHands, the library in a list', format: 'openhands-sdk', text: JSON.stringify(openHandsSdkEvents, null, 1) },
  { name: 'OpenHands, pairs', format: 'openhands', text: linesOf([openHandsPairs]), parts: words },
  { name: 'SWE-agent', format: 'swe-agent', text: JSON.stringify(sweAgentRun, null, 1), parts: words, isWhole: true },
  { name: 'mini-swe-agent', format: 'mini-swe-agent', text: JSON.stringify(miniSweAgentRun, null, 1), parts: words },
  { name: 'SWE-smith', format: 'swe-smith', text: linesOf([sweSmithChat]), parts: words },
  { name: 'tau-bench', format: 'tau-bench', text: JSON.stringify(tauBenchRuns), parts: words },
  { name: 'Cline', format: 'cline', text: JSON.stringify(clineFile, null, 1) },
  { name: 'Cline, a list', format: 'cline', text: JSON.stringify(clineFile['messages']) },
  { name: 'snow-cli', format: 'snow-cli', text: JSON.stringify(snowFile, null, 2) },
  { name: 'Gemini CLI', format: 'gemini-chat', text: JSON.stringify(geminiChatFile, null, 1) },
  { name: 'Gemini CLI, lines', format: 'gemini-chat', text: linesOf(geminiChatLines) },
]

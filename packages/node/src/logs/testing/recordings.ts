/** Small logs in the forms that agents write, invented here, each with a little of what goes wrong in real ones. */
export interface Recording {
  readonly name: string
  readonly format: string
  readonly text: string
  /** The types of parts the format has. Default: all of them. */
  readonly parts?: readonly string[]
  /** Whether every call has its result. Default: the last one has none. */
  readonly isWhole?: true
}

type Line = Readonly<Record<string, unknown>>

/** The time of the nth step of a recording, as ISO text. */
export function timeOf(step: number): string {
  return new Date(Date.UTC(2026, 0, 5, 9, 0, step)).toISOString()
}

/** JSON lines. */
export function linesOf(entries: readonly Line[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

/** A line of Claude Code that hangs on another. */
export function claudeLine(uuid: string, parentUuid: string | null, step: number, fields: Line): Line {
  return { parentUuid, isSidechain: false, cwd: '/home/sam/shop', sessionId: 'shop-1', uuid, timestamp: timeOf(step), ...fields }
}

/** A message from the user, or from the client on their behalf. */
export function claudeUser(content: unknown, fields: Line = {}): Line {
  return { type: 'user', message: { role: 'user', content }, ...fields }
}

/** One line of a response. */
export function claudeAnswer(id: string, block: Line, output = 1): Line {
  const usage = { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 5, output_tokens: output }
  return { type: 'assistant', message: { id, role: 'assistant', model: 'claude-x', content: [block], usage } }
}

const call = (id: string, command: string): Line => ({ type: 'tool_use', id, name: 'Bash', input: { command } })
const answer = (id: string, content: unknown): Line => ({ type: 'tool_result', tool_use_id: id, content })

/** Two calls side by side, a rewind, a sub-agent, a compaction, bookkeeping, and a last call without its result. */
export const claudeLines: readonly Line[] = [
  { type: 'file-history-snapshot', messageId: 'x', snapshot: {}, isSnapshotUpdate: false },
  claudeLine('u1', null, 1, claudeUser('The basket shows the wrong total.')),
  claudeLine('a1', 'u1', 2, claudeAnswer('m1', { type: 'thinking', thinking: 'Look at the sums first.' })),
  claudeLine('a2', 'a1', 3, claudeAnswer('m1', call('c1', 'ls'), 20)),
  claudeLine('p1', 'a2', 3, { type: 'progress', data: {} }),
  claudeLine('a3', 'a2', 4, claudeAnswer('m1', call('c2', 'npm test'), 40)),
  claudeLine('r1', 'p1', 5, claudeUser([answer('c1', 'basket.ts\nprice.ts')])),
  claudeLine('r2', 'a3', 6, claudeUser([answer('c2', [{ type: 'text', text: '1 failed' }])])),
  claudeLine('s1', null, 6, { ...claudeUser('Count the tests.'), isSidechain: true }),
  claudeLine('s2', 's1', 6, { ...claudeAnswer('m9', { type: 'text', text: 'Twelve.' }), isSidechain: true }),
  claudeLine('a4', 'r2', 7, claudeAnswer('m2', { type: 'text', text: 'The discount is applied twice.' })),
  claudeLine('u2', 'a4', 8, claudeUser('Rewrite everything.')),
  claudeLine('a5', 'u2', 9, claudeAnswer('m3', { type: 'text', text: 'Rewriting.' })),
  claudeLine('u3', 'a4', 10, claudeUser('Apply it once.')),
  claudeLine('u4', 'u3', 10, claudeUser('Skill: keep changes small.', { isMeta: true })),
  claudeLine('a6', 'u4', 11, claudeAnswer('m4', { type: 'text', text: 'Done.' })),
  { ...claudeLine('b1', null, 12, { type: 'system', subtype: 'compact_boundary' }), logicalParentUuid: 'a6' },
  claudeLine('k1', 'b1', 13, claudeUser('Summary: the discount is applied once now.', { isCompactSummary: true })),
  claudeLine(
    'u5',
    'k1',
    14,
    claudeUser([
      { type: 'text', text: 'Check it.' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
    ]),
  ),
  claudeLine('a7', 'u5', 15, claudeAnswer('m5', call('c3', 'npm test'))),
]

/** A tree with a branch that was left, a command of the person, a compaction and a last call without its result. */
export const piLines: readonly Line[] = [
  { type: 'session', version: 3, id: 'pi-1', timestamp: timeOf(0), cwd: '/home/sam/shop' },
  piLine('e1', null, 1, { role: 'user', content: 'Why is the page slow?' }),
  piLine('e2', 'e1', 2, {
    role: 'assistant',
    model: 'model-a',
    content: [
      { type: 'thinking', thinking: 'Measure.' },
      { type: 'toolCall', id: 't1', name: 'bash', arguments: { command: 'time curl /' } },
    ],
    usage: { input: 10, output: 5, cacheRead: 90, cacheWrite: 3, totalTokens: 108 },
  }),
  piLine('e3', 'e2', 3, {
    role: 'toolResult',
    toolCallId: 't1',
    toolName: 'bash',
    content: [{ type: 'text', text: 'real 4.1s' }],
    isError: false,
  }),
  piLine('e4', 'e3', 4, { role: 'assistant', model: 'model-a', content: [], stopReason: 'aborted' }),
  piLine('e5', 'e3', 5, { role: 'bashExecution', command: 'uptime', output: 'load 9', exitCode: 1 }),
  { type: 'compaction', id: 'e6', parentId: 'e5', timestamp: timeOf(6), summary: 'The page takes 4 s.', firstKeptEntryId: 'e5' },
  { type: 'custom_message', id: 'e7', parentId: 'e6', timestamp: timeOf(7), customType: 'x', content: 'Cache is off.' },
  { type: 'label', id: 'e8', parentId: 'e7', targetId: 'e1', label: 'start' },
  piLine('e9', 'e8', 9, {
    role: 'user',
    content: [
      { type: 'text', text: 'Look at this.' },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    ],
  }),
  piLine('e10', 'e9', 10, {
    role: 'assistant',
    model: 'model-b',
    content: [{ type: 'toolCall', id: 't2', name: 'read', arguments: { path: 'a.ts' }, partialJson: '{' }],
  }),
]

function piLine(id: string, parentId: string | null, step: number, message: Line): Line {
  return { type: 'message', id, parentId, timestamp: timeOf(step), message }
}

/** Text added by the client, two parallel calls, a search at the provider, a compaction and an interrupted turn. */
export const codexLines: readonly Line[] = [
  codexLine(0, 'session_meta', { id: 'codex-1', cwd: '/home/sam/shop' }),
  codexItem(1, { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be careful.' }] }),
  codexItem(1, {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: '<environment_context>sh</environment_context>' }],
  }),
  codexLine(1, 'turn_context', { model: 'gpt-x', cwd: '/home/sam/shop' }),
  codexItem(2, { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Sort the list.' }] }),
  codexLine(2, 'event_msg', { type: 'user_message', message: 'Sort the list.' }),
  codexItem(3, { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Find the list.' }], content: null }),
  codexItem(3, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.' }] }),
  codexItem(4, { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: 'k1' }),
  codexItem(4, { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch', call_id: 'k2' }),
  codexUsage(4, 100),
  codexItem(5, { type: 'function_call_output', call_id: 'k1', output: 'list.ts' }),
  codexItem(5, { type: 'custom_tool_call_output', call_id: 'k2', output: { content: 'no such file', success: false } }),
  codexUsage(5, 100),
  codexItem(6, { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'sort' } }),
  codexItem(6, { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' }),
  codexItem(7, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Sorted.' }] }),
  codexUsage(7, 200),
  codexLine(8, 'compacted', { message: 'The list is sorted.', replacement_history: [] }),
  codexItem(9, { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<turn_aborted/>' }] }),
  codexItem(10, {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'And this one.' },
      { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
    ],
  }),
  codexLine(10, 'event_msg', { type: 'user_message', message: 'And this one.' }),
  codexItem(11, { type: 'local_shell_call', call_id: 'k3', status: 'completed', action: { type: 'exec', command: ['ls'] } }),
]

function codexLine(step: number, type: string, payload: Line): Line {
  return { timestamp: timeOf(step), type, payload }
}

function codexItem(step: number, payload: Line): Line {
  return codexLine(step, 'response_item', payload)
}

function codexUsage(step: number, total: number): Line {
  const last = { input_tokens: total, cached_input_tokens: 60, output_tokens: 7, reasoning_output_tokens: 2 }
  return codexLine(step, 'event_msg', { type: 'token_count', info: { last_token_usage: last, total_token_usage: last } })
}

/** Calls with and without ids, thoughts, two results in one content, a failure and a last call without its result. */
export const geminiContents: readonly Line[] = [
  { role: 'user', parts: [{ text: 'Rename the file.' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] },
  {
    role: 'model',
    parts: [
      { text: 'Two steps.', thought: true },
      { text: 'Renaming.' },
      { functionCall: { id: 'g1', name: 'read_file', args: { path: 'a.ts' } }, thoughtSignature: 'x' },
      { functionCall: { name: 'move', args: { to: 'b.ts' } } },
    ],
  },
  {
    role: 'user',
    parts: [
      { functionResponse: { id: 'g1', name: 'read_file', response: { output: 'export {}' } } },
      { functionResponse: { name: 'move', response: { error: 'not found' } } },
      { text: 'Try again.' },
    ],
  },
  { role: 'model', parts: [{ functionCall: { name: 'move', args: {} } }] },
  { role: 'function', parts: [{ functionResponse: { name: 'move', response: { moved: true, to: 'b.ts' } } }] },
  { role: 'model', parts: [{ text: '' }] },
  { role: 'model', parts: [{ functionCall: { name: 'move', args: {} } }] },
]

/** One recording of each format, as the agents' files look. */
export const recordings: readonly Recording[] = [
  { name: 'Claude Code', format: 'claude-code', text: linesOf(claudeLines) },
  { name: 'pi', format: 'pi', text: linesOf(piLines) },
  { name: 'Codex', format: 'codex', text: linesOf(codexLines) },
  { name: 'Gemini, a list', format: 'gemini', text: JSON.stringify(geminiContents, null, 2) },
  { name: 'Gemini, lines', format: 'gemini', text: linesOf(geminiContents) },
  { name: 'Gemini, a request', format: 'gemini', text: JSON.stringify({ model: 'gemini-x', contents: geminiContents }) },
]

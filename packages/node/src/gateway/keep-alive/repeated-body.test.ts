import { expect, it } from 'vitest'
import { repeatedBody } from './repeated-body.ts'

const message = { role: 'user', content: 'go on' }
const repeated = (rest: object) => {
  const body = JSON.stringify({ model: 'claude-opus-5.5', max_tokens: 4096, messages: [message], ...rest })
  const again = repeatedBody(Buffer.from(body))?.toString() ?? null
  return again === null ? null : again === body.replace('"max_tokens":4096', '"max_tokens":1')
}

it.each<[name: string, rest: object]>([
  [
    'tools of the client',
    { tools: [{ name: 'Bash' }, { type: 'custom', name: 'Read' }, { type: 'bash_20250124', name: 'bash' }] },
  ],
  ['thinking that fits any limit', { thinking: { type: 'adaptive' } }],
  ['no thinking', { thinking: { type: 'disabled' } }],
  ['reasoning that is cleared', { context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } }],
  ['no container', { container: null }],
])('repeats a request with %s: one number changes', (_name, rest) => {
  expect(repeated(rest)).toBe(true)
})

it.each<[name: string, rest: object]>([
  ['a tool that runs at the provider', { tools: [{ type: 'web_search_20260209', name: 'web_search' }] }],
  ['tools that are no list', { tools: {} }],
  ['tool servers', { mcp_servers: [] }],
  ['a container', { container: 'container_1' }],
  ['a summary by the provider', { context_management: { edits: [{ type: 'compact_20260112' }] } }],
  ['edits that are unknown', { context_management: { edits: [null] } }],
  ['a budget for thinking', { thinking: { type: 'enabled', budget_tokens: 2000 } }],
  ['unknown thinking', { thinking: true }],
  ['an answer that goes on', { messages: [message, { role: 'assistant', content: 'so' }] }],
  ['no messages', { messages: [] }],
  ['no limit', { max_tokens: undefined }],
])('does not repeat a request with %s', (_name, rest) => {
  expect(repeated(rest)).toBeNull()
})

it.each([
  ['two limits, of which readers take one or the other', '{"max_tokens":5,"messages":[{"role":"user"}],"max_tokens":6}'],
  ['broken JSON', '{"max_tokens":5'],
  ['a byte that is no text', Buffer.from([0x22, 0xff, 0x22])],
])('does not repeat a body with %s', (_name, body) => {
  expect(repeatedBody(Buffer.from(body))).toBeNull()
})

it.each(['tools', 'messages', 'thinking', 'context_management', 'container', 'mcp_servers'])(
  'does not repeat a request that has %s twice: the provider may read the other one',
  (field) => {
    const last = { tools: '[]', messages: JSON.stringify([message]), thinking: '{"type":"disabled"}', container: 'null' }
    const body = `{"max_tokens":9,"messages":${JSON.stringify([message])},"${field}":[{"type":"web_search_20260209"}],"${field}":${last[field as keyof typeof last] ?? '{}'}}`
    expect(repeatedBody(Buffer.from(body))).toBeNull()
  },
)

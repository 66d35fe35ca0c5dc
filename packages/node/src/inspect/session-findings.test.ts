import { type Message, specPolicies } from '@plimsoll/core'
import { completeConfig, defaultConfig } from '@plimsoll/core/policies'
import { expect, it, onTestFinished } from 'vitest'
import { nextRequest } from '../agent/request/next-request.ts'
import { recordRequest, recordUsage } from '../agent/request/record-request.ts'
import { startSession } from '../agent/testing/start-session.ts'
import { openInspectedSession } from './inspect-session.ts'

const at = Date.UTC(2026, 0, 5, 12)
const prices = { m: { input: 10, cache_read: 1, cache_write: 12, output: 20 } }
const servers = [
  { server: 'maps', tools: ['mcp__maps__route', 'mcp__maps__find'], tokens: 4000 },
  { server: 'files', tools: ['mcp__files__get', 'mcp__files__put', 'mcp__files__move'], tokens: 9000, each: [5000, 1000, 3000] },
]

/** A file is read, and a tool of the server `files` called. */
function turn(id: string): readonly Message[] {
  const step = (call: string, tool: string, input: unknown, text: string): readonly Message[] => [
    { id: `${call}c`, role: 'assistant', at, parts: [{ type: 'tool-call', callId: call, tool, input }] },
    { id: call, role: 'tool', at, parts: [{ type: 'tool-result', callId: call, tool, content: { type: 'text', text } }] },
  ]
  return [
    ...step(`r${id}`, 'Read', { file_path: '/project/cart.ts' }, 'const total = 1\n'.repeat(2000)),
    ...step(`f${id}`, 'mcp__files__get', {}, 'ok'),
  ]
}

it('finds what cost most in a session of Plimsoll, with its place: repeated reads and an MCP server that was never used', async () => {
  const { session, sessions, close } = await startSession([
    { id: 'u', role: 'user', at, parts: [{ type: 'text', text: 'Look.' }] },
  ])
  onTestFinished(close)
  for (const id of ['1', '2', '3']) {
    const request = nextRequest({ state: session.state(), config: defaultConfig, policies: specPolicies, facts: { now: at } })
    const name = await recordRequest(session, request, { model: 'm', tools: 'list', servers })
    await recordUsage(session, name, { prompt_tokens: 20_000, completion_tokens: 10 })
    await session.append(turn(id).map((message) => ({ type: 'message', message })))
  }
  const notes = session.heads().filter(({ type }) => type === 'note')
  // Stored once for a list of tools.
  expect(
    notes.map(({ id }) => session.entry(id)).filter((entry) => entry?.type === 'note' && entry.code === 'mcp-servers'),
  ).toHaveLength(1)
  const { texts, close: end } = await openInspectedSession(sessions, session.id, {
    config: completeConfig({ prices }),
    isWindowSet: false,
    day: '2026-01-05',
  })
  onTestFinished(end)
  const { findings = [], messages } = await texts.inspection()
  // 4,000 tokens in each of three requests, uncached at $10 a million.
  expect(findings.filter(({ kind }) => kind === 'mcp')).toEqual([
    { kind: 'mcp', about: 'maps', tokens: 4000, requests: 3, request: 0, dollars: expect.closeTo(0.12) },
  ])
  // Of a server that was used, the tools that were not.
  expect(findings.filter(({ kind }) => kind === 'tools')).toEqual([
    {
      kind: 'tools',
      about: 'mcp__files__move, mcp__files__put',
      count: 2,
      of: 3,
      tokens: 4000,
      requests: 3,
      request: 0,
      dollars: expect.closeTo(0.12),
    },
  ])
  const reads = findings.find(({ kind }) => kind === 'reads')
  expect(reads).toMatchObject({ about: 'cart.ts', times: 3, message: messages.ids.indexOf('r3') })
  // In a result's name too, the project's folder is left out.
  expect(findings.find(({ kind }) => kind === 'result')).toMatchObject({ tool: 'Read', about: 'cart.ts' })
})

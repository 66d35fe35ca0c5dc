import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { handleOf } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { runCaptured } from '../testing/run-captured.ts'
import { createStateHome } from '../testing/state-home.ts'
import { storeSession } from '../testing/stored-session.ts'

/** Moves the cursor, sets a title, copies to the clipboard, asks the terminal to answer, reorders text, and is one long C1 code. */
const hostile = [
  '\u001b[2J\u001b[H',
  '\u001b]0;title\u0007',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u001b[6n',
  '\u202eevil\u202c',
  '\u009b31m',
  '\r',
  '\u0008',
]
const text = `before ${hostile.join(' between ')} after`
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones.
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

const stored = () =>
  storeSession([
    { id: 'm0', role: 'user', parts: [{ type: 'text', text }] },
    { id: 'm1', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'Bash', input: { command: text } }] },
    { id: 'm2', role: 'tool', parts: [{ type: 'tool-result', callId: 'c', tool: 'Bash', content: { type: 'text', text } }] },
  ])

describe('texts of a session', () => {
  const commands = (id: string) => [
    ['show', id, 'm0'],
    ['show', id, 'm2'],
    ['recall', handleOf(text), '--session', id],
    ['recall', '--query', 'between', '--session', id],
    ['export', id, '--format', 'markdown'],
    ['export', id, '--format', 'log'],
    ['export', id],
  ]

  it('never act on a terminal, nor with --escape on what a program shows later', async () => {
    const { id, environment } = await stored()
    for (const words of commands(id)) {
      const terminal = await runCaptured(words, { environment: { ...environment, NO_COLOR: '1' }, terminal: 100 })
      const piped = await runCaptured([...words, '--escape'], { environment })
      for (const { code, stdout, stderr } of [terminal, piped]) {
        expect([words, code]).toEqual([words, 0])
        expect(stdout).toContain('between')
        expect([words, acting.exec(stdout + stderr)?.[0]]).toEqual([words, undefined])
      }
    }
  })

  it('are written unchanged into a pipe or a file, so that a program gets the bytes', async () => {
    const { id, environment } = await stored()
    for (const words of commands(id).slice(0, 3)) expect((await runCaptured(words, { environment })).stdout).toBe(text)
    expect((await runCaptured(['export', id, '--format', 'markdown'], { environment })).stdout).toContain(hostile[0])
  })

  it('appear in lists without anything that acts on a terminal, also in a pipe', async () => {
    const { id, environment } = await stored()
    for (const words of [['show', id], ['show', id, '--branches'], ['sessions'], ['inspect', id], ['view', '--session', id]]) {
      const { stdout, stderr } = await runCaptured(words, { environment })
      expect([words, acting.exec(stdout + stderr)?.[0]]).toEqual([words, undefined])
    }
  })
})

it('names in the log of another agent act on no terminal in any command that shows them, and nothing to copy runs more than Plimsoll', async () => {
  const evil = `x${hostile.join('')}$(touch pwned);'`
  const { path, run } = createStateHome()
  const common = { sessionId: evil, cwd: `/w/${evil}`, gitBranch: evil, version: evil, isSidechain: false }
  const use = { type: 'tool_use', id: 't', name: `mcp__${evil}__b`, input: { command: evil, file_path: evil } }
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 1000 }
  const answer = { id: 'm', role: 'assistant', model: `claude-${evil}`, content: [use], usage }
  const result = [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: `Error: ${evil}` }]
  const rows = [
    { type: 'user', uuid: 'u', parentUuid: null, message: { role: 'user', content: `do ${evil}` } },
    { type: 'assistant', uuid: 'a', parentUuid: 'u', requestId: evil, message: answer },
    { type: 'user', uuid: 'r', parentUuid: 'a', message: { role: 'user', content: result } },
    { type: 'summary', summary: `title ${evil}`, leafUuid: 'r' },
  ].map((row, index) => JSON.stringify({ ...common, ...row, timestamp: `2026-01-31T09:0${index}:00.000Z` }))
  const folder = join(path, '.claude', 'projects', '-w')
  mkdirSync(folder, { recursive: true })
  const log = join(folder, `${evil.replaceAll('/', '')}.jsonl`)
  writeFileSync(log, `${rows.join('\n')}\n{"type":"user${evil}\n`)
  const status = JSON.stringify({ session_id: evil, transcript_path: log, cwd: evil, model: { id: evil, display_name: evil } })
  for (const words of [
    ['overview'],
    ['overview', '--by', 'model'],
    ['overview', '--by', 'project'],
    ['overview', '--by', 'session'],
    ['view', log],
    ['replay', log],
    ['inspect', log],
    ['import', log],
    ['repair', log],
    ['statusline'],
    ['statusline', '--json'],
  ])
    for (const terminal of [100, undefined]) {
      const screen = terminal === undefined ? {} : { terminal }
      const { stdout, stderr } = await run(words, { ...screen, stdin: status, environment: { NO_COLOR: '1' } })
      expect(stdout + stderr).not.toBe('')
      expect([words[0], terminal, acting.exec(stdout + stderr)?.[0]]).toEqual([words[0], terminal, undefined])
      if (words[0] === 'overview') expect(stdout.replaceAll(/\s+/g, ' ')).toContain("plimsoll prices 'claude-x")
    }
})

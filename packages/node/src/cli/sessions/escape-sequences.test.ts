import { handleOf } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { runCaptured } from '../testing/run-captured.ts'
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

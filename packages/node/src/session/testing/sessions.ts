import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Message } from '@plimsoll/core'
import type { NewEntry } from '@plimsoll/core/session'
import { onTestFinished } from 'vitest'

/** A new folder for sessions that is removed with the test. */
export function temporarySessions(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-sessions-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An entry with a user message. */
export function said(id: string, text: string): NewEntry {
  return { type: 'message', message: userMessage(id, text) }
}

/** A user message. */
export function userMessage(id: string, text: string): Message {
  return { id, role: 'user', parts: [{ type: 'text', text }] }
}

/** An entry with a tool result. */
export function answered(id: string, callId: string | null, text: string, at?: number): NewEntry {
  const message: Message = {
    id,
    role: 'tool',
    parts: [{ type: 'tool-result', callId, tool: null, content: { type: 'text', text } }],
    ...(at === undefined ? {} : { at }),
  }
  return { type: 'message', message }
}

/** A real second process that runs a script; `prefix` is a shell command before it. */
export function runScript(script: URL, args: readonly string[], prefix = '') {
  const file = fileURLToPath(script)
  const child = spawn('bash', ['-c', `${prefix} exec "$0" "$@"`, process.execPath, file, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += String(text)
  })
  // A process that has ended no longer listens.
  child.stdin.on('error', () => undefined)
  const lines: string[] = []
  const waiting: ((line: string | null) => void)[] = []
  let rest = ''
  let isOver = false
  child.stdout.on('data', (text) => {
    const pieces = (rest + String(text)).split('\n')
    rest = pieces.pop() ?? ''
    for (const line of pieces) {
      const next = waiting.shift()
      if (next === undefined) lines.push(line)
      else next(line)
    }
  })
  const ended = new Promise<{ readonly code: number | null; readonly errors: string }>((resolve) => {
    child.on('close', (code) => {
      isOver = true
      for (const next of waiting) next(null)
      resolve({ code, errors })
    })
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    /** Of the process itself: the shell gave its place to it. */
    pid: child.pid as number,
    /** The next line it prints; null at the end. */
    line: () =>
      new Promise<string | null>((resolve) => {
        const known = lines.shift()
        if (known !== undefined || isOver) resolve(known ?? null)
        else waiting.push(resolve)
      }),
    send: (text: string) => child.stdin.write(`${text}\n`),
    kill: () => child.kill('SIGKILL'),
    ended,
  }
}

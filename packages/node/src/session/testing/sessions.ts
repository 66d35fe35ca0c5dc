import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Message } from '@plimsoll/core'
import type { NewEntry } from '@plimsoll/core/session'
import { onTestFinished } from 'vitest'

/** A new folder for sessions that goes away with the test. */
export function temporarySessions(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-sessions-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An entry with something a user said. */
export function said(id: string, text: string): NewEntry {
  return { type: 'message', message: userMessage(id, text) }
}

/** Something a user said. */
export function userMessage(id: string, text: string): Message {
  return { id, role: 'user', parts: [{ type: 'text', text }] }
}

/** An entry with a tool's answer. */
export function answered(id: string, callId: string | null, text: string, at?: number): NewEntry {
  const message: Message = {
    id,
    role: 'tool',
    parts: [{ type: 'tool-result', callId, tool: null, content: { type: 'text', text } }],
    ...(at === undefined ? {} : { at }),
  }
  return { type: 'message', message }
}

/** A real second process that runs a script; `prefix` is a shell's words before it. */
export function runScript(script: URL, words: readonly string[], prefix = '') {
  const file = fileURLToPath(script)
  const child = spawn('bash', ['-c', `${prefix} exec "$0" "$@"`, process.execPath, file, ...words], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += String(text)
  })
  // One that has ended does not listen any more.
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
    /** The next line it prints; null when there is none any more. */
    line: () =>
      new Promise<string | null>((resolve) => {
        const known = lines.shift()
        if (known !== undefined || isOver) resolve(known ?? null)
        else waiting.push(resolve)
      }),
    tell: (text: string) => child.stdin.write(`${text}\n`),
    kill: () => child.kill('SIGKILL'),
    ended,
  }
}

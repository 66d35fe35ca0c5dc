import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Captured, runCaptured, type Surroundings } from './run-captured.ts'

/** An isolated home folder for sessions, removed after the test. */
export interface StateHome {
  readonly path: string
  /** The folder of all sessions. */
  readonly sessions: string
  readonly run: (args: readonly string[], surroundings?: Surroundings) => Promise<Captured>
  readonly write: (name: string, content: string | Uint8Array) => string
  /** Imports messages in OpenAI's chat format and returns the session id. */
  readonly importMessages: (messages: unknown, ...args: readonly string[]) => Promise<string>
}

/** Creates one. */
export function createStateHome(): StateHome {
  const path = mkdtempSync(join(tmpdir(), 'plimsoll-state-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  let files = 0
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(join(path, 'files'), { recursive: true })
    const file = join(path, 'files', name)
    writeFileSync(file, content)
    return file
  }
  const run = (args: readonly string[], surroundings: Surroundings = {}) =>
    runCaptured(args, {
      ...surroundings,
      environment: { HOME: path, XDG_STATE_HOME: join(path, 'state'), ...surroundings.environment },
    })
  return {
    path,
    sessions: join(path, 'state', 'plimsoll', 'sessions'),
    run,
    write,
    async importMessages(messages, ...args) {
      files += 1
      const file = write(`conversation-${files}.json`, JSON.stringify(messages))
      const { code, stdout, stderr } = await run(['import', file, '--json', ...args])
      if (code !== 0) throw new Error(stderr)
      return (JSON.parse(stdout) as { sessions: readonly { id: string }[] }).sessions[0]?.id ?? ''
    },
  }
}

/** Reads of one file, a minute apart, each with its call, after a question. */
export function repeatedReads(count: number): readonly unknown[] {
  const minute = 60_000
  const start = Date.parse('2026-01-31T09:00:00Z')
  const reads = Array.from({ length: count }, (_, index) => [
    {
      role: 'assistant',
      content: `look ${index + 1}`,
      timestamp: start + index * minute,
      tool_calls: [
        { id: `call-${index}`, type: 'function', function: { name: 'read_file', arguments: '{"path":"src/price.ts"}' } },
      ],
    },
    {
      role: 'tool',
      tool_call_id: `call-${index}`,
      timestamp: start + index * minute,
      content: `1→export const price = ${index}\n2→`,
    },
  ])
  return [{ role: 'user', content: 'What does the price depend on?', timestamp: start - minute }, ...reads.flat()]
}

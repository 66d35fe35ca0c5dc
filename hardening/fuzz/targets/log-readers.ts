import { isDeepStrictEqual } from 'node:util'
import { readLine, writeLine } from '../../../packages/core/src/session/jsonl.ts'
import type { ReadLog, ReadSession } from '../../../packages/node/src/logs/log-reader.ts'
import { readLogText } from '../../../packages/node/src/logs/read-log.ts'
import { agentRecordings } from '../../../packages/node/src/logs/testing/agent-recordings.ts'
import { recordings } from '../../../packages/node/src/logs/testing/recordings.ts'
import { recordedDocuments, recordedLines } from '../seeds.ts'
import { holds, type Target } from '../target.ts'
import { requests } from './sample-requests.ts'

/** Every reader of another agent's log, chosen by the format of the log. */
export const logReadersTarget: Target = {
  name: 'log-readers',
  form: 'lines',
  choices: 1,
  longest: 12_000,
  slowness: 4,
  covers: ['packages/node/src/logs/', 'packages/node/src/files/'],
  seeds: () => [...[...recordings, ...agentRecordings].map(({ text }) => text), ...requests],
  recorded: () => [...recordedLines(6000), ...recordedDocuments(10_000)],
  maxSteps: 3000,
  async check({ text, choices: [cut = 0] }) {
    const read = await readLogText(text)
    holds((read.value === undefined) !== (read.problem === undefined), 'a log is read or its trouble is named')
    if (read.value === undefined) return
    checkLog(read.value, text)
    const lines = text.split('\n')
    if (lines.length < 2 || !isObject(lines[0] as string) || read.value.skipped.length > 0) return
    // The file after a crash: complete lines and part of the next.
    const kept = 1 + (cut % (lines.length - 1))
    const whole = lines.slice(0, kept)
    if (!whole.every(isObject)) return
    const first = await readLogText(whole.join('\n'))
    const torn = await readLogText(`${whole.join('\n')}\n{"torn":"li`)
    if (first.value === undefined || first.value.format !== torn.value?.format) return
    holds(isDeepStrictEqual(torn.value.sessions, first.value.sessions), 'a torn last line affects no other line')
    holds(
      torn.value.skipped.some(({ line, reason }) => line === kept + 1 && reason === 'not-json'),
      'a torn line is reported',
    )
  },
}

function checkLog({ sessions, skipped }: ReadLog, text: string): void {
  const most = Math.max(text.split('\n').length, text.split(/[[,]/).length)
  holds(
    skipped.every(({ line }) => Number.isInteger(line) && line >= 1 && line <= most + 1),
    'a skipped line is reported by its number',
  )
  for (const session of sessions) checkSession(session)
}

function checkSession({ messages, usages, keptFrom }: ReadSession): void {
  const ids = new Set(messages.map(({ id }) => id))
  holds(ids.size === messages.length, 'message ids of a session are unique')
  holds(
    usages.every(({ after }) => ids.has(after)),
    'a token count belongs to a message of the session',
  )
  for (const [summary, first] of keptFrom ?? [])
    holds(ids.has(summary) && ids.has(first), 'messages kept by a summary are in the session')
  for (const message of messages) {
    const line = readLine(writeLine({ type: 'message', id: message.id, parentId: 'before', at: 1, message }))
    if (message.id === '' || message.id === 'before') continue
    holds(line.kind === 'entry', 'every message that was read can be stored and read again')
  }
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

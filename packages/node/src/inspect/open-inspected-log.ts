import { stat } from 'node:fs/promises'
import type { Message } from '@plimsoll/core'
import type { ReadLog, ReadSession } from '../logs/log-reader.ts'
import { readLog } from '../logs/read-log.ts'
import { skippedSentences } from '../logs/skipped-sentences.ts'
import type { InspectedMessage } from '../shared/inspection/inspection.ts'
import { type Strings, stringsFor } from '../strings/strings-for.ts'
import { InspectError } from './inspect-error.ts'
import type { InspectSettings } from './inspect-facts.ts'
import { inspectLog, type SentMismatch } from './inspect-log.ts'
import type { OpenLogged } from './inspected-texts.ts'
import { troubleSentences } from './trouble-sentences.ts'

/** A log of another agent that was read, or the file in which it lies. */
export interface LogToInspect {
  readonly path: string
  /** Its number among the sessions of the file, from 0. */
  readonly number: number
  /** What names it in addresses. */
  readonly id: string
  /** What was read of the file. Default: it is read. */
  readonly log?: ReadLog
}

/** Opens a session out of another agent's log to be looked at. Rejects with `InspectError` where it cannot be read. */
export async function openInspectedLog({ path, number, id, log }: LogToInspect, settings: InspectSettings): Promise<OpenLogged> {
  const read = log ?? (await logAt(path))
  const session = read.sessions[number]
  if (session === undefined) throw new InspectError('no-such-session')
  const bytes = await stat(path).then(
    (found) => found.size,
    () => null,
  )
  const { inspection, sent, mismatch } = inspectLog(session, { ...settings, id, format: read.format, bytes })
  return {
    logged: { path, number },
    close: async () => undefined,
    texts: {
      inspection: async (locale = null) => ({
        ...inspection,
        troubles: troublesOf(read, { ...session, mismatch }, stringsFor(locale)),
      }),
      messages: async (from, to) => pageOf(session.messages, inspection.messages.tokens, from, to),
      async request(name) {
        const messages = sent(name)
        if (messages === null) throw new InspectError('no-such-request')
        const model = inspection.requests.find((one) => one.id === name)?.model ?? null
        // A log says what was talked about, and never byte for byte what was sent.
        return { id: name, model, messages, isProven: false }
      },
      async edit() {
        throw new InspectError('no-such-edit')
      },
      blob: async () => null,
    },
  }
}

async function logAt(path: string): Promise<ReadLog> {
  const { value, trouble } = await readLog(path)
  if (value === undefined) throw new InspectError('cannot-read', trouble)
  return value
}

/** What of a log could not be read or is left out, for people. */
export function troublesOf(
  { skipped }: Pick<ReadLog, 'skipped'>,
  session: (Pick<ReadSession, 'abandoned' | 'sidechains'> & { readonly mismatch?: SentMismatch | null }) | null,
  { view }: Strings,
): readonly string[] {
  const byReason = Map.groupBy(skipped, ({ reason }) => reason)
  return troubleSentences([
    ...[...byReason.values()].flatMap((entries) => skippedSentences(entries, view)),
    ...(session === null || session.abandoned + session.sidechains === 0
      ? []
      : [view.leftOut(session.abandoned, session.sidechains)]),
    ...mismatchOf(session?.mismatch ?? null, view),
  ])
}

function mismatchOf(mismatch: SentMismatch | null, view: Strings['view']): readonly string[] {
  if (mismatch === null) return []
  const { kind, turns, reported, expected } = mismatch
  return [
    kind === 'sent-too-much'
      ? view.sentTooMuch(turns, (expected / reported).toFixed(1))
      : view.sentTooLittle(turns, (reported / Math.max(1, expected)).toFixed(1)),
  ]
}

function pageOf(messages: readonly Message[], tokens: readonly number[], from: number, to: number): readonly InspectedMessage[] {
  const first = Math.max(0, from)
  return messages
    .slice(first, Math.max(first, to))
    .map((message, index) => ({ number: first + index, message, tokens: tokens[first + index] ?? 0, isPinned: false, edits: [] }))
}

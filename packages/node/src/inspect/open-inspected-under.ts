import { stat } from 'node:fs/promises'
import type { Message } from '@plimsoll/core'
import type { ReadLog } from '../logs/log-reader.ts'
import { createO200kTokenizer } from '../model/tokens.ts'
import { createBlobStore } from '../session/blob-store.ts'
import { readSession, sessionPaths } from '../session/open-session.ts'
import type { StoredSession } from '../session/session.ts'
import type { InspectedUnder } from '../shared/inspection/inspection.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { type EditSource, editTexts } from './edit-texts.ts'
import { InspectError } from './inspect-error.ts'
import type { InspectSettings } from './inspect-facts.ts'
import { inspectUnder } from './inspect-under.ts'
import type { OpenLogged } from './inspected-texts.ts'
import { messagePage } from './message-page.ts'
import { troublesOf } from './open-inspected-log.ts'
import { underNamed } from './under-choices.ts'

/** A session that is looked at as if a policy set had been in force: out of a log that was read, or one of ours. */
export interface UnderToInspect {
  readonly log: ReadLog
  readonly path: string
  /** Its number among the sessions of the file, from 0. */
  readonly number: number
  /** What names it in addresses. */
  readonly id: string
  readonly under: InspectedUnder
  /** The folder of our sessions, where it is one of them. */
  readonly sessions?: string
}

/**
 * Opens a session to be looked at as if a policy set had been in force. Nothing of it can be changed. Rejects with `WhatIfError` for
 * names that nobody knows, and with `InspectError` where it is not there or cannot be replayed.
 */
export async function openInspectedUnder(target: UnderToInspect, settings: InspectSettings): Promise<OpenLogged> {
  const { log, path, number, id, sessions } = target
  const policies = underNamed(target.under)
  const read = log.sessions[number]
  if (read === undefined) throw new InspectError('no-such-session')
  const bytes = await stat(path).then(
    (found) => found.size,
    () => null,
  )
  const tokens = await createO200kTokenizer()
  const { inspection, sent, edit } = replayed(() =>
    inspectUnder(read, policies, { ...settings, id, format: log.format, bytes, tokens }),
  )
  const recorded = new Map(read.messages.map((message) => [message.id, message]))
  const stored = sessions === undefined ? null : await readSession(sessions, id)
  const session = { ...inspection.session, isOwn: stored !== null }
  const messageNamed = (name: string): Message | null => storedMessage(stored, name) ?? recorded.get(name) ?? null

  return {
    logged: { path, number },
    close: async () => stored?.close(),
    texts: {
      inspection: async (locale = null) => ({
        ...inspection,
        session,
        troubles: troublesOf(log, read, stringsFor(locale)),
      }),
      messages: async (from, to) => messagePage({ ...inspection, session }, from, to, messageNamed),
      async request(name) {
        const view = sent(name)
        if (view === null) throw new InspectError('no-such-request')
        const model = inspection.requests.find((one) => one.id === name)?.model ?? null
        const messages = view.map(
          (message) => (recorded.get(message.id) === message ? messageNamed(message.id) : null) ?? message,
        )
        return { id: name, model, messages, isProven: false }
      },
      async edit(name, locale = null) {
        const made = edit(name)
        const row = inspection.edits.find((one) => one.id === name)
        if (made === undefined || row === undefined) throw new InspectError('no-such-edit')
        const folded = function* () {
          for (const message of read.messages.slice(row.number, row.lastNumber + 1)) yield messageNamed(message.id) ?? message
        }
        return editTexts(made, { session: stored ?? nothingElsewhere, message: messageNamed, folded }, stringsFor(locale))
      },
      async blob(sha256) {
        if (sessions === undefined) return null
        const found = createBlobStore(sessionPaths(sessions, id).blobs).read(sha256)
        return 'bytes' in found ? found.bytes : null
      },
    },
  }
}

/** The log of another agent has all that it has in itself. */
const nothingElsewhere: EditSource['session'] = { whole: (part) => ({ part }), large: () => null }

function storedMessage(session: StoredSession | null, id: string): Message | null {
  const entry = session?.entry(id)
  return entry?.type === 'message' ? entry.message : null
}

/** One session that a policy cannot take is no defect of the server's. */
function replayed<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw new InspectError('cannot-replay', null, { cause: error })
  }
}

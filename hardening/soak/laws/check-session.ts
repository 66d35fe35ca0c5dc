import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Message, resultText } from '@plimsoll/core'
import { messageText } from '@plimsoll/core/text'
import { rebuildRequest } from '../../../packages/node/src/agent/request/record-request.ts'
import { readSession } from '../../../packages/node/src/session/open-session.ts'
import type { StoredSession } from '../../../packages/node/src/session/session.ts'
import { pathsOf } from '../../../packages/node/src/session/session-folder.ts'
import { saidText } from '../../../packages/node/src/shared/mentions.ts'
import type { Journal } from '../journal.ts'
import type { Acknowledged } from './acknowledged.ts'

/** Facts about a session to check. */
export interface SessionCheck {
  readonly sessions: string
  readonly id: string
  /** Whether a writer was killed or its disk was full: a line may then be cut off and is reported. */
  readonly isHurt: boolean
  readonly acknowledged: readonly Acknowledged[]
  readonly journal: Journal
}

/** The number of latest requests to rebuild. */
const rebuiltRequests = 30

/** Checks every guarantee of a stored session. */
export async function checkSession({ sessions, id, isHurt, acknowledged, journal }: SessionCheck): Promise<void> {
  const session = await readSession(sessions, id).catch((error: unknown) => {
    journal.check('logs have only reported problems', false, () => `${id}: ${String(error)}`)
    return null
  })
  if (session === null) return
  try {
    const strange = session.troubles().filter(({ kind }) => !(isHurt && kind === 'torn'))
    journal.count('reported cut-off lines', session.troubles().length - strange.length)
    journal.check('logs have only reported problems', strange.length === 0, () => `${id}: ${JSON.stringify(strange)}`)
    checkRequests(session, journal)
    checkAcknowledged(session, acknowledged, journal)
    checkBlobs(session, journal)
  } finally {
    await session.close()
  }
}

function checkRequests(session: StoredSession, journal: Journal): void {
  const requests = session.heads().filter(({ type }) => type === 'request')
  for (const { id } of requests.slice(-rebuiltRequests))
    journal.check('recorded requests can be rebuilt', rebuildRequest(session, id)?.isProven === true, () => `${session.id} ${id}`)
}

function checkAcknowledged(session: StoredSession, acknowledged: readonly Acknowledged[], journal: Journal): void {
  const messages = [...session.messages()]
  for (const one of acknowledged) {
    if (one.session !== session.id) continue
    const isThere = messages.some((message) => isKept(one, message, session))
    journal.check(
      'acknowledged messages are stored bit for bit',
      isThere,
      () => `${session.id}: ${JSON.stringify(one).slice(0, 300)}`,
    )
  }
}

function isKept(one: Acknowledged, message: Message, session: StoredSession): boolean {
  switch (one.kind) {
    case 'said':
      return message.role === 'user' && (one.message === null ? isPartOf(one.text, message) : isExactly(one, message))
    case 'answer':
      return message.role === 'assistant' && messageText(message) === one.text
    case 'result':
      return message.parts.some((part) => {
        if (part.type !== 'tool-result' || part.callId !== one.callId) return false
        const whole = session.whole(part)
        // A long result is reported as the extract in the log.
        return resultText(part) === one.text || ('part' in whole && resultText(whole.part) === one.text)
      })
  }
}

function isExactly(one: Extract<Acknowledged, { readonly kind: 'said' }>, message: Message): boolean {
  return one.message === message.id && one.text === saidText(message)
}

/** Texts queued when a server ended are stored as one message. */
function isPartOf(text: string, message: Message): boolean {
  return `\n\n${saidText(message)}\n\n`.includes(`\n\n${text}\n\n`)
}

function checkBlobs({ id, folder }: StoredSession, journal: Journal): void {
  const { blobs } = pathsOf(folder)
  for (const name of readdirSync(blobs)) {
    if (!/^[0-9a-f]{64}$/.test(name)) continue
    const hash = createHash('sha256')
      .update(readFileSync(join(blobs, name)))
      .digest('hex')
    journal.check('blobs match their hashes', hash === name, () => `${id}: ${name}`)
  }
}

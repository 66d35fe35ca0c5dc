import { stat } from 'node:fs/promises'
import type { Edit, Message } from '@plimsoll/core'
import { rebuildRequest } from '../agent/request/record-request.ts'
import { createBlobStore } from '../session/blob-store.ts'
import { readSession, sessionPaths } from '../session/open-session.ts'
import type { StoredSession } from '../session/session.ts'
import type { Inspection } from '../shared/inspection/inspection.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { editTexts } from './edit-texts.ts'
import { InspectError } from './inspect-error.ts'
import type { InspectSettings } from './inspect-facts.ts'
import { inspectSession } from './inspect-session.ts'
import type { OpenLogged } from './inspected-texts.ts'
import { messagePage } from './message-page.ts'

/** Opens a session of ours to be looked at, whoever writes to it. Rejects with `SessionError` where there is none. */
export async function openInspectedSession(sessions: string, id: string, settings: InspectSettings): Promise<OpenLogged> {
  const paths = sessionPaths(sessions, id)
  const session = await readSession(sessions, id)
  const { size } = await stat(paths.log)
  const blobs = createBlobStore(paths.blobs)
  let known: Inspection | null = null
  let edits: ReadonlyMap<string, Edit> | null = null

  const inspection = (): Inspection => {
    known ??= inspectSession(session, { ...settings, bytes: size })
    return known
  }
  const editNamed = (name: string): Edit | undefined => {
    edits ??= editsOf(session)
    return edits.get(name)
  }
  const messageNamed = (name: string): Message | null => {
    const entry = session.entry(name)
    return entry?.type === 'message' ? entry.message : madeMessage(name, (edits ??= editsOf(session)))
  }

  return {
    logged: { path: paths.log, number: 0 },
    close: () => session.close(),
    texts: {
      inspection: async () => inspection(),
      messages: async (from, to) => messagePage(inspection(), from, to, messageNamed),
      async request(name) {
        // With the active branch read once, all of its requests are made of the very same messages.
        if (size <= heldWhole) session.state()
        const rebuilt = rebuildRequest(session, name)
        if (rebuilt === null) throw new InspectError('no-such-request')
        return { id: name, ...rebuilt }
      },
      async edit(name, locale = null) {
        const edit = editNamed(name)
        const row = inspection().edits.find((one) => one.id === name)
        if (edit === undefined || row === undefined) throw new InspectError('no-such-edit')
        const { ids } = inspection().messages
        const folded = function* () {
          for (let number = row.number; number <= row.lastNumber; number += 1) {
            const message = messageNamed(ids[number] ?? '')
            if (message !== null) yield message
          }
        }
        return editTexts(edit, { session, message: messageNamed, folded }, stringsFor(locale))
      },
      async blob(sha256) {
        const read = blobs.read(sha256)
        return 'bytes' in read ? read.bytes : null
      },
    },
  }
}

/** In a log of up to so many bytes, the messages of the branch are held once they were asked for. */
export const heldWhole = 32_000_000

/** Every edit that ever took effect, by its name; the latest of a name. */
function editsOf(session: StoredSession): ReadonlyMap<string, Edit> {
  const edits = new Map<string, Edit>()
  for (const { id, type } of session.heads()) {
    const entry = type === 'edits' ? session.entry(id) : null
    for (const edit of entry?.type === 'edits' ? (entry.apply ?? []) : []) edits.set(edit.id, edit)
  }
  return edits
}

/** A summary, or a message that was put in. */
function madeMessage(id: string, edits: ReadonlyMap<string, Edit>): Message | null {
  for (const edit of edits.values()) {
    const made = edit.kind === 'insert' ? edit.message : edit.kind === 'fold' ? edit.into : null
    if (made?.id === id) return made
  }
  return null
}

import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { createSession } from '../create-session.ts'
import { openSession, readSession } from '../open-session.ts'
import type { StoredSession } from '../session.ts'
import { SessionError } from '../session-error.ts'

// Run as a process by root: gives up its rights, takes those of folders and files away, and prints what each call says.

const [sessions = '', user = ''] = process.argv.slice(2)
// Loaded before other users' files can no longer be read.
process.setgid?.(Number(user))
process.setuid?.(Number(user))

const message = (id: string) => ({ type: 'message', message: { id, role: 'user', parts: [{ type: 'text', text: id }] } }) as const

async function tell(name: string, attempt: () => Promise<string>): Promise<void> {
  const said = await attempt().catch((error: unknown) => {
    if (!(error instanceof SessionError)) return String(error)
    return `${error.problem.kind} ${'code' in error.problem ? error.problem.code : ''}`
  })
  process.stdout.write(`${JSON.stringify({ [name]: said })}\n`)
}

async function idsOf(opening: Promise<StoredSession & { readonly close: () => Promise<void> }>): Promise<string> {
  const session = await opening
  const ids = session.state().messages.map(({ id }) => id)
  await session.close()
  return ids.join(' ')
}

const session = await createSession(sessions)
await session.append([message('m1')])
const { id, folder } = session
chmodSync(folder, 0o500)
await tell('append in a read-only folder', async () => {
  await session.append([message('m2')])
  return 'done'
})
await tell('close in a read-only folder', async () => {
  await session.close()
  return 'done'
})
await tell('open in a read-only folder', () => idsOf(openSession(sessions, id)))
await tell('read in a read-only folder', () => idsOf(readSession(sessions, id)))
chmodSync(folder, 0o000)
await tell('open in a closed folder', () => idsOf(openSession(sessions, id)))
await tell('read in a closed folder', () => idsOf(readSession(sessions, id)))
chmodSync(folder, 0o700)
chmodSync(join(folder, 'log.jsonl'), 0o400)
await tell('open a read-only log', () => idsOf(openSession(sessions, id)))
chmodSync(join(folder, 'log.jsonl'), 0o600)
chmodSync(sessions, 0o500)
await tell('create in a read-only folder', () => idsOf(createSession(sessions)))
chmodSync(sessions, 0o700)
await tell('open again', () => idsOf(openSession(sessions, id)))

import type { SessionSnapshot } from '../../../packages/node/src/shared/server-api.ts'
import type { Journal } from '../journal.ts'
import type { Acknowledged } from '../laws/acknowledged.ts'
import type { Random } from '../random.ts'
import { words } from '../upstream/agent-answer.ts'
import type { ServerClient } from './server-client.ts'

/** The shared knowledge of the clients of one server. */
export interface Desk {
  readonly client: ServerClient
  readonly journal: Journal
  readonly random: Random
  /** Created sessions, the latest last. */
  readonly sessions: string[]
  /** Content that events have acknowledged: it must be in the log. */
  readonly stored: Acknowledged[]
  /** Content that was only accepted: it is in the log once the server has ended normally. */
  readonly heard: Acknowledged[]
  /** Sessions with an undone message, in which accepted content may be missing. */
  readonly undone: Set<string>
}

/** One action of a browser user. */
export type Action = (desk: Desk) => Promise<void>

/** All actions of clients; repeated ones are more frequent. */
export const serverActions: readonly [Action, ...Action[]] = [
  talk,
  talk,
  talk,
  begin,
  leaveAtOnce,
  lookAround,
  lookAround,
  interrupt,
  sendNonsense,
  sendNonsense,
  pretend,
  reorder,
  sayTooMuch,
]

/** Sends a message and listens until it is answered. */
async function talk(desk: Desk): Promise<void> {
  const session = await sessionOf(desk)
  if (session === null) return
  const { random, client, journal } = desk
  const text = `Say ${desk.heard.length}: ${words(random, random.pick([5, 50, 2000]))}${random.chance(0.2) ? ' @picture.png' : ''}`
  let reported: Acknowledged[] = []
  const listening = client.listen(
    session,
    (event) => {
      if (event.type === 'said' && event.data.message !== null)
        reported.push({ kind: 'said', session, message: event.data.message, text: event.data.text })
      // A message is stored before the model request.
      if (event.type === 'view_built') {
        desk.stored.push(...reported)
        reported = []
      }
      if (event.type !== 'turn_end') return false
      journal.count(`server: turns ${event.data.outcome}`)
      if (event.data.outcome === 'finished') desk.stored.push({ kind: 'answer', session, text: event.data.text })
      return true
    },
    20_000,
  )
  const answer = await client.post(`/sessions/${session}/turn`, { text })
  if (answer?.status === 200) desk.heard.push({ kind: 'said', session, message: null, text })
  await listening
}

async function begin(desk: Desk): Promise<void> {
  const answer = await desk.client.post('/sessions', {})
  if (answer?.status === 201) desk.sessions.push((answer.body as { readonly id: string }).id)
}

/** Opens streams and responses, and disconnects early. */
async function leaveAtOnce(desk: Desk): Promise<void> {
  const session = await sessionOf(desk)
  if (session === null) return
  const { client, random } = desk
  const paths = [`/sessions/${session}/events`, `/sessions/${session}`, `/sessions/${session}/export?format=log`, '/sessions']
  await Promise.all(paths.map((path) => client.send(path, { signal: AbortSignal.timeout(1 + random.below(60)) })))
}

async function lookAround(desk: Desk): Promise<void> {
  const session = await sessionOf(desk)
  const { client, random, journal } = desk
  const paths = ['/hello', '/sessions?search=tide', '/files?search=not', '/logs', '/sessions/20200101-000000-abcdef']
  const ofSession =
    session === null
      ? []
      : ['', '/messages?from=0&to=9', '/export?format=markdown', '/recall?query=tide', '/results/none', '/blobs/none'].map(
          (path) => `/sessions/${session}${path}`,
        )
  const path = random.pick([...paths, ...ofSession] as [string])
  const answer = await client.send(path)
  if (answer !== null) journal.count(`server: looked, ${answer.status}`)
}

/** Stops a turn, and sometimes undoes the message. */
async function interrupt(desk: Desk): Promise<void> {
  const session = await sessionOf(desk)
  if (session === null) return
  const { client, random } = desk
  desk.undone.add(session)
  await client.post(`/sessions/${session}/turn`, { text: words(random, 10) })
  await client.post(`/sessions/${session}/cancel`, {})
  const snapshot = (await client.send(`/sessions/${session}`))?.body as SessionSnapshot | null
  const message = snapshot?.messages?.findLast((one) => one.message.role === 'user')?.message.id
  if (message !== undefined && random.chance(0.5)) await client.post(`/sessions/${session}/rewind`, { before: message })
}

/** Sends invalid requests. */
async function sendNonsense(desk: Desk): Promise<void> {
  const session = (await sessionOf(desk)) ?? 'none'
  const { client, random } = desk
  const path = random.pick([
    `/sessions/${session}/turn`,
    `/sessions/${session}/permission`,
    '/sessions',
    `/sessions/${session}/no`,
  ])
  const body = random.pick([
    '',
    '{',
    'null',
    '[]',
    '{"text":5}',
    `{"text":"${'x'.repeat(1_200_000)}"}`,
    '{"__proto__":{"a":1}}',
    '\0',
  ])
  await client.send(path, {
    method: random.pick(['POST', 'PUT', 'DELETE', 'PATCH']),
    body,
    headers: { 'x-odd': 'ü'.normalize('NFD').slice(0, 1) },
  })
}

/** Sends requests from another origin, or with a wrong or missing token. */
async function pretend({ client, random, journal }: Desk): Promise<void> {
  const headers = random.pick<Readonly<Record<string, string>>>([
    { origin: 'https://evil.example' },
    { origin: 'http://127.0.0.1:1' },
    { authorization: 'Bearer guessed-guessed-guessed' },
    { authorization: '' },
    { 'sec-fetch-site': 'cross-site' },
  ])
  const answer = await client.send('/sessions', { headers })
  if (answer === null) return
  journal.check('clients get answers in the agreed form', [401, 403].includes(answer.status), () => {
    return `let in with ${JSON.stringify(headers)}: ${answer.status}`
  })
}

/** Forks, compacts, continues in a new session, and sometimes deletes. */
async function reorder(desk: Desk): Promise<void> {
  const session = await sessionOf(desk)
  if (session === null) return
  const { client, random } = desk
  const kind = random.pick(['fork', 'compact', 'resume', 'hand-over', 'remove'])
  if (kind === 'remove' && random.chance(0.5)) {
    desk.undone.add(session)
    const answer = await client.send(`/sessions/${session}`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    })
    if (answer?.status === 200) forget(desk, session)
    return
  }
  const answer = await client.post(`/sessions/${session}/${kind}`, {})
  const made = (answer?.body as { readonly session?: string } | null)?.session
  if (answer?.status === 200 && made !== undefined) desk.sessions.push(made)
}

/** Sends a message near the size limit. */
async function sayTooMuch(desk: Desk): Promise<void> {
  const session = await sessionOf(desk)
  if (session === null) return
  const text = 'ballast '.repeat(100_000 + desk.random.below(40_000))
  const answer = await desk.client.post(`/sessions/${session}/turn`, { text })
  if (answer?.status === 200) desk.heard.push({ kind: 'said', session, message: null, text })
}

async function sessionOf(desk: Desk): Promise<string | null> {
  if (desk.sessions.length === 0 || desk.random.chance(0.1)) await begin(desk)
  const latest = desk.sessions.slice(-5)
  return latest[desk.random.below(latest.length)] ?? null
}

function forget(desk: Desk, session: string): void {
  const others = desk.sessions.filter((id) => id !== session)
  desk.sessions.splice(0, desk.sessions.length, ...others)
  for (const list of [desk.stored, desk.heard]) {
    const kept = list.filter((one) => one.session !== session)
    list.splice(0, list.length, ...kept)
  }
}

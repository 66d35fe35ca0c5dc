import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readLogText } from '../../packages/node/src/logs/read-log.ts'
import { agentRecordings } from '../../packages/node/src/logs/testing/agent-recordings.ts'
import { recordings } from '../../packages/node/src/logs/testing/recordings.ts'
import { createSession, forkSession } from '../../packages/node/src/session/create-session.ts'
import { unsealed } from '../../packages/node/src/session/log-chain.ts'
import { openSession, readSession } from '../../packages/node/src/session/open-session.ts'
import { SessionError } from '../../packages/node/src/session/session-error.ts'
import { pathsOf } from '../../packages/node/src/session/session-folder.ts'
import { createRandom } from '../fuzz/random.ts'
import { damages } from './damages.ts'

/** What became of the damages of one kind. */
export interface DamageCount {
  tried: number
  /** Named when the session is opened, or it cannot be opened for writing. */
  noticed: number
  /** Nothing that was said has changed. */
  harmless: number
  /** Messages changed, moved or disappeared, and nothing says so. */
  silent: number
  /** Noticed at first, and no longer after the session was continued. */
  forgotten: number
  /** Noticed, and not named by a fork of the session. */
  laundered: number
}

interface Options {
  readonly times: number
  readonly seed: number
  /** Removes checksums and ends first, as in logs of earlier versions. Default: they stay. */
  readonly isPlain?: boolean
  /** Recorded logs besides the project's own. Default: none. */
  readonly logs?: readonly string[]
}

/** Damages the logs of sessions made from recorded conversations, `times` in each way, and looks whether anyone learns of it. */
export async function damageSessions({ times, seed, isPlain = false, logs = [] }: Options) {
  const sessions = mkdtempSync(join(tmpdir(), 'plimsoll-damage-'))
  try {
    const stored = await storeConversations(sessions, [...agentRecordings, ...recordings].map(({ text }) => text).concat(logs))
    if (isPlain) for (const { log, end } of stored) strip(log, end)
    const kinds = [...Object.keys(damages), 'end of the log damaged']
    const counts = new Map(
      kinds.map((kind) => [kind, { tried: 0, noticed: 0, harmless: 0, silent: 0, forgotten: 0, laundered: 0 }]),
    )
    const random = createRandom(seed, 'damage')
    for (let time = 0; time < times; time += 1) {
      for (const [kind, count] of counts) {
        const session = random.pick(stored)
        const other = random.pick(stored.filter((one) => one !== session))
        const before = await saidIn(sessions, session.id)
        const [log, end] = [readFileSync(session.log), isPlain ? null : readFileSync(session.end)]
        const damage = damages[kind]
        const damaged = damage === undefined ? null : damage(log, random, readFileSync(other.log))
        const hurtEnd = damage === undefined && end !== null ? damages['several bits flipped']?.(end, random, end) : null
        if ((damaged ?? hurtEnd) == null || damaged?.equals(log) === true) continue
        writeFileSync(damaged === null ? session.end : session.log, (damaged ?? hurtEnd) as Buffer)
        await look(sessions, session.id, before, count)
        writeFileSync(session.log, log)
        if (end !== null) writeFileSync(session.end, end)
        else rmSync(session.end, { force: true })
      }
    }
    return { sessions: stored.length, counts }
  } finally {
    rmSync(sessions, { recursive: true, force: true })
  }
}

async function look(sessions: string, id: string, before: string, count: DamageCount): Promise<void> {
  count.tried += 1
  const session = await readSession(sessions, id)
  const said = [...session.messages()].map((message) => JSON.stringify(message)).join('\n')
  const isNamed = session.troubles().length > 0
  await session.close()
  const isSame = said === before
  if (isNamed) count.noticed += 1
  else if (isSame) count.harmless += 1
  else count.silent += 1
  if (!isNamed || isSame) return
  if (!(await isNamedInFork(sessions, id))) count.laundered += 1
  if (!(await isNamedLater(sessions, id))) count.forgotten += 1
}

/** Whether the damage is named by a fork too, or there is none. */
async function isNamedInFork(sessions: string, id: string): Promise<boolean> {
  const original = await readSession(sessions, id)
  try {
    const fork = await forkSession(sessions, original)
    const messages = [...fork.messages()].length
    const isNamed = fork.troubles().length > 0 || messages === 0
    await fork.close()
    rmSync(fork.folder, { recursive: true })
    return isNamed
  } catch (error) {
    if (error instanceof SessionError) return true
    throw error
  } finally {
    await original.close()
  }
}

/** Whether the damage is still named after the session was continued. */
async function isNamedLater(sessions: string, id: string): Promise<boolean> {
  try {
    const session = await openSession(sessions, id)
    await session.append([{ type: 'note', code: 'later' }])
    await session.close()
  } catch (error) {
    // Refused: nothing was written, so it is named as before.
    if (error instanceof SessionError) return true
    throw error
  }
  const again = await readSession(sessions, id)
  // The content of damaged lines is looked at when they are read.
  const messages = [...again.messages()].length
  const isNamed = again.troubles().length > 0 || messages === 0
  await again.close()
  return isNamed
}

async function saidIn(sessions: string, id: string): Promise<string> {
  const session = await readSession(sessions, id)
  const said = [...session.messages()].map((message) => JSON.stringify(message)).join('\n')
  const [trouble] = session.troubles()
  await session.close()
  if (trouble !== undefined) throw new Error(`damage before anything was damaged: ${trouble.message}`)
  return said
}

async function storeConversations(sessions: string, logs: readonly string[]) {
  const stored: { readonly id: string; readonly log: string; readonly end: string }[] = []
  for (const text of logs) {
    const { value } = await readLogText(text)
    for (const { messages } of value?.sessions ?? []) {
      const session = await createSession(sessions)
      for (const [index, { role, parts }] of messages.entries()) {
        const id = `message-${index + 1}`
        await session.append([{ type: 'message', message: { id, role, parts } }])
        if (role === 'user') await session.append([{ type: 'edits', pin: [id] }])
      }
      await session.close()
      stored.push({ id: session.id, ...pathsOf(session.folder) })
    }
  }
  return stored
}

function strip(log: string, end: string): void {
  const lines = readFileSync(log, 'utf8').split('\n')
  writeFileSync(log, lines.map(unsealed).join('\n'))
  rmSync(end)
}

/** Recorded logs next to the repository, of at most this many bytes; none if there are none. */
export function recordedLogs(folder: string, longest: number): readonly string[] {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
    const small = files.map((name) => join(folder, name)).filter((file) => statSync(file).size <= longest)
    return small.sort().map((file) => readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}

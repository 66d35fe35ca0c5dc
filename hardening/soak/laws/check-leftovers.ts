import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sessionIds } from '../../../packages/node/src/session/list-sessions.ts'
import { openSession } from '../../../packages/node/src/session/open-session.ts'
import type { User } from '../command.ts'
import type { Journal } from '../journal.ts'
import { processesIn } from '../processes.ts'

/** Checks that no process of a user is running after their commands have ended, and kills any that is. */
export async function checkProcesses({ home }: User, journal: Journal, how: string): Promise<void> {
  for (let tries = 0; tries < 100 && processesIn(home).length > 0; tries += 1) await sleep(50)
  const left = processesIn(home)
  journal.check('no process is left behind', left.length === 0, () => `${how}: ${left.map(({ command }) => command).join('; ')}`)
  endAll(left)
}

/** Kills every process with a folder in its environment or command line and returns their number. */
export function endProcessesIn(folder: string): number {
  const left = processesIn(folder)
  endAll(left)
  return left.length
}

/** Checks that every session, once reopened, contains only its log and its blobs. */
export async function checkFiles({ sessions, temporary }: User, journal: Journal, isKilled: boolean): Promise<void> {
  for (const id of await sessionIds(sessions)) {
    const session = await openSession(sessions, id)
    await session.close()
    const names = readdirSync(session.folder, { recursive: true, encoding: 'utf8' })
    const strange = names.filter((name) => !/^(?:log\.jsonl|log\.end|blobs(?:\/[0-9a-f]{64})?)$/.test(name))
    journal.check('no temporary file is left behind', strange.length === 0, () => `${id}: ${strange.join(', ')}`)
  }
  const left = existsSync(temporary) ? readdirSync(temporary) : []
  if (isKilled) journal.count('temporary files of killed commands', left.length)
  else journal.check('no temporary file is left behind', left.length === 0, () => join(temporary, left.join(', ')))
}

function endAll(processes: readonly { readonly pid: number }[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

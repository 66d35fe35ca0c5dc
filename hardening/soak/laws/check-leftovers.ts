import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sessionIds } from '../../../packages/node/src/session/list-sessions.ts'
import { openSession } from '../../../packages/node/src/session/open-session.ts'
import type { User } from '../command.ts'
import type { Journal } from '../journal.ts'
import { processesIn } from '../processes.ts'

/** Sees to it that nothing runs any more for a user whose commands have ended. Whatever does is ended. */
export async function checkProcesses({ home }: User, journal: Journal, how: string): Promise<void> {
  for (let tries = 0; tries < 100 && processesIn(home).length > 0; tries += 1) await sleep(50)
  const left = processesIn(home)
  journal.check('no process is left behind', left.length === 0, () => `${how}: ${left.map(({ command }) => command).join('; ')}`)
  endAll(left)
}

/** Ends what a killed command could not end any more. How many there were. */
export function endOrphans({ home }: User): number {
  return endProcessesIn(home)
}

/** Ends every process that has a folder in its environment or command. How many there were. */
export function endProcessesIn(folder: string): number {
  const left = processesIn(folder)
  endAll(left)
  return left.length
}

/** Sees to it that every session holds nothing but its log and its blobs, once somebody has opened it again. */
export async function checkFiles({ sessions, temporary }: User, journal: Journal, isKilled: boolean): Promise<void> {
  for (const id of await sessionIds(sessions)) {
    const session = await openSession(sessions, id)
    await session.close()
    const names = readdirSync(session.folder, { recursive: true, encoding: 'utf8' })
    const strange = names.filter((name) => !/^(?:log\.jsonl|blobs(?:\/[0-9a-f]{64})?)$/.test(name))
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

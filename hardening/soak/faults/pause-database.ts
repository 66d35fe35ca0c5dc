import { setTimeout as sleep } from 'node:timers/promises'
import { descendantsOf, processesIn } from '../processes.ts'

/** Stops every process of a PostgreSQL that listens at this port for so long: connections stay open, and nothing is answered. */
export async function pauseDatabase(url: string, milliseconds: number): Promise<void> {
  const server = processesIn(`-p ${new URL(url).port}`).find(({ command }) => /\bpostgres -c /.test(command))
  if (server === undefined) throw new Error('the database is not there to be paused')
  const all = [server, ...descendantsOf(server.pid)]
  signalAll(all, 'SIGSTOP')
  try {
    await sleep(milliseconds)
  } finally {
    signalAll(all, 'SIGCONT')
  }
}

function signalAll(processes: readonly { readonly pid: number }[], signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended meanwhile.
    }
  }
}

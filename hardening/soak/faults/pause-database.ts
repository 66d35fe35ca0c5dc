import { setTimeout as sleep } from 'node:timers/promises'
import { descendantsOf, processesIn } from '../processes.ts'

/** Suspends all processes of a PostgreSQL server for some milliseconds: connections stay open, but nothing is answered. */
export async function pauseDatabase(url: string, milliseconds: number): Promise<void> {
  const server = processesIn(`-p ${new URL(url).port}`).find(({ command }) => /\bpostgres -c /.test(command))
  if (server === undefined) throw new Error('no database found to pause')
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

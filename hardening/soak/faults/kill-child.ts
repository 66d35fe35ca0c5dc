import { descendantsOf } from '../processes.ts'
import type { Random } from '../random.ts'

/** Kills one of the processes that a process has started. What it was, by the first word of its command; null where there was none. */
export function killChild(pid: number, random: Random): string | null {
  const [first, ...rest] = descendantsOf(pid)
  if (first === undefined) return null
  const victim = random.pick([first, ...rest])
  try {
    process.kill(victim.pid, 'SIGKILL')
  } catch {
    // It was done already.
    return null
  }
  const [program = ''] = victim.command.split(' ')
  return program.split('/').at(-1) ?? null
}

import { descendantsOf } from '../processes.ts'
import type { Random } from '../random.ts'

/** Kills a child of a process. Returns the first word of its command; null if there was none. */
export function killChild(pid: number, random: Random): string | null {
  const [first, ...rest] = descendantsOf(pid)
  if (first === undefined) return null
  const victim = random.pick([first, ...rest])
  try {
    process.kill(victim.pid, 'SIGKILL')
  } catch {
    // It had ended already.
    return null
  }
  const [program = ''] = victim.command.split(' ')
  return program.split('/').at(-1) ?? null
}

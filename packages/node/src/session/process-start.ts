import { readFileSync } from 'node:fs'

/**
 * When a process started, as a text that no later process of the same number has; null where the system does not tell or there is
 * no such process.
 */
export function processStart(pid: number): string | null {
  try {
    // The 22nd field of all, two of which stand before these.
    const start = statFields(pid)?.split(' ')[19]
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return start === undefined ? null : `${boot}:${start}`
  } catch {
    return null
  }
}

/** Whether a process of that number runs. One of somebody else does; one that ended and was not yet collected does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return !/^[ZX]/.test(statFields(pid) ?? '')
}

/** What the system tells of a process behind its name, which may hold anything. */
function statFields(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2)
  } catch {
    return null
  }
}

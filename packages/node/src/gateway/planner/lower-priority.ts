import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * Lets this thread, and no other of its process, work only when there is not more urgent work to do on the machine. Where systems do not
 * know priorities of single threads it stays as it is. Tells whether it was done.
 */
export function lowerPriority(niceness = 10): boolean {
  try {
    // Linux calls a thread by a number of its own, and lets it be treated like a process.
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    if (!Number.isSafeInteger(thread) || thread === process.pid || thread <= 0) return false
    setPriority(thread, niceness)
    return true
  } catch {
    return false
  }
}

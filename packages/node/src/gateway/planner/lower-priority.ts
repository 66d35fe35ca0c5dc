import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/** Lowers the priority of this thread alone. Returns whether that was possible: not every system has priorities of threads. */
export function lowerPriority(niceness = 10): boolean {
  try {
    // On Linux a thread has its own number and can be treated like a process.
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    if (!Number.isSafeInteger(thread) || thread === process.pid || thread <= 0) return false
    setPriority(thread, niceness)
    return true
  } catch {
    return false
  }
}

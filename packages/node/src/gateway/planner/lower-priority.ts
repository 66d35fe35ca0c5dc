import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/** Lowers the priority of this thread alone. Returns whether that was possible: not every system has priorities of threads. */
export function lowerPriority(niceness = 10): boolean {
  return changePriority(niceness)
}

export type PatientThread = ReturnType<typeof createPatientThread>

/**
 * A thread whose work gives way to all others, except for what someone waits for. Only some users may raise a priority again: for others
 * everything gives way.
 */
export function createPatientThread() {
  const usual = getPriority()
  let urgent = 0
  let others = 0
  const low = Math.max(10, usual)
  let canRaise = lowerPriority(low)

  const raise = () => {
    canRaise &&= changePriority(usual)
  }

  return {
    /** Notes that some work begins; returns what to call at its end. Urgent work is not slowed down, unless there is other work with it. */
    begin(isUrgent: boolean): () => void {
      if (isUrgent) urgent += 1
      else others += 1
      if (!isUrgent && others === 1 && urgent > 0) lowerPriority(low)
      if (isUrgent && urgent === 1 && others === 0) raise()
      return () => {
        if (isUrgent) urgent -= 1
        else others -= 1
        if (isUrgent && urgent === 0 && others === 0 && canRaise) lowerPriority(low)
        if (!isUrgent && others === 0 && urgent > 0) raise()
      }
    },
  }
}

function changePriority(niceness: number): boolean {
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

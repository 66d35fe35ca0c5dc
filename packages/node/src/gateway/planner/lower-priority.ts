import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/** Lowers the priority of this thread alone. Returns whether that was possible: not every system has priorities of threads. */
export function lowerPriority(niceness = 10): boolean {
  return changePriority(Math.max(niceness, getPriority()))
}

export type PatientThread = ReturnType<typeof createPatientThread>

/**
 * A thread whose work gives way to all others, except for what someone waits for. Only some users may raise a priority again: for others
 * everything gives way.
 */
export function createPatientThread() {
  const usual = getPriority()
  const low = Math.max(10, usual)
  let urgent = 0
  let others = 0
  let wasUrgent = false
  let isResting = false
  let isLow = true
  let canRaise = lowerPriority(low)

  function adjust(): void {
    const isUsual = others === 0 && (urgent > 0 || (isResting && wasUrgent))
    if (isUsual && isLow && canRaise) {
      canRaise = changePriority(usual)
      isLow = !canRaise
    } else if (!isUsual && !isLow) isLow = lowerPriority(low)
  }

  return {
    /** Notes that some work begins; returns what to call at its end. Urgent work is not slowed down, unless there is other work with it. */
    begin(isUrgent: boolean): () => void {
      isResting = false
      wasUrgent ||= isUrgent
      if (isUrgent) urgent += 1
      else others += 1
      adjust()
      return () => {
        if (isUrgent) urgent -= 1
        else others -= 1
        adjust()
      }
    },
    /** Notes that nothing is left to do. On a busy machine, the next urgent work would begin late in a thread that gives way. */
    rest(): void {
      isResting = true
      adjust()
    },
  }
}

function changePriority(niceness: number): boolean {
  try {
    thread ??= Number(basename(readlinkSync('/proc/thread-self')))
    if (!Number.isSafeInteger(thread) || thread === process.pid || thread <= 0) return false
    setPriority(thread, niceness)
    return true
  } catch {
    return false
  }
}

/** On Linux a thread has its own number and can be treated like a process. */
let thread: number | null = null

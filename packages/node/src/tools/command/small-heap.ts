import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the engine from making more room for short-lived values, until what comes back is called. Where gigabytes of text go by it
 * would make all the room it may, and never give it back, though none of it is needed.
 */
export function holdHeapSmall(): () => void {
  let isHeld = true
  holders += 1
  setFlagsFromString(`${flag}=1`)
  return () => {
    if (!isHeld) return
    isHeld = false
    holders -= 1
    if (holders === 0) setFlagsFromString(`${flag}=${usual}`)
  }
}

/** By how much that room grows each time. It may be set while the engine runs: it is looked at whenever the room might grow. */
const flag = '--semi-space-growth-factor'
const usual = 2

let holders = 0

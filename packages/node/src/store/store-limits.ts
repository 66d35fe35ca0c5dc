/** How old the note of a last use may be before it is renewed: expiry counts in days, and renewing costs a write. */
export const touchAfter = 3_600_000

/** How many conversations are listed where nobody asks for fewer. */
export const listedConversations = 1000

/** How many originals one beginning of a handle may find. */
export const foundOriginals = 20

/** How many rows one step of expiry takes away, so that nobody waits long for it. */
export const expiryBatch = 500

/**
 * How many of a conversation's last requests can be gone on from exactly; of older ones every sixteenth. Each holds the whole state, so
 * keeping all would grow with the square of their number.
 */
export const keptBranches = 16

/** Whether a time of last use is due to be renewed. */
export function isStale(used: number, now: number): boolean {
  return used < now - touchAfter
}

import { handleOf } from '@plimsoll/core'

/**
 * Whether a conversation is one of the share that is left untouched, so that there is something to compare with. The same conversation
 * always gets the same answer, and one that is left untouched for a share is so for every larger one. The hash gives hexadecimal
 * digits.
 */
export function isHeldOut(conversation: string, share: number, hash: (text: string) => string = handleOf): boolean {
  if (!(share > 0)) return false
  const place = Number.parseInt(hash(`hold-out ${conversation}`).slice(-8), 16)
  return place / 0x1_0000_0000 < share
}

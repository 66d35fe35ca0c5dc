import { createHash } from 'node:crypto'

/** So many hexadecimal digits that are the same for the same words. */
export function madeHex(about: string, digits: number): string {
  return createHash('sha256').update(about).digest('hex').slice(0, digits)
}

/** A UUID that is the same for the same words. */
export function madeUuid(about: string): string {
  const hex = madeHex(about, 32)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

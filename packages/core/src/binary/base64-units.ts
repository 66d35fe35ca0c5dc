/** A character that base64 is written with, in its ordinary or its url-safe alphabet; the padding is not one. */
export const base64Unit = 1
/** White space that may stand between the lines of base64. */
export const spaceUnit = 2
/** The escape character of JSON strings. */
export const backslashUnit = 4
/** A mark that tools put in front of the lines they show: of a quote, or after a line's number. */
export const markUnit = 8

/** Where the stretch ends that begins at a position and has only characters of these kinds. */
export function skip(text: string, from: number, kinds: number, limit = text.length): number {
  const end = Math.min(limit, text.length)
  let index = from
  while (index < end && isUnit(text.charCodeAt(index), kinds)) index += 1
  return index
}

/** Where the stretch begins that ends at a position and has only characters of these kinds. */
export function skipBack(text: string, from: number, kinds: number, floor: number): number {
  let index = from
  while (index > floor && isUnit(text.charCodeAt(index - 1), kinds)) index -= 1
  return index
}

/** Where the run of base64 characters ends that begins at a position: what `skip` would say, quickly even of a megabyte. */
export function endOfRun(text: string, from: number): number {
  // A loop over a megabyte is compiled while it runs, and thrown away when it is left; a pattern is not.
  run.lastIndex = from
  return run.test(text) ? run.lastIndex : from
}

const run = /[A-Za-z0-9+/_-]+/y

const units = new Uint8Array(128)
for (const unit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') units[unit.charCodeAt(0)] = base64Unit
for (const unit of ' \t\r\n') units[unit.charCodeAt(0)] = spaceUnit
for (const unit of '>|:') units[unit.charCodeAt(0)] = markUnit
units['\\'.charCodeAt(0)] = backslashUnit
const arrow = '→'.charCodeAt(0)

function isUnit(unit: number, kinds: number): boolean {
  return unit < 128 ? ((units[unit] as number) & kinds) !== 0 : unit === arrow && (kinds & markUnit) !== 0
}

/** One way to break a log, and where, as shares of its lines and of a line. */
export interface Breakage {
  readonly kind: BreakageKind
  readonly at: number
  readonly other: number
}

export type BreakageKind = (typeof breakageKinds)[number]

export const breakageKinds = [
  'cut',
  'garble',
  'nul',
  'drop',
  'double',
  'swap',
  'glue',
  'half',
  'surrogate',
  'other',
  'orphan',
  'self',
] as const

/** Applies breakages to a log of lines, one after the other. */
export function breakLog(text: string, breakages: readonly Breakage[]): Buffer {
  return breakages.reduce(breakOnce, Buffer.from(text))
}

function breakOnce(bytes: Buffer, { kind, at, other }: Breakage): Buffer {
  // In latin1 every byte is one character, so invalid UTF-8 survives.
  const lines = bytes.toString('latin1').split('\n')
  const here = Math.floor(at * (lines.length - 1))
  const there = Math.floor(other * (lines.length - 1))
  const line = lines[here] ?? ''
  const middle = Math.floor(other * line.length)
  const next = lines[here + 1] ?? ''
  switch (kind) {
    case 'cut':
      lines.splice(here, lines.length, line.slice(0, middle))
      break
    case 'garble':
      lines[here] = `${line.slice(0, middle)}\0\u00ff{]"x${line.slice(middle + 5)}`
      break
    case 'nul':
      lines[here] = `${line.slice(0, middle)}\0\0\0${line.slice(middle)}`
      break
    case 'drop':
      lines.splice(here, 1)
      break
    case 'double':
      lines.splice(there, 0, line)
      break
    case 'swap':
      lines[here] = lines[there] ?? ''
      lines[there] = line
      break
    case 'glue':
      lines.splice(here, 2, `${line}${next}`)
      break
    case 'half':
      lines.splice(here, 2, `${line.slice(0, middle)}${next}`)
      break
    case 'surrogate':
      lines[here] = line.replace(/:"(?=[A-Z])/, ':"\\ud83d')
      break
    case 'other':
      lines.splice(there, 0, line.replace(/[a-z]{4}\.?"/, 'zzzz"'))
      break
    case 'orphan':
      lines[here] = line.replace(/"(parentUuid|parentId)":"[^"]*"/, '"$1":"nowhere"')
      break
    case 'self':
      lines[here] = line.replace(/"(parentUuid|parentId)":"([^"]*)"(.*?"(?:uuid|id)":")([^"]*)"/, '"$1":"$4"$3$4"')
      break
  }
  return Buffer.from(lines.join('\n'), 'latin1')
}

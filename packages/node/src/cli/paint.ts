import type { CommandIo, Output } from './command-io.ts'

/** What a piece of text is, for colouring. A colour is never the only sign of it. */
export type Tint = 'bold' | 'dim' | 'good' | 'warning' | 'error' | CellTint

/** Colours of cells in the grid, in an order that keeps neighbours apart. */
export type CellTint =
  | 'blue'
  | 'cyan'
  | 'green'
  | 'yellow'
  | 'magenta'
  | 'red'
  | 'grey'
  | 'bright-blue'
  | 'bright-green'
  | 'bright-magenta'
  | 'bright-cyan'

/** Colours a text, or leaves it as it is. */
export type Paint = (tint: Tint, text: string) => string

/** Gives text its colours where colours are wanted, and gives it back unchanged elsewhere. */
export function createPaint(colours: boolean): Paint {
  return colours ? (tint, text) => (text === '' ? '' : `\u001b[${codes[tint]}m${text}\u001b[0m`) : (_tint, text) => text
}

const codes: Readonly<Record<Tint, string>> = {
  bold: '1',
  dim: '2',
  good: '32',
  warning: '33',
  error: '31',
  blue: '97;44',
  cyan: '30;46',
  green: '30;42',
  yellow: '30;43',
  magenta: '97;45',
  red: '97;41',
  grey: '30;47',
  'bright-blue': '30;104',
  'bright-green': '30;102',
  'bright-magenta': '30;105',
  'bright-cyan': '30;106',
}

/** The option that says whether colours are wanted. */
export interface ColourOptions {
  /** False for `--no-color`. Default: whatever the output and the environment say. */
  readonly color?: boolean
}

/** The colours for one of a command's outputs. */
export function paintFor({ isTerminal }: Output, { color }: ColourOptions, { environment }: CommandIo): Paint {
  return createPaint(wantsColours({ isTerminal, environment, refused: color === false }))
}

/** What decides whether text is coloured. */
export interface ColourWish {
  readonly isTerminal: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether the caller asked for no colours. */
  readonly refused: boolean
}

/** Colours go to a terminal only, and `--no-color`, `NO_COLOR` and a dumb terminal turn them off. `FORCE_COLOR` turns them on. */
export function wantsColours({ isTerminal, environment, refused }: ColourWish): boolean {
  if (refused || (environment['NO_COLOR'] ?? '') !== '') return false
  if ((environment['FORCE_COLOR'] ?? '') !== '') return environment['FORCE_COLOR'] !== '0'
  return isTerminal && environment['TERM'] !== 'dumb'
}

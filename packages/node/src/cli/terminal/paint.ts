import type { CommandIo, Output } from '../command-io.ts'

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

/** The option that says whether colours are wanted. */
export interface ColourOptions {
  /** False for `--no-color`. Default: whatever the output and the environment say. */
  readonly color?: boolean
}

/** The colours for one of a command's outputs, which gives text back unchanged where none are wanted. */
export function paintFor(output: Output, options: ColourOptions, io: CommandIo): Paint {
  if (!wantsColours(output, options, io)) return (_tint, text) => text
  return (tint, text) => (text === '' ? '' : `\u001b[${codes[tint]}m${text}\u001b[0m`)
}

/** Colours go to a terminal only, and `--no-color`, `NO_COLOR` and a dumb terminal turn them off. `FORCE_COLOR` turns them on. */
function wantsColours({ isTerminal }: Output, { color }: ColourOptions, { environment }: CommandIo): boolean {
  if (color === false || (environment['NO_COLOR'] ?? '') !== '') return false
  if ((environment['FORCE_COLOR'] ?? '') !== '') return environment['FORCE_COLOR'] !== '0'
  return isTerminal && environment['TERM'] !== 'dumb'
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

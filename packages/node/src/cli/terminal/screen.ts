import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo, Output } from '../command-io.ts'
import { cutToWidth } from './text.ts'

export interface TextScreen {
  readonly paint: Paint
  readonly columns: number
  /** Whether lines may exceed the width, because programs read them. */
  readonly endless: boolean
}

export interface Screen extends TextScreen {
  readonly strings: Strings['view']
}

/** Standard output as a screen of at least 60 columns. */
export function createScreen(strings: Strings['view'], options: ColourOptions, io: CommandIo): Screen {
  return { strings, ...createTextScreen(options, io, 60) }
}

/** Standard output as a screen of at most 200 columns. */
export function createTextScreen(options: ColourOptions, io: CommandIo, minColumns = 30): TextScreen {
  const set = Number(io.environment['COLUMNS'] ?? '')
  const given = Number.isInteger(set) && set > 0 ? set : null
  const columns = (io.stdout.isTerminal ? io.stdout.columns : null) ?? given ?? 80
  return {
    paint: paintFor(io.stdout, options, io),
    columns: Math.min(200, Math.max(minColumns, columns)),
    endless: !io.stdout.isTerminal && given === null,
  }
}

/** The colour of a text. A colour is never the only sign. */
export type Tint = keyof typeof codes

export type CellTint = Exclude<Tint, 'bold' | 'dim' | 'good' | 'warning' | 'error'>

export type Paint = (tint: Tint, text: string) => string

export interface ColourOptions {
  /** False for `--no-color`. Default: by the output and the environment. */
  readonly color?: boolean
}

/** The options of a command with two kinds of output. */
export type JsonOptions = ColourOptions & { readonly json?: boolean }

/** Creates the painter for an output, which returns text unchanged if colours are off. */
export function paintFor(output: Output, options: ColourOptions, io: CommandIo): Paint {
  if (!wantsColours(output, options, io)) return (_tint, text) => text
  return (tint, text) => (text === '' ? '' : `\u001b[${codes[tint]}m${text}\u001b[0m`)
}

/** Colours go to a terminal only; `--no-color`, `NO_COLOR` and a dumb terminal turn them off, `FORCE_COLOR` on. */
function wantsColours({ isTerminal }: Output, { color }: ColourOptions, { environment }: CommandIo): boolean {
  if (color === false || (environment['NO_COLOR'] ?? '') !== '') return false
  if ((environment['FORCE_COLOR'] ?? '') !== '') return environment['FORCE_COLOR'] !== '0'
  return isTerminal && environment['TERM'] !== 'dumb'
}

const codes = {
  bold: '1',
  dim: '2',
  good: '32',
  warning: '33',
  error: '31',
  // For cells, in an order that keeps neighbours apart.
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
} as const

export type Progress = Readonly<ReturnType<typeof startProgress>>

const often = 200

/**
 * Shows progress once it has taken longer than the output's patience: on a terminal one line that is overwritten and removed at
 * the end, elsewhere a single line, or one every `plainEvery` milliseconds.
 */
export function startProgress(
  output: Output,
  first: string,
  milliseconds = output.patience ?? 1000,
  plainEvery: number | null = null,
) {
  let text = first
  let shown: string | null = null
  let timer = setTimeout(show, milliseconds)
  timer.unref()
  return {
    say: (next: string): void => {
      text = next
    },
    end: (): void => {
      clearTimeout(timer)
      if (shown !== null && output.isTerminal) output.write('\r\u001b[K')
    },
  }

  function show(): void {
    // A longer line would continue in the next, which is never removed.
    const line = output.columns === null ? text : cutToWidth(text, Math.max(1, output.columns - 1))
    if (text !== shown) output.write(output.isTerminal ? `\r\u001b[K${line}` : `${text}\n`)
    shown = text
    if (!output.isTerminal && plainEvery === null) return
    timer = setTimeout(show, output.isTerminal ? Math.min(often, milliseconds) : (plainEvery ?? often))
    timer.unref()
  }
}

/** `██████░░░░ 60 %`. */
export function progressBar(done: number, all: number, columns = 20): string {
  const share = all > 0 ? Math.min(1, Math.max(0, done / all)) : 0
  const filled = Math.floor(share * columns)
  return `${'█'.repeat(filled)}${'░'.repeat(columns - filled)} ${String(Math.floor(share * 100)).padStart(3)} %`
}

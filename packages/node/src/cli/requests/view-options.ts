import { resolve } from 'node:path'
import { type Codec, codecs, modelFacts } from '@plimsoll/core'
import { knownModels, withModelWindow, withOutputLimit } from '@plimsoll/core/bill'
import { type Config, outputReserve } from '@plimsoll/core/policies'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo, oneOf } from '../command-io.ts'
import type { SessionOptions, Settings } from '../settings.ts'
import { cleanText, grouped, quotedText } from '../terminal/text.ts'

export interface ViewOptions extends SessionOptions {
  readonly now?: string
  readonly model?: string
  readonly dialect?: string
  readonly conversation?: string
  readonly exact?: boolean
  readonly all?: boolean
}

/** Reads `--now` in milliseconds; null if it is not given. */
export function nowOf({ now }: ViewOptions, { command }: Strings): number | null {
  if (now === undefined) return null
  const time = isTime(now) ? Date.parse(now) : Number.NaN
  if (Number.isNaN(time)) throw new CommandError(command.badNow(quotedText(now)), 2)
  return time
}

/** `Date.parse` accepts almost anything as a date, and 31 February as 3 March. */
function isTime(text: string): boolean {
  const date = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/.exec(text)
  if (date === null) return false
  const [year, month, day] = date.slice(1).map(Number) as [number, number, number]
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Reads `--conversation`, from 1; null if it is not given. */
export function numberOf({ conversation }: ViewOptions, { command }: Strings): number | null {
  return countOf(conversation, command.badConversation)
}

/** Reads a number from 1; null if it is not given. Throws `CommandError` for anything else. */
export function countOf(given: string | undefined, bad: (came: string) => string): number | null {
  if (given === undefined) return null
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new CommandError(bad(quotedText(given)), 2)
  return Number(given)
}

/** Reads `--dialect`; null if it is not given. */
export function codecOf({ dialect }: ViewOptions, { command }: Strings): Codec | null {
  if (dialect === undefined) return null
  const names = Object.keys(codecs) as (keyof typeof codecs)[]
  return codecs[oneOf(dialect, names, (given, known) => command.badDialect(known, given))]
}

/**
 * The project's folder: the option, otherwise the example's, otherwise here. A folder of another machine, such as `F:\\project`,
 * stays unchanged.
 */
export function rootOf({ root }: ViewOptions, exampleRoot: string | undefined, { folder }: CommandIo): string {
  if (root === undefined) return exampleRoot ?? folder
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(root) ? root : resolve(folder, root)
}

/** The active window and the origin of its size, as `--json` prints it. */
export interface WindowInForce {
  readonly tokens: number
  /** Tokens kept free for the answer. */
  readonly reserve: number
  readonly from: 'model' | 'setting' | 'default'
  readonly model: string | null
  /** The place of the setting, such as a file with line and column; null if it is not set. */
  readonly setting: string | null
  /** The input limit of the model, if that is less than its window would leave. */
  readonly inputLimit: number | null
}

/** Fits the configuration to a model: a set window is kept, otherwise it is the model's, if known. */
export function windowFor(
  { config, windowSetBy }: Pick<Settings, 'config' | 'windowSetBy'>,
  name: string | null,
): { readonly config: Config; readonly window: WindowInForce } {
  const model = name === '' ? null : name
  const facts = modelFacts(model ?? '')
  const fitted = windowSetBy === null ? withModelWindow(config, facts) : withOutputLimit(config, facts)
  const isModels = windowSetBy === null && facts.window !== null
  return {
    config: fitted,
    window: {
      tokens: fitted.context_window,
      reserve: outputReserve(fitted),
      from: windowSetBy !== null ? 'setting' : isModels ? 'model' : 'default',
      model,
      setting: windowSetBy,
      inputLimit: isModels && fitted.context_window !== facts.window ? facts.inputLimit : null,
    },
  }
}

export function windowSource({ from, model, setting, inputLimit }: WindowInForce, { windowFrom }: Strings['view']): string {
  const shown = model === null ? null : cleanText(model)
  if (from === 'setting') return windowFrom.setting(cleanText(setting ?? ''))
  if (from === 'default' || shown === null) return shown === null ? windowFrom.noModel : windowFrom.unknownModel(shown)
  return inputLimit === null
    ? windowFrom.model(shown, knownModels.date)
    : windowFrom.modelInput(shown, grouped(inputLimit), knownModels.date)
}

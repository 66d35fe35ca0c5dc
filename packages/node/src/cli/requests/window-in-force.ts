import { modelFacts } from '@plimsoll/core'
import { knownModels, withModelWindow, withOutputLimit } from '@plimsoll/core/bill'
import { type Config, outputReserve } from '@plimsoll/core/policies'
import type { Strings } from '../../strings/strings-for.ts'
import type { Settings } from '../settings.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { grouped } from '../terminal/format-number.ts'

/** The window that a request is fitted to, and where its size comes from, as `--json` prints it. */
export interface WindowInForce {
  readonly tokens: number
  /** Tokens kept free for the answer. */
  readonly reserve: number
  readonly from: 'model' | 'setting' | 'default'
  /** The model that it is for; null where none is named. */
  readonly model: string | null
  /** Where it is set, such as a file with line and column; null where nobody set it. */
  readonly setting: string | null
  /** Tokens the model reads at most, where that is less than its own window would leave; else null. */
  readonly inputLimit: number | null
}

/** The configuration for requests to a model: what is set is kept, and else the window is the model's, where that is known. */
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

/** Where the size of a window comes from, for people. */
export function windowSource({ from, model, setting, inputLimit }: WindowInForce, { windowFrom }: Strings['view']): string {
  const shown = model === null ? null : cleanText(model)
  if (from === 'setting') return windowFrom.setting(cleanText(setting ?? ''))
  if (from === 'default' || shown === null) return shown === null ? windowFrom.noModel : windowFrom.unknownModel(shown)
  return inputLimit === null
    ? windowFrom.model(shown, knownModels.date)
    : windowFrom.modelInput(shown, grouped(inputLimit), knownModels.date)
}

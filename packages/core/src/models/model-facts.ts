import { type Config, defaultConfig, outputReserve } from '../config.ts'
import type { Failure } from '../failure/classify-failure.ts'
import { knownModels, type ModelFacts } from './catalogue.ts'

/** Facts about a model by its name, with or without provider prefix and date. Rows in `overrides` come before the built-in ones; unknown facts are null. */
export function modelFacts(model: string, overrides: readonly ModelFacts[] = []): ModelFacts {
  const rows = [...overrides, ...knownModels.models]
  const found = rowOfModel(model, rows)
  if (found !== null) return found
  // Logs name a model in fast mode with this suffix.
  const fast = typeof model === 'string' && /-fast$/i.test(model) ? rowOfModel(model.slice(0, -'-fast'.length), rows) : null
  if (fast !== null) return fast
  // Claude Code requests a window of a million tokens with this suffix.
  const short = typeof model === 'string' && /\[1m\]$/i.test(model) ? rowOfModel(model.slice(0, -'[1m]'.length), rows) : null
  if (short !== null) return { ...short, window: 1_000_000, inputLimit: null }
  return { model, window: null, inputLimit: null, outputLimit: null, hasPromptCache: null, source: null }
}

/** Finds the first row for a model, ignoring a provider or region prefix, a release date, and dashes for dots. */
export function rowOfModel<Row extends { readonly model: string }>(model: string, rows: readonly Row[]): Row | null {
  if (typeof model !== 'string' || model.length > 300) return null
  for (const name of modelNames(model)) {
    const found = rows.find((candidate) => plain(candidate.model) === name)
    if (found !== undefined) return found
  }
  return null
}

/** The names under which a table may have a model, the most exact first: without provider, region, version and date. */
export function modelNames(model: string): readonly string[] {
  const whole = plain(model)
  const last = whole.slice(whole.lastIndexOf('/') + 1)
  const bare = last.replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google|deepseek|moonshotai?|zai|xai)\./, '')
  // Bedrock's names end in a version. Any other suffix, such as `:free` or `-mini`, is another model.
  const unversioned = bare === last ? bare : bare.replace(/-v\d{1,2}(?::\d{1,2})?$/, '')
  const undated = unversioned.replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')
  return [whole, last, bare, undated]
}

function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/(?<=\d)\.(?=\d)/g, '-')
}

/** Applies the model's window and output limit. The usable window never exceeds the model's input limit. */
export function withModelWindow(config: Config, facts: ModelFacts): Config {
  const { window, inputLimit } = facts
  if (window === null) return withOutputLimit(config, facts)
  const whole = withOutputLimit({ ...config, context_window: window }, facts)
  if (inputLimit === null) return whole
  // A reserve is at most a quarter of the window, so a window of 4/3 of the input limit never leaves more than that usable.
  const max = Math.min(inputLimit + outputReserve(whole), Math.floor((inputLimit * 4) / 3))
  return max < window ? { ...whole, context_window: max } : whole
}

/** Limits the output reserve to what the model can answer, unless the configuration sets it. */
export function withOutputLimit(config: Config, { outputLimit }: ModelFacts): Config {
  if (config.output_reserve !== null || outputLimit === null || outputLimit >= outputReserve(config)) return config
  return { ...config, output_reserve: outputLimit }
}

/** The tokens of a window that input may fill; null if the window is unknown. `given` is the window that the host knows of. */
export function usableWindow(model: string | null, given: number | null): number | null {
  const facts = model === null ? null : modelFacts(model)
  const window = given ?? facts?.window ?? null
  if (window === null) return null
  const config = facts === null ? defaultConfig : withModelWindow(defaultConfig, { ...facts, window })
  return window - outputReserve({ ...config, context_window: window })
}

/** Updates the facts with the window that a provider's error names (see `classifyFailure`). The same object if that is not new. */
export function withReportedLimit(facts: ModelFacts, failure: Failure): ModelFacts {
  const { kind, limit, requested } = failure
  // Limits per minute, in bytes or of the answer alone say nothing about the window.
  if (kind !== 'overflow' && kind !== 'output_reservation') return facts
  if (limit === null || !Number.isSafeInteger(limit) || limit <= 0) return facts
  // The provider contradicts itself.
  if (requested !== null && requested <= limit) return facts
  if (limit === facts.window || limit === facts.inputLimit) return facts
  const { inputLimit, outputLimit } = facts
  return {
    ...facts,
    window: limit,
    inputLimit: inputLimit !== null && inputLimit < limit ? inputLimit : null,
    outputLimit: outputLimit !== null && outputLimit < limit ? outputLimit : null,
    source: 'reported',
  }
}

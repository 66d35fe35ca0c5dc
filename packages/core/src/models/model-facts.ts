import { knownModels, type ModelFacts } from './catalogue.ts'
import { rowOfModel } from './row-of-model.ts'

/**
 * What is known of a model, by the name in the catalogue or one that means the same: behind a provider's or a region's prefix, with a
 * release date, with dashes for dots. Rows of the caller go before those of the catalogue. Of a model that is in neither, nothing is
 * known: no sister's limits are taken for its own.
 */
export function modelFacts(model: string, overrides: readonly ModelFacts[] = []): ModelFacts {
  const rows = [...overrides, ...knownModels.models]
  const found = rowOfModel(model, rows)
  if (found !== null) return found
  const base = withoutMillion(model)
  const short = base === null ? null : rowOfModel(base, rows)
  if (short !== null) return { ...short, window: 1_000_000, inputLimit: null }
  return { model, window: null, inputLimit: null, outputLimit: null, hasPromptCache: null, source: null }
}

/** Claude Code asks for a window of a million tokens by a suffix of its own. */
function withoutMillion(model: string): string | null {
  return typeof model === 'string' && /\[1m\]$/i.test(model) ? model.slice(0, -'[1m]'.length) : null
}

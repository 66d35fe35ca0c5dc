import { z } from 'zod'
import { choice, wholeNumber } from './schema-parts.ts'

const strategies = ['head_tail', 'head_only', 'summarize', 'collapse', 'structured'] as const

/** The limits that every tool may have. */
export const outputLimits = {
  max_chars: wholeNumber(1).describe('Characters a result may have before its middle is left out.').exactOptional(),
  max_lines: wholeNumber(1).describe('Lines a result may have before its middle is left out.').exactOptional(),
  truncation_strategy: choice(strategies)
    .describe(
      'How a result over its limit is shortened; `collapse` folds noise first, `structured` keeps JSON, CSV and diffs readable, `summarize` asks a model where `summarization` is enabled, else it cuts as `head_tail` does.',
    )
    .exactOptional(),
}

/** The limits that one tool may have. */
export const toolLimitsSchema = z
  .strictObject(
    {
      ...outputLimits,
      max_lines: wholeNumber(1)
        .describe('Lines a result may have before its middle is left out; for a search tool, matches shown, from the first on.')
        .exactOptional(),
      show_context: wholeNumber(0)
        .describe('Lines of context kept after the last match shown, for search tools with `max_lines` of their own.')
        .exactOptional(),
      max_depth: wholeNumber(1).describe('Levels of folders shown, for tools that list a repository.').exactOptional(),
      max_files: wholeNumber(1).describe('Entries shown, for tools that list a repository.').exactOptional(),
    },
    { error: 'a mapping of limits' },
  )
  .describe('Limits of the tool with exactly this name; what is left out comes from `default`.')

/** The keys that the limits of one tool may have. */
export const toolLimitKeys: readonly string[] = Object.keys(toolLimitsSchema.shape)

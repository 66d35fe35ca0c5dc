import { z } from 'zod'
import { choice, flag, numberFrom, wholeNumber } from './schema-parts.ts'

/** What may be set about one model. */
export const modelSchema = z
  .strictObject(
    {
      window: wholeNumber(1).describe('Tokens of a request and its answer together.').exactOptional(),
      output_limit: wholeNumber(1).describe('Tokens that one answer of the model may have.').exactOptional(),
      price: z
        .strictObject(
          {
            input: numberFrom(0).describe('Dollars for a million tokens of input.'),
            cache_read: numberFrom(0)
              .describe('Dollars for a million tokens of input that the provider has cached; else the price of input.')
              .exactOptional(),
            cache_write: numberFrom(0)
              .describe('Dollars for a million tokens of input that it caches; else the price of input.')
              .exactOptional(),
            output: numberFrom(0).describe('Dollars for a million tokens of what the model answers.'),
          },
          { error: 'a mapping of prices' },
        )
        .exactOptional(),
      text_tools: flag()
        .describe('Whether tools are offered to the model in text, because it knows no tool calls.')
        .exactOptional(),
      reasoning: choice(['none', 'low', 'medium', 'high'])
        .describe('How much the model thinks before it answers; where nobody says, what its provider does by itself.')
        .exactOptional(),
    },
    { error: 'a mapping of settings' },
  )
  .describe('What is known about one model.')

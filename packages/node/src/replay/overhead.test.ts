import { recallTool, type Tokenizer } from '@plimsoll/core'
import { expect, it } from 'vitest'
import { createO200kTokenizer } from '../model/tokens.ts'
import { overheadOf, overheadTokens } from './view-source.ts'

const characters: Tokenizer = { name: 'characters', count: (text) => text.length }

it('whoever lets the model have things back pays for the tool and for what the prompt says of it, in every request', () => {
  const schema = JSON.stringify(recallTool.inputSchema).length + recallTool.description.length
  expect(overheadOf({}, characters)).toBe(overheadTokens)
  expect(overheadOf({ canRecall: true }, characters)).toBeGreaterThan(overheadTokens + schema + 100)
})

it('telling the model how to have things back takes little of a short request', async () =>
  expect(overheadOf({ canRecall: true }, await createO200kTokenizer())).toBeLessThanOrEqual(overheadTokens + 200))

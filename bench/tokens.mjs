import { estimateTokens } from '../packages/core/dist/index.js'
import { createO200kTokenizer } from '../packages/node/dist/model/tokens.js'
import { sampleTexts } from '../test/sample-texts.ts'

/** The error of the estimate against o200k on each class of text, in percent, and the speed of estimate and tokenizer. */
export async function tokensBench() {
  const tokenizer = await createO200kTokenizer()
  const texts = Object.entries(sampleTexts())
  const errors = texts.map(([name, text]) => ({
    name: `estimate against o200k, ${name}`,
    value: (estimateTokens(text) / tokenizer.count(text) - 1) * 100,
    unit: '%',
    bound: 'within ±10',
  }))
  const mixed = texts.map(([, text]) => text).join('\n')
  return [
    ...errors,
    { name: 'estimate, mixed text', value: speed(estimateTokens, mixed, 20_000_000), unit: 'MB/s', bound: '>= 50' },
    { name: 'o200k, mixed text', value: speed(tokenizer.count, mixed, 2_000_000), unit: 'MB/s', bound: '>= 1' },
    { name: 'o200k, one run of Chinese', value: speed(tokenizer.count, '载', 50_000), unit: 'MB/s', bound: '>= 0.5' },
    { name: 'o200k, one run of a letter', value: speed(tokenizer.count, 'a', 100_000), unit: 'MB/s', bound: '>= 0.5' },
  ]
}

/** The best of three runs, each over at least this many characters. */
function speed(count, text, characters) {
  const long = text.repeat(Math.ceil(characters / text.length))
  const megabytes = Buffer.byteLength(long) / 1e6
  let best = 0
  for (let run = 0; run < 3; run += 1) {
    const start = performance.now()
    count(long)
    best = Math.max(best, (megabytes / (performance.now() - start)) * 1000)
  }
  return best
}

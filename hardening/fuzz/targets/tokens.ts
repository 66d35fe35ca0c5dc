import { estimator } from '../../../packages/core/src/tokens/count-tokens.ts'
import { holds, type Target } from '../target.ts'

/** The token estimate. */
export const tokensTarget: Target = {
  name: 'tokens',
  form: 'text',
  choices: 1,
  longest: 4000,
  covers: ['packages/core/src/tokens/', 'packages/core/src/tokens/count-tokens.ts'],
  seeds: () => [
    "It's the reader's own text, isn't it?",
    'const total = items.reduce((sum, { price }) => sum + price, 0)\n',
    '统计一下令牌的数量。',
    '  \t\n\n   12345 --- === 😀',
    'aAbBcC HTTPServer x86_64',
    'İßéñ Ωmega привет שלום',
  ],
  maxSteps: 60,
  check({ text, choices: [cut = 0] }) {
    const place = cut % (text.length + 1)
    const [all, head, tail] = [text, text.slice(0, place), text.slice(place)].map(estimator.count) as [number, number, number]
    holds(
      Number.isInteger(all) && all >= 0 && (all > 0 || text === ''),
      'a count is a whole number, and positive unless the text is empty',
    )
    holds(all <= 4 * text.length + 4, 'a count is bounded by the length of the text')
    holds(Math.abs(all - head - tail) <= 8, 'a text has about as many tokens as its two halves')
  },
}

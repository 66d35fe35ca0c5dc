import { classifyFailure } from '../../../packages/core/src/failure/classify-failure.ts'
import { answerUsage } from '../../../packages/node/src/gateway/measure/answer-usage.ts'
import { wireDialects } from '../../../packages/node/src/store/gateway-record.ts'
import { overflowCases } from '../seeds.ts'
import { holds, type Target } from '../target.ts'
import { answers } from './sample-answers.ts'

/** A provider's response: its token counts, and the kind of failure. */
export const answerUsageTarget: Target = {
  name: 'answer-usage',
  form: 'json',
  choices: 3,
  longest: 6000,
  slowness: 2,
  covers: ['packages/node/src/gateway/measure/answer', 'packages/core/src/failure/', 'packages/core/src/tokens/usage.ts'],
  seeds: () => answers,
  recorded: overflowCases,
  words: ['data: ', 'maximum context length is 8192 tokens', 'prompt is too long: 210000 tokens > 200000 maximum', '\n\n'],
  maxSteps: 2000,
  check({ text, choices: [which = 0, end = 0, start = 0] }) {
    const dialect = wireDialects[which % wireDialects.length] as (typeof wireDialects)[number]
    const answer = which % 2 === 0 ? { head: text, tail: null } : { head: text.slice(0, end), tail: text.slice(start) }
    const { usage, model, stop, error } = answerUsage(dialect, answer)
    for (const count of Object.values(usage ?? {}))
      holds(typeof count !== 'number' || (Number.isFinite(count) && count >= 0), 'counts are not negative')
    for (const word of [model, stop, error]) holds(word === null || typeof word === 'string', 'model, stop and error are strings')
    const failure = classifyFailure({ status: start % 600, body: text })
    holds(typeof failure.kind === 'string', 'every failure has a kind')
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return
    }
    classifyFailure({ body })
  },
}

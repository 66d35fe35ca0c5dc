import { isDeepStrictEqual } from 'node:util'
import { viewRequest } from '../../../packages/core/src/engine/view-request.ts'
import { economyPolicies } from '../../../packages/core/src/policies/economy-policies.ts'
import { specPolicies } from '../../../packages/core/src/policies/spec-policies.ts'
import { checkView } from '../../../packages/core/src/results/invariants.ts'
import { patchText, patchValue } from '../../../packages/core/src/text/patch.ts'
import { codecs, detectCodec } from '../../../packages/core/src/wire/codecs.ts'
import { ReadError } from '../../../packages/core/src/wire/dialect.ts'
import { historyElsewhere } from '../../../packages/core/src/wire/history-elsewhere.ts'
import { exampleRequests } from '../seeds.ts'
import { holds, type Target } from '../target.ts'
import { requests } from './sample-requests.ts'

/** Hostile requests end to end: read, trimmed by every policy, written, and read again. */
export const requestsTarget: Target = {
  name: 'requests',
  form: 'json',
  choices: 2,
  longest: 6000,
  slowness: 3,
  covers: ['packages/core/src/'],
  seeds: () => [...requests, ...exampleRequests()],
  words: ['file_path', 'command', 'content', 'old_string', 'new_string', 'todos', 'pattern', 'exitCode', 'stdout', 'src/a.ts'],
  check({ text, choices: [which = 0, window = 0] }) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return
    }
    // A reference may mean the call or its result, so validity cannot be decided.
    if (historyElsewhere(value)) return
    const codec = detectCodec(value) ?? codecs.anthropic
    const policies = which % 2 === 0 ? specPolicies : economyPolicies
    const limits = { default: { max_chars: 40, max_lines: 3 } }
    const config = { context_window: window % 3 === 0 ? 200_000 : 100 + window, tool_output_limits: limits }
    let seen: ReturnType<typeof viewRequest>
    try {
      seen = viewRequest(codec, value, policies, { now: 10_000_000, root: '/home/sam', config })
    } catch (error) {
      if (error instanceof ReadError) return
      throw error
    }
    const { reading, built, patches } = seen
    seen.log()
    const patched = patchValue(value, patches)
    holds(
      isDeepStrictEqual(throughJson(JSON.parse(patchText(text, patches))), throughJson(patched)),
      'the patched text equals the edited value',
    )
    const again = codec.read(patched)
    const before = new Set(checkView(reading.messages).map(({ rule }) => rule))
    const after = checkView(built.view).filter(({ rule }) => !before.has(rule))
    holds(after.length === 0, `no policy makes a valid conversation invalid (${after[0]?.rule})`)
    const wrong = checkView(again.messages).filter(({ rule }) => !before.has(rule))
    holds(wrong.length === 0, `writing adds no problems (${wrong[0]?.rule})`)
  },
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}

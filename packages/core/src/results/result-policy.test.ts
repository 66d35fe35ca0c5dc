import { expect, it } from 'vitest'
import { filterBinary } from '../binary/filter-binary.ts'
import { planStages } from '../engine/plan-stages.ts'
import { resultText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { base64 } from '../testing/base64.ts'
import { exchange, user } from '../testing/messages.ts'
import { resultPolicy } from './result-policy.ts'
import { toolResults } from './tool-results.ts'

const messages = [
  user('u', 'fix the cart tests'),
  ...exchange('x', 'Bash', { command: 'make' }, 'a long build'),
  ...exchange('y', 'Bash', {}, 'ok'),
]

/** Shows the first letters of results, and records the decided ones. */
function createFirstLetters() {
  const decided: string[] = []
  const policy = resultPolicy('first-letters', {
    needs: ({ root = '', now }) => [root.length, now !== undefined],
    decide(result, [letters, hasTime]) {
      decided.push(result.message.id)
      const text = resultText(result.part)
      return text.length <= letters ? null : { text: text.slice(0, letters), why: hasTime ? 'requested' : '' }
    },
  })
  return { policy, decided }
}

it('resultPolicy decides once per result, and again if its needs change', () => {
  const { policy, decided } = createFirstLetters()
  const [edit] = policy.plan(messages, { root: 'abc' })
  const content = { type: 'text', text: 'a l' }
  expect(edit).toMatchObject({
    id: 'first-letters:x.0',
    policy: 'first-letters',
    message: 'x',
    part: 0,
    with: { content },
    why: '',
  })
  expect(decided.splice(0)).toEqual(['x', 'y'])
  expect(policy.plan([...messages, user('z', 'and then?')], { root: 'xyz' })[0]).toBe(edit)
  expect(decided.splice(0)).toEqual([])
  expect(policy.plan(messages, { root: 'abc', now: 5 })).toEqual([{ ...edit, why: 'requested' }])
  expect(decided.splice(0)).toEqual(['x', 'y'])
})

it('resultPolicy passes the uncut result, without binary data, to later policies', () => {
  const given = [...messages, ...exchange('z', 'Bash', {}, JSON.stringify({ file: base64(12_000) }))]
  const seen: string[][] = []
  const look: Policy = {
    name: 'look',
    plan(list, facts) {
      seen.push(toolResults(list, facts).map(({ whole }) => resultText(whole)))
      return []
    },
  }
  const { policy } = createFirstLetters()
  planStages(given, [look, filterBinary, look, policy, look], { root: 'abc' })
  expect(seen[0]?.slice(0, 2)).toEqual(['a long build', 'ok'])
  expect(seen[1]?.[2]).not.toBe(seen[0]?.[2])
  expect(seen[2]).toEqual(seen[1])
})

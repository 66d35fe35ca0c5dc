import { describe, expect, it } from 'vitest'
import { maskBatches25, maskBatches25Keep30, maskedLine, rollingMask10 } from './mask-old-results.ts'
import { replacedBy, toolRounds } from './testing/tool-rounds.ts'

describe('masking old results', () => {
  it.each([
    [rollingMask10, 0, 0],
    [rollingMask10, 10, 0],
    [rollingMask10, 11, 1],
    [rollingMask10, 34, 24],
    [rollingMask10, 35, 25],
    [maskBatches25, 34, 0],
    [maskBatches25, 35, 25],
    [maskBatches25, 59, 25],
    [maskBatches25, 60, 50],
    [maskBatches25Keep30, 54, 0],
    [maskBatches25Keep30, 55, 25],
  ])('$name keeps the newest of %s', (policy, results, masked) => {
    const expected = Array.from({ length: masked }, (_, index) => `r${index}`)
    expect(replacedBy(policy.plan(toolRounds(results), {}))).toEqual(expected)
  })

  it('shows one line instead of a result and returns the same edit object again', () => {
    const messages = toolRounds(11)
    const [edit] = rollingMask10.plan(messages, {})
    expect(edit).toEqual({
      id: 'rolling-mask-10:r0.0',
      policy: 'rolling-mask-10',
      kind: 'replace',
      message: 'r0',
      part: 0,
      with: { type: 'tool-result', callId: 'r0', tool: 'Bash', content: { type: 'text', text: maskedLine } },
      why: maskedLine,
    })
    expect(rollingMask10.plan([...messages], {})[0]).toBe(edit)
  })
})

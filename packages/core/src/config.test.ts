import { expect, it } from 'vitest'
import { completeConfig } from './config.ts'

it('the same section is the very same one in every configuration that has it, so that what was worked out for it holds', () => {
  const compression = { list_entries: 3 }
  const [one, other] = [{ compression }, { compression, context_window: 9000 }].map(completeConfig)
  expect(other?.compression).toBe(one?.compression)
  expect(other?.tool_output_limits).toBe(one?.tool_output_limits)
  expect([one?.context_window, other?.context_window]).toEqual([completeConfig({}).context_window, 9000])
})

it('what was completed once is complete, section by section', () => {
  const config = completeConfig({ tool_output_limits: { tools: { Bash: { max_chars: 7 } } } })
  const again = completeConfig({ ...config, context_window: 9000 })
  expect(again).toEqual({ ...config, context_window: 9000 })
  expect(completeConfig({ ...config, context_window: 8000 }).tool_output_limits).toBe(again.tool_output_limits)
})

it('one object in two places is read as each place wants it', () => {
  const both = { max_chars: 7 }
  const { tool_output_limits: limits } = completeConfig({ tool_output_limits: { default: both, tools: { Bash: both } } })
  expect(limits.tools['Bash']).toEqual({ max_chars: 7 })
  expect(limits.default).toEqual({ ...completeConfig({}).tool_output_limits.default, max_chars: 7 })
})

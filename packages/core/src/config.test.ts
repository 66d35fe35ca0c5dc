import { expect, it } from 'vitest'
import { completeConfig } from './config.ts'

it('completeConfig returns the same object for the same section, so that values derived from it stay valid', () => {
  const compression = { list_entries: 3 }
  const [one, other] = [{ compression }, { compression, context_window: 9000 }].map(completeConfig)
  expect(other?.compression).toBe(one?.compression)
  expect(other?.tool_output_limits).toBe(one?.tool_output_limits)
  expect([one?.context_window, other?.context_window]).toEqual([completeConfig({}).context_window, 9000])
})

it('completeConfig returns a complete configuration unchanged, section by section', () => {
  const config = completeConfig({ tool_output_limits: { tools: { Bash: { max_chars: 7 } } } })
  const again = completeConfig({ ...config, context_window: 9000 })
  expect(again).toEqual({ ...config, context_window: 9000 })
  expect(completeConfig({ ...config, context_window: 8000 }).tool_output_limits).toBe(again.tool_output_limits)
})

it('completeConfig merges one object used in two places with the defaults of each', () => {
  const both = { max_chars: 7 }
  const { tool_output_limits: limits } = completeConfig({ tool_output_limits: { default: both, tools: { Bash: both } } })
  expect(limits.tools['Bash']).toEqual({ max_chars: 7 })
  expect(limits.default).toEqual({ ...completeConfig({}).tool_output_limits.default, max_chars: 7 })
})

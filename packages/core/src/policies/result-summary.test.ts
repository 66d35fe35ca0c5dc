import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PartialConfig } from '../config.ts'
import { fits } from '../cut/truncate.ts'
import { countCodePoints } from '../text/lines.ts'
import { outputLimitOf } from './limit-tool-output.ts'
import { finishResultSummary, planResultSummary } from './result-summary.ts'

const summarizing = (tool: string, more: PartialConfig = {}): PartialConfig => ({
  ...more,
  tool_output_limits: { tools: { [tool]: { truncation_strategy: 'summarize' } } },
  summarization: { enabled: true, ...more.summarization },
})
const text = (characters: number) => 'x'.repeat(characters)
const planned = (tool: string, characters: number, config: PartialConfig) =>
  planResultSummary(text(characters), tool, { config }) !== null

describe('planResultSummary', () => {
  // biome-ignore format: a table
  it.each([
    ['R003-21 plans nothing by default', planned('Bash', 100_000, {}), false],
    ['Q-25 plans nothing for the strategy alone', planned('Bash', 30_000, summarizing('Bash', { summarization: { enabled: false } })), false],
    ['R003-21 plans nothing for another tool if only enabled', planned('Bash', 30_000, { summarization: { enabled: true } }), false],
    ['R003-5 plans above 20,000 characters', planned('Bash', 20_001, summarizing('Bash')), true],
    ['R003-5 plans nothing at 20,000 characters', planned('Bash', 20_000, summarizing('Bash')), false],
    ['R003-21 takes the threshold from the settings', planned('Bash', 9001, summarizing('Bash', { summarization: { trigger_threshold: 9000 } })), true],
    ['R003-18 plans for repo_map above 10,000 characters', planned('repo_map', 10_001, summarizing('repo_map')), true],
    ['R003-18 plans nothing for repo_map at 10,000 characters', planned('repo_map', 10_000, summarizing('repo_map')), false],
    ['R003-18 R003-21 plans for repo_map if only enabled, as document 003 does', planned('repo_map', 43_906, { summarization: { enabled: true } }), true],
    ['R003-18 plans nothing for repo_map if its row sets another strategy', planned('repo_map', 43_906, { summarization: { enabled: true }, tool_output_limits: { tools: { repo_map: { truncation_strategy: 'head_tail' } } } }), false],
    ['R003-18 plans nothing for repo_map if not enabled', planned('repo_map', 43_906, {}), false],
    ['Q-25 keeps the threshold of repo_map under a higher common one', planned('repo_map', 10_001, summarizing('repo_map', { summarization: { trigger_threshold: 90_000 } })), true],
    ['Q-25 plans nothing for a tool without the strategy', planned('Grep', 30_000, summarizing('Bash')), false],
    ['plans nothing within the tool’s own limit', planned('Bash', 30_000, { summarization: { enabled: true }, tool_output_limits: { tools: { Bash: { truncation_strategy: 'summarize', max_chars: 40_000 } } } }), false],
    ['plans nothing for a read without its own row', planned('Read', 30_000, { summarization: { enabled: true }, tool_output_limits: { default: { truncation_strategy: 'summarize' } } }), false],
    ['uses the default row for a tool without one', planned('LS', 30_000, { summarization: { enabled: true }, tool_output_limits: { default: { truncation_strategy: 'summarize' } } }), true],
    ['plans nothing for a recalled text', planned('recall', 30_000, summarizing('recall')), false],
  ] as const)('%s', (_name, is, expected) => {
    expect(is).toBe(expected)
  })

  it('R003-6 Q-25 asks for the effective limit, with the first characters', () => {
    const config = summarizing('Bash', { summarization: { max_input_chars: 7 } })
    expect(planResultSummary(`abcdefg${text(30_000)}`, 'Bash', { config })).toMatchObject({
      prompt:
        '请将以下内容摘要到8000字符以内，保留关键信息：\n\nabcdefg\n\n要求：\n1. 保留所有重要的定义和结构\n2. 删除重复和冗余信息\n3. 保持代码片段的可读性',
      characters: 30_007,
    })
  })
})

describe('what stands in place of the result', () => {
  const config = summarizing('Bash')
  const plan = planResultSummary(text(30_000), 'Bash', { config })
  if (plan === null) throw new Error('no plan')

  it('is the summary with the handle of the original', () => {
    expect(finishResultSummary(plan, '\nAll is well.\n', '0123456789ab')).toBe(
      'All is well.\n[summary of 30000 characters; recall 0123456789ab]',
    )
  })

  it('is null for a blank summary', () => {
    expect(finishResultSummary(plan, ' \n\t', '0123456789ab')).toBeNull()
  })

  it('is null if the limit has only room for the last line', () => {
    const small = { ...plan, limit: { ...plan.limit, maxChars: 40 } }
    expect(finishResultSummary(small, 'All is well.', '0123456789ab')).toBeNull()
    expect(finishResultSummary({ ...plan, limit: { ...plan.limit, maxLines: 1 } }, 'All.', '0123456789ab')).toBeNull()
  })

  it('Q-25 is within the limit whatever the model wrote, so that nothing cuts it again', () => {
    let cut = 0
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 60, max: 2000 }),
        fc.integer({ min: 2, max: 300 }),
        (lines, times, max_chars, max_lines) => {
          const limits = { tools: { Bash: { truncation_strategy: 'summarize' as const, max_chars, max_lines } } }
          const facts = { config: { ...config, tool_output_limits: limits } }
          const own = planResultSummary(text(30_000), 'Bash', facts)
          const limit = outputLimitOf('Bash', facts)
          if (own === null || limit === null) throw new Error('no plan')
          const summary = `${lines.join('\n')}\n`.repeat(times)
          const shown = finishResultSummary(own, summary, '0123456789ab')
          if (shown === null) return summary.trim() === '' || max_chars < 65
          if (countCodePoints(summary) > max_chars) cut += 1
          return fits(shown, limit) && shown.endsWith('\n[summary of 30000 characters; recall 0123456789ab]')
        },
      ),
      { numRuns: 60 },
    )
    expect(cut).toBeGreaterThan(5)
  })
})

import { type PartialConfig, recall, specPolicies } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { startAgent } from '../packages/node/src/agent/testing/start-agent.ts'
import { streamedAnswer } from '../packages/node/src/agent/testing/streamed-answer.ts'
import { recallSourceOf } from '../packages/node/src/session/recall-source.ts'

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')
const files = { 'one.txt': 'x'.repeat(20_000), 'lines.txt': `${lines(2000)}\n`, 'hits.txt': 'hit\n'.repeat(150) }

/** What the provider is sent for the result of one call, and how to recall all of it. */
async function resultOf(tool: string, input: object, config: PartialConfig = {}) {
  const test = await startAgent({
    policies: specPolicies,
    files,
    config,
    answers: [streamedAnswer({ calls: [{ id: 'call', tool, input }] }), streamedAnswer({ text: 'Done.' })],
  })
  await test.turn('Go')
  const sent = test.server?.requests.at(-1)?.body.messages.find(({ role }) => role === 'tool')
  const text = String(sent?.content)
  const handle = /recall ([0-9a-f]{12})/.exec(text)?.[1] ?? ''
  return { text, recalled: () => recall({ handle, budget: 100_000 }, recallSourceOf(test.session)) }
}

describe('003, limits of tool output, in the running agent', () => {
  it('R003-3 R003-4 R003-15 cuts a result over 8,000 characters before it is ever sent: head, exact marker, tail, handle', async () => {
    const { text } = await resultOf('Bash', { command: 'cat one.txt' })
    const [head = '', tail = ''] = text.split(/\n\n\.\.\. \[截断了 \d+ 字符 \/ \d+ 行\] \.\.\.\n\n/)
    expect([head, text.length < 8000]).toEqual(['x'.repeat(3120), true])
    expect(tail).toMatch(/^x{3106}\n\[exit code 0\]\n\[recall [0-9a-f]{12}\]$/)
  })

  it('R003-8 R003-10 cuts lines where they are over their limit and the characters are not', async () => {
    const limits = { tool_output_limits: { tools: { Bash: { max_chars: 100_000, max_lines: 100 } } } }
    const { text } = await resultOf('Bash', { command: 'cat lines.txt' }, limits)
    expect(text).toContain(`${lines(49)}\n... [截断 1903 行] ...\nline 1953\n`)
    expect(text.split('\n').length).toBeLessThanOrEqual(100)
  })

  it('R003-8 R003-9 cuts characters first where both limits are over, by the tool’s own marker', async () => {
    const limits = { tool_output_limits: { tools: { Bash: { max_chars: 3000, max_lines: 1900 } } } }
    const { text } = await resultOf('Bash', { command: 'cat lines.txt' }, limits)
    expect(text).toMatch(/\n\n\.\.\. \[截断 \d+ 字符\] \.\.\.\n\n/)
    expect(text).not.toContain('行] ...')
    expect(text.length).toBeLessThanOrEqual(3000)
  })

  it('R003-13 shows the first matches of a search and how many there are', async () => {
    const limits = { tool_output_limits: { tools: { Grep: { max_lines: 100 } } } }
    const { text } = await resultOf('Grep', { pattern: 'hit', output_mode: 'content', head_limit: 120 }, limits)
    expect(text).toMatch(/hits\.txt:100:hit\n\.\.\. \[显示前100个结果，共1[25]0个\] \.\.\.\n/)
  })

  it('R003-24 Q-9 lets the model have all of a cut result', async () => {
    const { recalled } = await resultOf('Bash', { command: 'cat one.txt' })
    expect(JSON.stringify(recalled())).toContain('x'.repeat(20_000))
  })
})

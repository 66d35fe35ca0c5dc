import { describe, expect, it } from 'vitest'
import * as spec from './spec.ts'
import { deepFreeze } from './testing/messages.ts'

const tool = (content: string, timestamp: number) => ({ role: 'tool', content, timestamp })
const build = '{"stdout":"ok","stderr":"","exitCode":0}'

describe('the names of the source documents', () => {
  it('R000-35 simplifyOutdatedTerminalResults returns a new list and only trims commands', () => {
    const list = deepFreeze([tool(build, 0), ...Array.from({ length: 5 }, () => tool('x', 1))])
    const trimmed = spec.simplifyOutdatedTerminalResults(list, { now: 15 * 60_000 + 1 })
    expect(trimmed[0]).toEqual(tool('此命令返回内容已过时', 0))
    expect(spec.simplifyOutdatedTerminalResults(list, { now: 15 * 60_000 })).toBe(list)
  })

  it('R001-40 simplifyHistoricalFileReads returns a new list, and needs no clock', () => {
    const list = Array.from({ length: 6 }, (_, index) => [
      {
        role: 'assistant',
        tool_calls: [
          { id: `${index}`, type: 'function', function: { name: 'filesystem-read', arguments: '{"filePath":"/p/a.ts"}' } },
        ],
      },
      { role: 'tool', tool_call_id: `${index}`, content: 'text', timestamp: index },
    ]).flat()
    const trimmed = spec.simplifyHistoricalFileReads(deepFreeze(list), { root: '/p' })
    expect(trimmed[1]).toMatchObject({ content: '[该文件的历史读取内容已压缩,请参看最新读取结果]' })
    expect(trimmed.slice(2)).toEqual(list.slice(2))
  })

  it('R001-16 Q-11 finds calls in a list in reverse order', () => {
    const pairs = (tool: string, content: string) =>
      Array.from({ length: 7 }, (_, index) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: `${tool}${index}`, type: 'function', function: { name: tool, arguments: '{"filePath":"a.ts"}' } }],
        },
        { role: 'tool', tool_call_id: `${tool}${index}`, content, timestamp: index },
      ]).flat()
    const reads = pairs('filesystem-read', '{"stdout":"a file about commands"}').toReversed()
    const trimmed = spec.simplifyHistoricalFileReads(reads).map((message) => message.content)
    expect(trimmed.flatMap((content, index) => (content?.startsWith('[该') === true ? [index] : []))).toEqual([10, 12])
    expect(spec.simplifyOutdatedTerminalResults(reads, { now: 1e9 })).toBe(reads)
  })

  it('names what it expected if it gets something else', () => {
    expect(() => spec.truncateToolResult(undefined as never)).toThrow('truncateToolResult: expected a text, got nothing')
    expect(() => spec.truncateToolResult('x', Number.NaN)).toThrow(
      'truncateToolResult: expected maxChars to be a number of 0 or more, got NaN',
    )
  })

  it('Q-9 truncateToolResult names no handle, also below error lines that it keeps', () => {
    const lines = Array.from({ length: 2000 }, (_, index) => (index === 1000 ? 'Error: out of space' : `row ${index}`))
    const cut = spec.truncateToolResult(lines.join('\n'))
    expect(cut).toMatch(/\n1001: Error: out of space\n\[shown 1-\d+, \d+-2000\]\n/)
    expect(cut).not.toContain('recall')
  })

  it('R003-3 R003-4 truncateToolResult keeps 40 % of the limit at each end, with the exact marker', () => {
    expect(spec.truncateToolResult('short')).toBe('short')
    const text = 'x'.repeat(8001)
    expect(spec.truncateToolResult(text)).toBe(`${'x'.repeat(3120)}\n\n... [截断了 1761 字符 / 0 行] ...\n\n${'x'.repeat(3120)}`)
    const lines = 'line\n'.repeat(4000)
    expect(spec.truncateToolResult(lines, 1000)).toBe(
      `${lines.slice(0, 320)}\n\n... [截断了 19360 字符 / 3872 行] ...\n\n${lines.slice(-320)}`,
    )
  })

  it('exports the result functions', () => {
    expect(spec.formatToolResultForModel([{ toolCallId: 'a', success: true }])).toBe('✓ a: Success')
    expect(spec.sanitizeToolResultForHistory({ metadata: { audioData: 'x'.repeat(1024) } })).toEqual({
      metadata: { audioData: '[BINARY_DATA_FILTERED: 1.0KB]' },
    })
  })
})

describe('summarizeToolResult', () => {
  const long = 'a line of the listing\n'.repeat(1000)
  const asking = (answer: string | Error) => {
    const prompts: string[] = []
    const ask = (prompt: string) => {
      prompts.push(prompt)
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    }
    return { prompts, ask }
  }

  it('R003-5 leaves a text of 8,000 characters unchanged, and summarizes a longer one', async () => {
    const { ask, prompts } = asking('short')
    const full = 'x'.repeat(8000)
    expect(await spec.summarizeToolResult(full, { ask })).toBe(full)
    expect(prompts).toEqual([])
    expect(await spec.summarizeToolResult(`${full}x`, { ask })).toBe('short')
  })

  it('R003-6 uses the prompt of the specification', async () => {
    const { ask, prompts } = asking('short')
    await spec.summarizeToolResult(long, { ask, maxChars: 500 })
    expect(prompts).toEqual([
      `请将以下内容摘要到500字符以内，保留关键信息：\n\n${long}\n\n要求：\n1. 保留所有重要的定义和结构\n2. 删除重复和冗余信息\n3. 保持代码片段的可读性`,
    ])
  })

  it('R003-5 sends the first 50,000 characters without splitting one', async () => {
    const { ask, prompts } = asking('short')
    await spec.summarizeToolResult('😀'.repeat(60_000), { ask })
    expect(prompts[0]?.split('\n\n')[1]).toBe('😀'.repeat(50_000))
  })

  it.each([
    ['fails', asking(new Error('no'))],
    ['says nothing', asking(' \n')],
  ])('Q-25 cuts head and tail where the model %s', async (_how, { ask }) => {
    expect(await spec.summarizeToolResult(long, { ask })).toBe(spec.truncateToolResult(long))
  })

  it('Q-25 cuts a summary that is itself too long', async () => {
    const { ask } = asking(long)
    expect(await spec.summarizeToolResult(`${long}more`, { ask })).toBe(spec.truncateToolResult(long.trim()))
  })
})

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

  it('R001-16 Q-11 in a list that runs backwards the calls are found all the same', () => {
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

  it('says what it expected when it is given something else', () => {
    expect(() => spec.truncateToolResult(undefined as never)).toThrow('truncateToolResult: expected a text, got nothing')
    expect(() => spec.truncateToolResult('x', Number.NaN)).toThrow(
      'truncateToolResult: expected maxChars to be a number of 0 or more, got NaN',
    )
  })

  it('R003-3 R003-4 truncateToolResult keeps 40 % of what the limit leaves at each end, with the exact marker', () => {
    expect(spec.truncateToolResult('short')).toBe('short')
    const text = 'x'.repeat(8001)
    expect(spec.truncateToolResult(text)).toBe(`${'x'.repeat(3120)}\n\n... [截断了 1761 字符 / 0 行] ...\n\n${'x'.repeat(3120)}`)
    const lines = 'line\n'.repeat(4000)
    expect(spec.truncateToolResult(lines, 1000)).toBe(
      `${lines.slice(0, 320)}\n\n... [截断了 19360 字符 / 3872 行] ...\n\n${lines.slice(-320)}`,
    )
  })

  it('has the result functions too', () => {
    expect(spec.formatToolResultForModel([{ toolCallId: 'a', success: true }])).toBe('✓ a: Success')
    expect(spec.sanitizeToolResultForHistory({ metadata: { audioData: 'x'.repeat(1024) } })).toEqual({
      metadata: { audioData: '[BINARY_DATA_FILTERED: 1.0KB]' },
    })
  })
})

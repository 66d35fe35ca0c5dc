import { describe, expect, it } from 'vitest'
import { hideOldSummaries } from '../compaction/hide-old-summaries.ts'
import type { Message } from '../message.ts'
import { specPolicies } from '../policies/spec-policies.ts'
import { calls, exchange, result, user } from '../testing/messages.ts'
import { buildView } from './build-view.ts'
import { logRecords } from './log-records.ts'

/** Level and message of each log record about a view. */
function logged(messages: readonly Message[], config = {}) {
  const facts = { now: 0, config }
  return logRecords(messages, buildView({ messages, policies: specPolicies, facts }), facts).map(({ level, message }) => [
    level,
    message,
  ])
}

describe('logRecords about a cut', () => {
  const long = 'q'.repeat(9000)

  it('R003-16 Q-25b warns about the global cap', () => {
    expect(logged(exchange('m', 'Bash', {}, long))).toEqual([['warn', '工具结果被截断: 9000 -> 6293 字符']])
  })

  it('R003-22 Q-25b logs a tool’s own limit as information, with the removed share', () => {
    expect(logged(exchange('m', 'read_file', { path: 'a' }, long))).toEqual([
      ['info', '工具 read_file 输出被截断: 9000 -> 3966 字符 (55.9% 减少)'],
    ])
  })

  it('Q-25b warns about the cap if it cuts a tool that has its own limits', () => {
    expect(logged(exchange('m', 'get_repo_structure', {}, long))).toEqual([['warn', '工具结果被截断: 9000 -> 6293 字符']])
    const config = { tool_output_limits: { tools: { mytool: { max_lines: 50 } } } }
    expect(logged(exchange('m', 'mytool', {}, long), config)).toEqual([['warn', '工具结果被截断: 9000 -> 6293 字符']])
    expect(logged(exchange('m', 'mytool', {}, 'x\n'.repeat(60)), config)).toEqual([
      ['info', expect.stringContaining('工具 mytool 输出被截断: 120 -> ')],
    ])
  })

  it('logs a result that was moved to its call too', () => {
    const messages = [calls('a', ['1', 'Bash', {}]), user('u', 'did it work?'), result('late', '1', long)]
    expect(logged(messages)).toEqual([['warn', '工具结果被截断: 9000 -> 6293 字符']])
  })

  it('R001-43 R001-44 counts a trimmed read that was moved, for its file too', () => {
    const reads = Array.from({ length: 5 }, (_, index) => exchange(`r${index}`, 'Read', { file_path: 'a.ts' }, 'text')).flat()
    const messages = [
      calls('a', ['1', 'Read', { file_path: 'a.ts' }]),
      user('u', 'did it work?'),
      result('late', '1', 'old'),
      ...reads,
    ]
    expect(logged(messages)).toEqual([
      ['info', '精简了 1 个历史文件读取内容'],
      ['debug', '精简了 a.ts 的 1 次历史读取'],
    ])
  })

  it('logs nothing if nothing is cut', () => expect(logged(exchange('m', 'Bash', {}, 'short'))).toEqual([]))
})

describe('logRecords about a request that does not fit', () => {
  const answer = (id: string): Message => ({ id, role: 'assistant', parts: [{ type: 'text', text: 'word '.repeat(600) }] })
  const rounds = Array.from({ length: 5 }, (_, index) => [user(`u${index}`, `Do ${index}.`), answer(`a${index}`)]).flat()

  it('Q-24 warns about keeping fewer rounds than configured, with both numbers', () => {
    const facts = { config: { context_window: 2000 } }
    const records = logRecords(rounds, buildView({ messages: rounds, policies: specPolicies, facts }), facts)
    expect(records).toEqual([
      {
        level: 'warn',
        event: 'kept_rounds_lowered',
        message: 'the request did not fit; older rounds are compacted, the latest round stays',
        data: { kept: 1, wanted: 10 },
      },
    ])
  })

  it('Q-24 logs nothing if rounds are folded as configured', () => {
    expect(logged(rounds, { context_window: 3500, compaction: { keep_rounds: 2 } })).toEqual([])
  })

  it('Q-24 warns about a request that cannot fit', () => {
    expect(logged([user('u', 'word '.repeat(2000))], { context_window: 1000, locale: 'zh' })).toEqual([
      ['warn', '该请求无法放入窗口：约 2,005 词元，可用 750 词元。'],
    ])
  })
})

it('Q-28b logRecords warns about hidden summaries', () => {
  const text = `${'words '.repeat(200)}\n[4 messages folded; recall 0123456789ab]`
  const messages: readonly Message[] = [
    { id: 's', role: 'system', parts: [{ type: 'text', text }], summary: true },
    user('u', 'Go on.'),
  ]
  const facts = { config: { compaction: { max_summary_tokens: 10 } } }
  const built = buildView({ messages, policies: [hideOldSummaries], facts })
  expect(logRecords(messages, built, facts).map(({ level, event }) => [level, event])).toEqual([['warn', 'summaries_hidden']])
})

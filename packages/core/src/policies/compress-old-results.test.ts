import { describe, expect, it } from 'vitest'
import { applyEdits, type ReplaceEdit } from '../edit.ts'
import { buildView } from '../engine/build-view.ts'
import type { Facts } from '../facts.ts'
import type { Message, ToolResultPart } from '../message.ts'
import { resultText } from '../message.ts'
import { toolResults } from '../results/tool-results.ts'
import { deepFreeze, exchange, outcome, result, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { compressEveryResult, compressOldResults } from './compress-old-results.ts'
import { limitToolOutput } from './limit-tool-output.ts'
import { specPolicies } from './spec-policies.ts'
import { trimOutdatedCommands } from './trim-outdated-commands.ts'
import { trimRepeatedReads } from './trim-repeated-reads.ts'

const minute = 60_000
const now = 100 * minute
const long = 'fetched page one of many\n'.repeat(200)
const compressed = (messages: readonly Message[], facts: Facts = {}) =>
  Object.keys(outcome(compressOldResults.plan(deepFreeze(messages), facts)))
/** The messages it changes together with other policies. */
const among = (messages: readonly Message[], policies = specPolicies, facts: Facts = {}, sent: string | null = null) =>
  buildView({ messages, policies, facts: { now, ...facts }, sent }).edits.flatMap((edit) =>
    edit.policy === 'compress-old-results' && edit.kind === 'replace' ? [edit.message] : [],
  )

describe('compress-old-results', () => {
  const messages = [
    ...exchange('before', 'web', {}, long),
    user('u1', 'first'),
    ...exchange('page1', 'web', {}, long),
    ...exchange('page2', 'web', {}, long),
    user('u2', 'second'),
    ...exchange('page3', 'web', {}, long),
    user('u3', 'third'),
    ...exchange('page4', 'web', {}, long),
  ]

  it('compresses commands too if other policies of the list keep them, when asked for every result', () => {
    const command = [user('u1', 'first'), ...exchange('make', 'Bash', { command: 'make' }, long), user('u2', 'second')]
    const facts = { policies: [trimOutdatedCommands.name, trimRepeatedReads.name] }
    expect(Object.keys(outcome(compressOldResults.plan(command, facts)))).toEqual([])
    expect(Object.keys(outcome(compressEveryResult.plan(command, facts)))).toEqual(['make'])
  })

  it('counts with the tokenizer of the request', () => {
    expect(compressed(messages, { tokens: { name: 'nothing counts', count: () => 0 } })).toEqual([])
  })

  it('R004-49 Q-43c compresses completed rounds, not the running one or messages before the first', () => {
    expect(compressed(messages)).toEqual(['page1', 'page2', 'page3'])
    expect(compressed([...messages, user('u4', 'fourth')])).toEqual(['page1', 'page2', 'page3', 'page4'])
    expect(compressed(messages.slice(0, 8))).toEqual(['page1', 'page2'])
    expect(compressed(messages.slice(0, 6))).toEqual([])
    expect(compressed([])).toEqual([])
  })

  it.each([
    ['alone', [compressOldResults]],
    ['in the default list', specPolicies],
  ])('R004-5 keeps the running round in full and compresses completed ones: %s', (_name, policies) => {
    const steps = (prefix: string) => Array.from({ length: 8 }, (_, at) => exchange(`${prefix}${at}`, 'web', {}, long)).flat()
    const running = [user('u2', 'second'), ...steps('page2')]
    const { view } = buildView({ messages: [user('u1', 'first'), ...steps('page1'), ...running], policies, facts: { now } })
    expect(view.slice(-running.length).every((message, index) => message === running[index])).toBe(true)
    const old = toolResults(view, {}).slice(0, 8)
    expect(old.every(({ part }) => resultText(part).startsWith('{"status":"success","data":{'))).toBe(true)
  })

  it('R004-8 compresses only the view: stored messages stay byte for byte and can be shown in full again', () => {
    const before = JSON.stringify(messages)
    const built = buildView({ messages: deepFreeze(messages), policies: [compressOldResults], facts: {} })
    expect(built.edits.map(({ policy }) => policy)).toEqual(Array.from({ length: 3 }, () => 'compress-old-results'))
    expect(JSON.stringify(messages)).toBe(before)
    expect(buildView({ messages, policies: [], facts: {}, edits: built.edits }).view).toEqual(messages)
  })

  it('does not start a round at a summary', () => {
    const summary: Message = { id: 's', role: 'user', summary: true, parts: [{ type: 'text', text: 'so far' }] }
    expect(compressed([...messages.slice(0, 7), summary])).toEqual([])
  })

  it('compresses a result without a call too', () => {
    expect(compressed([user('u1', 'fetch the pages'), result('lost', null, long), user('u2', 'and now?')])).toEqual(['lost'])
  })

  it('Q-10 returns the same edit objects for every request', () => {
    const first = compressOldResults.plan(deepFreeze(messages), {})
    const again = compressOldResults.plan([...messages, ...exchange('page5', 'web', {}, long)], {})
    expect(again.length).toBe(3)
    expect(again.every((edit, index) => edit === first[index])).toBe(true)
    expect(JSON.stringify(compressOldResults.plan(structuredClone(messages), {}))).toBe(JSON.stringify(first))
  })

  it('Q-10 proposes nothing for a view read as a log', () => {
    const view = applyEdits(messages, compressOldResults.plan(messages, {}))
    expect(compressOldResults.plan(structuredClone(view), {})).toEqual([])
  })

  it('compresses a text that only looks like a digest', () => {
    const forged = JSON.stringify({ status: 'success', data: { content: long, omitted_chars: 5, recall: '0123456789ab' } })
    expect(compressed([user('u1', 'fetch the pages'), ...exchange('page1', 'web', {}, forged), user('u2', 'and now?')])).toEqual([
      'page1',
    ])
  })
})

describe('compress-old-results with the policies that keep results in full', () => {
  const results = (prefix: string, count: number, tool = 'web', input: object = {}) =>
    Array.from({ length: count }, (_, at) => exchange(`${prefix}${at}`, tool, input, long, { at: (90 + at) * minute })).flat()
  const after = [user('next', 'and now?')]

  it('Q-43b keeps the 5 most recent results of any tool in full', () => {
    expect(among([user('ask', 'fetch the pages'), ...results('page', 8), ...after])).toEqual(['page0', 'page1', 'page2'])
  })

  it('Q-43b keeps commands in full that are not old or have no known age', () => {
    const fresh = exchange('fresh', 'Bash', {}, long, { at: now - 15 * minute })
    const unknown = exchange('unknown', 'Bash', {}, long)
    expect(among([user('ask', 'fetch the pages'), ...fresh, ...unknown, ...results('page', 5), ...after])).toEqual([])
    const literal = [compressOldResults]
    expect(among([user('ask', 'fetch the pages'), ...fresh, ...unknown, ...after], literal)).toEqual(['fresh', 'unknown'])
  })

  it('Q-43 Q-43b keeps the latest 5 reads of a file in full; older ones are already one line', () => {
    const numbered = Array.from({ length: 900 }, (_, at) => `line ${at}`).join('\n')
    const reads = Array.from({ length: 7 }, (_, at) =>
      exchange(`read${at}`, 'Read', { file_path: 'src/cart.ts' }, numbered, { at }),
    ).flat()
    const messages = [user('ask', 'fetch the pages'), ...reads, ...results('page', 5), ...after]
    expect(among(messages)).toEqual([])
    expect(among(messages, [compressOldResults])).toEqual([
      'read0',
      'read1',
      'read2',
      'read3',
      'read4',
      'read5',
      'read6',
      'page0',
      'page1',
      'page2',
      'page3',
      'page4',
    ])
  })

  it.each([
    ['both run', [trimOutdatedCommands, trimRepeatedReads]],
    ['the one about commands runs', [trimOutdatedCommands]],
    ['the one about reads runs', [trimRepeatedReads]],
  ])('Q-42 keeps errors in full if %s', (_name, others) => {
    const failed = exchange('failed', 'Bash', {}, JSON.stringify({ stdout: long, stderr: 'boom', exitCode: 1 }), { at: 1 })
    const messages = [user('ask', 'fetch the pages'), ...failed, ...results('page', 5), ...after]
    expect(among(messages, [...others, compressOldResults])).not.toContain('failed')
  })

  it('R004-15 R004-19 Q-42 Q-43b follows the table literally without them: stderr to 20 lines, error in full', () => {
    const stderr = Array.from({ length: 60 }, (_, at) => `complaint ${at}`).join('\n')
    const error = { code: 'EXIT', message: 'it did not work '.repeat(100) }
    const failed = exchange('failed', 'Bash', {}, JSON.stringify({ status: 'error', error, data: { stdout: long, stderr } }))
    const { edits } = buildView({
      messages: [user('ask', 'fetch the pages'), ...failed, ...after],
      policies: [compressOldResults],
      facts: {},
    })
    const shown = JSON.parse(resultText((edits[0] as ReplaceEdit).with as ToolResultPart)) as {
      data: { stderr_tail: string }
      error: unknown
    }
    expect(shown.error).toEqual(error)
    expect(shown.data.stderr_tail.split('\n')).toEqual(stderr.split('\n').slice(-20))
  })

  it('keeps pinned and unseen results in full in any list', () => {
    const messages = [user('ask', 'fetch the pages'), ...results('page', 3), ...after, ...results('s', 1), user('last', 'thanks')]
    expect(among(messages, [compressOldResults], { pins: ['page1'] })).toEqual(['page0', 'page2', 's0'])
    expect(among(messages, [compressOldResults], {}, 'page1')).toEqual(['page0', 'page1'])
    const failed = exchange('failed', 'Bash', {}, JSON.stringify({ stdout: long, stderr: 'boom' }))
    expect(among([user('ask', 'fetch the pages'), ...failed, ...after], [compressOldResults], { pins: ['failed'] })).toEqual([])
  })
})

describe('compress-old-results with the output limit', () => {
  it('Q-44 makes a digest within the limit first', () => {
    const messages = [user('ask', 'fetch the pages'), ...exchange('page1', 'web', {}, long.repeat(20)), user('ask2', 'and now?')]
    const { edits } = buildView({ messages, policies: [compressOldResults, limitToolOutput], facts: {} })
    expect(edits.map(({ policy }) => policy)).toEqual(['compress-old-results'])
  })

  it('Q-43 cuts the result itself if the limit would cut through the digest', () => {
    const text = Array.from({ length: 900 }, (_, at) => `const value${at} = ${at}`).join('\n')
    const messages = [
      user('ask', 'fetch the pages'),
      ...exchange('page1', 'read_file', { path: 'a.ts' }, text),
      user('ask2', 'and now?'),
    ]
    const policies = [compressOldResults, limitToolOutput]
    const { view, edits } = buildView({ messages, policies, facts: {} })
    expect(edits.map(({ policy }) => policy)).toEqual(['limit-tool-output'])
    expect(buildView({ messages: structuredClone(view), policies, facts: {} }).edits).toEqual([])
  })

  it('makes the digest from the full result in any order, and names it', () => {
    const text = long.repeat(20)
    const messages = [user('ask', 'fetch the pages'), ...exchange('page1', 'web', {}, text), user('ask2', 'and now?')]
    const { view } = buildView({ messages, policies: [limitToolOutput, compressOldResults], facts: {} })
    const shown = toolResults(view, {}).map(({ part }) => JSON.parse(resultText(part)) as unknown)
    expect(shown).toMatchObject([{ data: { recall: handleOf(text), omitted_chars: text.length - 999 } }])
  })
})

it.each([
  ['en', 'result of a finished round: 5,000 characters shown as a digest of 1,127'],
  ['zh', '该结果所属的轮次已结束：5,000 字符显示为 1,127 字符的摘要'],
])('compress-old-results gives a reason in %s', (locale, why) => {
  const messages = [user('ask', 'fetch the pages'), ...exchange('page1', 'web', {}, long), user('ask2', 'and now?')]
  expect(compressOldResults.plan(messages, { config: { locale } })).toMatchObject([
    { id: 'compress-old-results:page1.0', policy: 'compress-old-results', kind: 'replace', message: 'page1', part: 0, why },
  ])
})

describe('compress-old-results, a single result', () => {
  const round = (...list: readonly Message[]) => [user('ask', 'fetch the pages'), ...list, user('ask2', 'and now?')]
  const old = exchange('page1', 'web', {}, long)

  it('Q-43b leaves reads to trim-repeated-reads if that runs', () => {
    const read = exchange('read', 'Read', { file_path: 'src/cart.ts' }, 'const one = 1\n'.repeat(900))
    expect(compressed(round(...read), { policies: ['trim-repeated-reads'] })).toEqual([])
    expect(compressed(round(...old), { policies: ['trim-repeated-reads'] })).toEqual(['page1'])
    expect(compressed(round(...read))).toEqual(['read'])
  })

  it('Q-43 makes no digest that limit-tool-output would cut', () => {
    const config = { tool_output_limits: { tools: { web: { max_chars: 500 } } } }
    expect(compressed(round(...old), { config, policies: ['limit-tool-output'] })).toEqual([])
    expect(compressed(round(...old), { policies: ['limit-tool-output'] })).toEqual(['page1'])
    expect(compressed(round(...old), { config, policies: ['filter-binary'] })).toEqual(['page1'])
    expect(compressed(round(...old), { config })).toEqual(['page1'])
  })

  it('makes a separate edit for the same result in another place or language', () => {
    const [call, answer] = old as [Message, Message]
    const [edit] = compressOldResults.plan(round(call, answer), {})
    expect(compressOldResults.plan(round(call, { ...answer, id: 'page2' }), {})).toEqual([
      { ...edit, id: 'compress-old-results:page2.0', message: 'page2' },
    ])
    const second: Message = { ...answer, id: 'page2', parts: [{ type: 'text', text: 'note' }, ...answer.parts] }
    expect(compressOldResults.plan(round(call, second), {})).toEqual([
      { ...edit, id: 'compress-old-results:page2.1', message: 'page2', part: 1 },
    ])
    const why = '该结果所属的轮次已结束：5,000 字符显示为 1,127 字符的摘要'
    expect(compressOldResults.plan(round(call, second), { config: { locale: 'zh' } })).toEqual([
      { ...edit, id: 'compress-old-results:page2.1', message: 'page2', part: 1, why },
    ])
  })
})

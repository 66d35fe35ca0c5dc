import { describe, expect, it } from 'vitest'
import { defaultConfig, type PartialConfig, type ToolLimits } from '../config.ts'
import type { ReplaceEdit } from '../edit.ts'
import type { Message, ResultContent, ToolResultPart } from '../message.ts'
import type { PlacedResult } from '../results/tool-results.ts'
import { modelStrings } from '../strings/specification.ts'
import { calls, exchange, outcome, result } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { isWithinLimit, limitToolOutput, outputLimitOf } from './limit-tool-output.ts'

const rows = (tools: Record<string, ToolLimits>): PartialConfig => ({ tool_output_limits: { tools } })
const long = 'x'.repeat(9000)

describe('outputLimitOf', () => {
  const cap = {
    maxChars: 8000,
    maxLines: 500,
    by: 'cap',
    linesBy: 'cap',
    strategy: 'head_tail',
    strings: modelStrings,
    names: 'always',
  }

  it.each<readonly [string, string, PartialConfig, unknown]>([
    ['returns the default for a tool without a row', 'Bash', {}, cap],
    ['returns the default for an unknown tool', 'frobnicate', {}, cap],
    ['returns null for a file read', 'Read', {}, null],
    [
      'prefers the fields of a row to the default',
      'Bash',
      rows({ Bash: { max_lines: 9 } }),
      { ...cap, maxLines: 9, linesBy: 'tool' },
    ],
    [
      'uses the default strategy if the row has none',
      'Bash',
      { tool_output_limits: { default: { truncation_strategy: 'head_only' }, tools: { Bash: { max_chars: 900 } } } },
      { ...cap, maxChars: 900, by: 'tool', strategy: 'head_only' },
    ],
    [
      'counts lines of a search as matches',
      'Grep',
      rows({ Grep: { max_lines: 9 } }),
      { ...cap, maxLines: 9, linesBy: 'tool', matches: true },
    ],
    [
      'adds the context lines of a search',
      'Grep',
      rows({ Grep: { max_lines: 9, show_context: 3 } }),
      { ...cap, maxLines: 9, linesBy: 'tool', matches: true, context: 3 },
    ],
  ])('%s', (_name, tool, config, expected) => {
    expect(outputLimitOf(tool, { config })).toEqual(expected)
  })

  it('looks up the kind of a tool in the caller’s table', () => {
    expect(outputLimitOf('peek', { tools: [{ name: 'peek', kind: 'file-read' }] })).toBe(null)
  })

  it('does not apply a row called null to an unknown tool', () => {
    const config = rows({ null: { max_chars: 1000 } })
    expect(limitToolOutput.plan([result('output', null, 'x'.repeat(2000))], { config })).toEqual([])
  })

  it('applies to a replacement of a result', () => {
    const isWithin = (shown: ToolResultPart, tool: Pick<PlacedResult, 'tool' | 'kind'>) =>
      isWithinLimit(shown, tool, defaultConfig.tool_output_limits, modelStrings)
    const part = (text: string) => result('output', 'id', text).parts[0] as ToolResultPart
    expect(isWithin(part('short'), { tool: 'Bash', kind: 'terminal' })).toBe(true)
    expect(isWithin(part(long), { tool: 'Bash', kind: 'terminal' })).toBe(false)
    expect(isWithin(part(long), { tool: 'Read', kind: 'file-read' })).toBe(true)
  })
})

describe('limit-tool-output, a recalled text', () => {
  const isCut = (messages: readonly Message[]) => limitToolOutput.plan(messages, {}).length > 0

  it.each([
    [20_000, false],
    ['20000', false],
    [0, true],
    [-1, true],
    ['much', true],
    [true, true],
    [['20000'], true],
    [undefined, true],
  ])('with a budget of %j is cut: %s', (budget, expected) => {
    expect(isCut(exchange('output', 'recall', { handle: 'x', budget }, long))).toBe(expected)
  })

  it('is cut if the arguments are invalid, the call is missing, or the tool is not recall', () => {
    expect(isCut(exchange('output', 'recall', 'not an object', long))).toBe(true)
    expect(isCut(exchange('output', 'Bash', { budget: 20_000 }, long))).toBe(true)
    expect(isCut([result('output', 'id', long, { tool: 'recall' })])).toBe(true)
  })
})

describe('limit-tool-output, the reason of an edit', () => {
  const why = (tool: string, text: string, config: PartialConfig = {}) =>
    limitToolOutput.plan(exchange('output', tool, {}, text), { config }).map((edit) => edit.why)
  const matches = (count: number, width: number) =>
    Array.from({ length: count }, (_, index) => `a.ts:${index + 1}: ${'x'.repeat(width)}`).join('\n')

  it('mentions that only the head was kept', () => {
    expect(why('Bash', 'x'.repeat(2000), rows({ Bash: { max_chars: 1000, truncation_strategy: 'head_only' } }))).toEqual([
      '2,000 characters, limit 1,000 and 500 lines; kept the head',
    ])
  })

  it('mentions the limit of matches', () => {
    expect(why('Grep', matches(5, 3), rows({ Grep: { max_lines: 2 } }))).toEqual([
      '59 characters, limit 8,000 and 2 matches; kept the first matches',
    ])
  })

  it('does not mention matches if only characters exceeded the limit', () => {
    expect(why('Grep', matches(2, 5000), rows({ Grep: { max_lines: 2 } }))).toEqual([
      '10,017 characters, limit 8,000; kept head and tail',
    ])
  })
})

describe('limit-tool-output, a list of texts', () => {
  it.each([
    [[30, 30], 21],
    [[10, 90], 21],
    [[90, 2], 21],
    [[7, 7, 7], 20],
  ])('cuts texts of %j lines to %i lines as one joined text', (counts, max_lines) => {
    const texts = counts.map((count, at) => `a line of text ${at}\n`.repeat(count).trimEnd())
    const items = texts.map((text) => ({ type: 'text', text }) as const)
    const config = rows({ Bash: { max_lines, truncation_strategy: 'head_only' } })
    const shownOf = (content: ResultContent) => {
      const messages = [calls('c', ['id', 'Bash', {}]), result('output', 'id', '', { content })]
      const [edit] = limitToolOutput.plan(messages, { config }) as readonly ReplaceEdit[]
      return (edit?.with as ToolResultPart).content
    }
    const text = shownOf({ type: 'text', text: texts.join('\n') })
    expect(shownOf({ type: 'list', items })).toEqual({ type: 'list', items: [text] })
  })

  it('leaves texts alone that fit together', () => {
    const items = ['a', 'b', 'c'].map((text) => ({ type: 'text', text }) as const)
    const messages = [calls('c', ['id', 'Bash', {}]), result('output', 'id', '', { content: { type: 'list', items } })]
    expect(limitToolOutput.plan(messages, { config: rows({ Bash: { max_lines: 3 } }) })).toEqual([])
  })

  it('counts matches in a single text, also next to images', () => {
    const text = Array.from({ length: 5 }, (_, index) => `a.ts:${index + 1}: hit`).join('\n')
    const image = { type: 'media', mediaType: 'image/png', data: 'x' } as const
    const content = { type: 'list', items: [image, { type: 'text', text }] } as const
    const messages = [calls('c', ['id', 'Grep', {}]), result('output', 'id', '', { content })]
    const shown = `a.ts:1: hit\na.ts:2: hit\n... [显示前2个结果，共5个] ...\n[recall ${handleOf(text)}]`
    expect(outcome(limitToolOutput.plan(messages, { config: rows({ Grep: { max_lines: 2 } }) }))).toEqual({
      output: JSON.stringify({ type: 'list', items: [image, { type: 'text', text: shown }] }),
    })
  })
})

it('makes a separate edit for the same result in another place of its message', () => {
  const [call, answer] = exchange('output', 'Bash', {}, long) as [Message, Message]
  const [edit] = limitToolOutput.plan([call, answer], {})
  const second: Message = { ...answer, parts: [{ type: 'text', text: 'note' }, ...answer.parts] }
  expect(limitToolOutput.plan([call, second], {})).toEqual([{ ...edit, id: 'limit-tool-output:output.1', part: 1 }])
})

it('trusts the handle in a text cut before only if its part names the same original', () => {
  const original = Array.from({ length: 400 }, (_, at) => (at === 200 ? 'error: it broke' : `row ${at}`)).join('\n')
  const config = (max_chars: number) => rows({ Bash: { max_chars } })
  const shown = (part: Partial<ToolResultPart>, text: string) => {
    const edits = limitToolOutput.plan(exchange('output', 'Bash', {}, text, part), { config: config(800) })
    return outcome(edits)['output']?.match(/recall [0-9a-f]{12}/)?.[0]
  }
  const once = outcome(limitToolOutput.plan(exchange('output', 'Bash', {}, original), { config: config(2000) }))[
    'output'
  ] as string
  expect(shown({ blob: { sha256: '', handle: handleOf(original), bytes: 1 } }, once)).toBe(`recall ${handleOf(original)}`)
  expect(shown({ blob: { sha256: '', handle: handleOf('another'), bytes: 1 } }, once)).toBe(`recall ${handleOf(once)}`)
  expect(shown({}, once)).toBe(`recall ${handleOf(once)}`)
})

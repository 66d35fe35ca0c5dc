import { describe, expect, it } from 'vitest'
import type { PartialConfig, ToolLimits } from '../config.ts'
import type { ReplaceEdit } from '../edit.ts'
import type { ToolKind } from '../facts.ts'
import type { Message, ResultContent, ToolResultPart } from '../message.ts'
import { modelStrings } from '../strings/specification.ts'
import { calls, deepFreeze, exchange, expectEdits, result } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { cutBy, limitToolOutput } from './limit-tool-output.ts'

const tools = (rows: Record<string, ToolLimits>): PartialConfig => ({ tool_output_limits: { tools: rows } })
const byCap = (size: number, length: number) =>
  `${'x'.repeat(size)}\n\n... [截断了 ${length - 2 * size} 字符 / 0 行] ...\n\n${'x'.repeat(size)}`
const byTool = (size: number, length: number) =>
  `${'x'.repeat(size)}\n\n... [截断 ${length - 2 * size} 字符] ...\n\n${'x'.repeat(size)}`
const lines = (count: number) => Array.from({ length: count }, (_, index) => `row ${index}`)
const matches = (count: number) => Array.from({ length: count }, (_, index) => `a.ts:${index + 1}: hit`)

describe('lines shorter than the marker that would replace them', () => {
  const cutTo = (tool: string, text: string) => {
    const [edit] = limitToolOutput.plan(exchange('m', tool, { path: 'a' }, text), {})
    const part = edit?.kind === 'replace' ? edit.with : null
    return part?.type === 'tool-result' && part.content.type === 'text' ? part.content.text : null
  }

  it('the last line stays, and the marker says what went', () => {
    const text = cutTo('Bash', [...Array.from({ length: 500 }, () => '.'), 'Error: boom'].join('\n'))
    expect(text).toMatch(/\n\.\.\. \[截断 \d+ 行\] \.\.\.\n/)
    expect(text?.endsWith('\nError: boom')).toBe(true)
  })

  it('the end of a source file whose middle lines are brackets stays', () => {
    const lines = [
      ...Array.from({ length: 99 }, (_, index) => `const a${index} = 1`),
      '{',
      '',
      '}',
      ...Array.from({ length: 98 }, (_, index) => `const b${index} = 1`),
      'export default v1',
    ]
    const text = cutTo('read_file', lines.join('\n'))
    expect(text?.split('\n').length).toBeLessThanOrEqual(200)
    expect(text?.endsWith('\nexport default v1')).toBe(true)
    expect(text).toContain('... [截断 ')
  })

  it('an error among them is shown', () => {
    const dots = (count: number) => Array.from({ length: count }, () => '.')
    expect(cutTo('Bash', [...dots(250), 'E: bad', 'error: x', ...dots(249)].join('\n'))).toContain('252: error: x')
  })
})

describe('which limit binds', () => {
  it.each<readonly [string, string, string, PartialConfig, string | null]>([
    ['R003-7 R003-15 8000 characters fit', 'Bash', 'x'.repeat(8000), {}, null],
    ['R003-15 R003-7 one more is cut, as the global cap', 'Bash', 'x'.repeat(8001), {}, byCap(3120, 8001)],
    ['R003-15 a tool nobody knows too', 'frobnicate', 'x'.repeat(9000), {}, byCap(3120, 9000)],
    ['R003-7 500 lines fit', 'Bash', lines(500).join('\n'), {}, null],
    [
      'R003-7 R003-10 one more is cut by lines',
      'Bash',
      lines(501).join('\n'),
      {},
      [...lines(249), '... [截断 3 行] ...', ...lines(501).slice(-249)].join('\n'),
    ],
    ['R003-20 read_file has its own 5000', 'read_file', 'x'.repeat(5001), {}, byTool(1960, 5001)],
    [
      'R003-20 and its own 200 lines',
      'read_file',
      lines(201).join('\n'),
      {},
      [...lines(99), '... [截断 3 行] ...', ...lines(201).slice(-99)].join('\n'),
    ],
    ['R003-20 Q-8 repo_map may have 10000, more than the cap, and is not cut again', 'repo_map', 'x'.repeat(10_000), {}, null],
    ['R003-20 repo_map over its own limit', 'repo_map', 'x'.repeat(10_001), {}, byTool(3960, 10_001)],
    [
      'R003-20 get_repo_structure has no characters of its own: the cap',
      'get_repo_structure',
      'x'.repeat(8001),
      {},
      byCap(3120, 8001),
    ],
    ['R003-20 a row binds under its exact name only: other file reads are not cut', 'Read', 'x'.repeat(50_000), {}, null],
    ['R003-20 nor by a name that differs in case', 'Read_File', 'x'.repeat(6000), {}, null],
    [
      'R003-8 a row of the user under a file-read tool',
      'Read',
      'x'.repeat(2000),
      tools({ Read: { max_chars: 1100 } }),
      byTool(400, 2000),
    ],
    ['R003-8 rows lie over the defaults', 'read_file', 'x'.repeat(6000), tools({ read_file: { max_chars: 6000 } }), null],
    [
      'R003-19 a strategy of its own',
      'Bash',
      'x'.repeat(2000),
      tools({ Bash: { max_chars: 1000, truncation_strategy: 'head_only' } }),
      `${'x'.repeat(900)}\n\n... [截断 1100 字符] ...\n\n`,
    ],
    [
      'R003-13 Q-23 grep_search shows 100 matches',
      'grep_search',
      matches(101).join('\n'),
      {},
      `${matches(100).join('\n')}\n... [显示前100个结果，共101个] ...\n`,
    ],
    ['R003-13 Q-23 as many fit', 'grep_search', matches(100).join('\n'), {}, null],
    [
      'R003-13 Q-23 fewer matches than that, but too many characters: the cap',
      'grep_search',
      matches(90)
        .map((line) => line + 'x'.repeat(90))
        .join('\n'),
      {},
      ((text: string) => `${text.slice(0, 3120)}\n\n... [截断了 ${text.length - 6240} 字符 / 29 行] ...\n\n${text.slice(-3120)}`)(
        matches(90)
          .map((line) => line + 'x'.repeat(90))
          .join('\n'),
      ),
    ],
    [
      'Q-23 another search tool, without a row, is cut by lines',
      'Grep',
      matches(501).join('\n'),
      {},
      [...matches(249), '... [截断 3 行] ...', ...matches(501).slice(-249)].join('\n'),
    ],
    [
      'Q-23 with a row of its own it counts matches',
      'Grep',
      matches(5).join('\n'),
      tools({ Grep: { max_lines: 2 } }),
      `${matches(2).join('\n')}\n... [显示前2个结果，共5个] ...\n`,
    ],
  ])('%s', (_, tool, text, config, expected) => {
    expectEdits(limitToolOutput, exchange('m', tool, {}, text), { config }, expected === null ? {} : { m: expected })
  })

  it('R003-20 ignores names that every object inherits', () => {
    const facts = { tools: [{ name: 'constructor', kind: 'file-read' }] } as const
    expectEdits(limitToolOutput, exchange('m', 'constructor', {}, 'x'.repeat(8001)), facts, {})
  })

  it('Q-43 an error and a result not yet sent are cut like any other', () => {
    const messages = exchange('m', 'Bash', {}, 'x'.repeat(9000), { isError: true })
    expectEdits(limitToolOutput, messages, { sent: null }, { m: byCap(3120, 9000) })
  })

  it('R003-24 keeps the error line and the handle of the full text', () => {
    const text = [...lines(1000), 'Error: out of space', ...lines(1000)].join('\n')
    const [edit] = limitToolOutput.plan(exchange('m', 'Bash', {}, text), {}) as readonly ReplaceEdit[]
    const shown = ((edit?.with as ToolResultPart).content as { text: string }).text
    expect(shown).toContain('\n1001: Error: out of space\n')
    expect(shown).toContain(`; recall ${handleOf(text)}]\n`)
    expect(edit?.why).toBe('15,799 characters, limit 8,000 and 500 lines; kept head, tail and 1 salient line')
  })

  it('strings of the user are used, and the same limits with other strings give another cut', () => {
    const messages = exchange('m', 'Bash', {}, 'x'.repeat(9000))
    const cutByCap = (chars: number) => `<${chars} gone>`
    expectEdits(limitToolOutput, messages, { strings: { cutByCap } }, { m: `${'x'.repeat(3120)}<2760 gone>${'x'.repeat(3120)}` })
    expectEdits(limitToolOutput, messages, {}, { m: byCap(3120, 9000) })
  })
})

describe('what a result is made of', () => {
  const plan = (content: ResultContent, config: PartialConfig = {}) => {
    const messages: readonly Message[] = [
      calls('c', ['id', 'Bash', {}]),
      { ...result('m', 'id', '', { content, status: 'success' }) },
    ]
    const edits = limitToolOutput.plan(deepFreeze(messages), { config }) as readonly ReplaceEdit[]
    return edits.map((edit) => edit.with as ToolResultPart)
  }
  const picture = { type: 'media', mediaType: 'image/png', data: 'x'.repeat(20_000) } as const
  const item = (size: number) => ({ type: 'text', text: 'x'.repeat(size) }) as const

  it('all other fields stay', () => {
    expect(plan({ type: 'text', text: 'x'.repeat(9000) })).toEqual([
      { type: 'tool-result', callId: 'id', tool: null, status: 'success', content: { type: 'text', text: byCap(3120, 9000) } },
    ])
  })

  it('JSON is cut as its text', () => {
    const [part] = plan({ type: 'json', value: ['x'.repeat(9000)] })
    expect(part?.content).toEqual({
      type: 'text',
      text: `["${'x'.repeat(3118)}\n\n... [截断了 2764 字符 / 0 行] ...\n\n${'x'.repeat(3118)}"]`,
    })
  })

  it('keeps the images and the shape of a list', () => {
    expect(plan({ type: 'list', items: [item(9000), picture] })[0]?.content).toEqual({
      type: 'list',
      items: [{ type: 'text', text: byCap(3120, 9000) }, picture],
    })
  })

  it('several texts are cut as the one text they are together, and a second look finds nothing', () => {
    const items = [{ type: 'text', text: 'line\n'.repeat(600) }, picture, item(12_000)] as const
    const [part] = plan({ type: 'list', items })
    const [alone] = plan({ type: 'text', text: `${items[0].text}\n${items[2].text}` })
    expect(part?.content).toEqual({ type: 'list', items: [alone?.content, picture] })
    expect(part === undefined ? null : plan(part.content)).toEqual([])
  })

  it('leaves a result of images only unchanged', () => {
    expect(plan({ type: 'list', items: [picture, picture] })).toEqual([])
  })

  it.each([
    [
      'in the default: that of the specification',
      { default: { max_chars: Number.NaN, max_lines: Number.NaN } },
      byCap(3120, 9000),
    ],
    [
      'in a row: the default',
      { default: { max_chars: 1000 }, tools: { Bash: { max_chars: Number.NaN, max_lines: 'x' as unknown as number } } },
      byCap(320, 9000),
    ],
  ])('a limit that is no number %s holds', (_, limits, expected) => {
    const [part] = plan({ type: 'text', text: 'x'.repeat(9000) }, { tool_output_limits: limits })
    expect(part?.content).toEqual({ type: 'text', text: expected })
  })
})

describe('cutBy', () => {
  const part = (text: string) => result('m', 'id', text).parts[0] as ToolResultPart
  const rows = matches(150)

  it.each<readonly [string, string, ToolKind, string, PartialConfig, 'cap' | 'tool']>([
    ['no row', 'Bash', 'terminal', 'x'.repeat(9000), {}, 'cap'],
    ['characters of its own', 'read_file', 'file-read', 'x'.repeat(9000), {}, 'tool'],
    ['lines of its own', 'read_file', 'file-read', lines(300).join('\n'), {}, 'tool'],
    ['lines of the default', 'Bash', 'terminal', lines(600).join('\n'), {}, 'cap'],
    ['matches of its own', 'grep_search', 'search', rows.join('\n'), {}, 'tool'],
    [
      'matches of its own, fewer for the characters of the cap',
      'grep_search',
      'search',
      rows.map((row) => row + 'x'.repeat(90)).join('\n'),
      {},
      'tool',
    ],
    [
      'matches of its own that do not bind',
      'grep_search',
      'search',
      rows
        .slice(0, 90)
        .map((row) => row + 'x'.repeat(90))
        .join('\n'),
      {},
      'cap',
    ],
    ['a row without limits', 'get_repo_structure', 'other', 'x'.repeat(9000), {}, 'cap'],
    ['lines of its own that do not bind', 'Bash', 'terminal', 'x'.repeat(9000), tools({ Bash: { max_lines: 100 } }), 'cap'],
    ['nothing to cut', 'Bash', 'terminal', 'x', {}, 'cap'],
    ['a read that is not limited', 'Read', 'file-read', 'x'.repeat(9000), {}, 'cap'],
  ])('Q-25b %s', (_, tool, kind, text, config, expected) => {
    expect(cutBy({ part: part(text), tool, kind }, { config })).toBe(expected)
  })

  it('Q-25b of several texts one is enough', () => {
    const content = {
      type: 'list',
      items: [
        { type: 'text', text: 'x' },
        { type: 'text', text: 'x'.repeat(9000) },
      ],
    } as const
    expect(cutBy({ part: { ...part(''), content }, tool: 'read_file', kind: 'file-read' }, {})).toBe('tool')
  })
})

describe('remembering', () => {
  it('the same parts give the very same edits, under other ids new ones', () => {
    const messages = exchange('m', 'Bash', {}, 'x'.repeat(9000))
    const first = limitToolOutput.plan(messages, {})
    expect(limitToolOutput.plan([...messages], {})[0]).toBe(first[0])
    const renamed = messages.map((message) => ({ ...message, id: `${message.id}2` }))
    expect(limitToolOutput.plan(renamed, {})[0]).toMatchObject({ id: 'limit-tool-output:m2.0', message: 'm2' })
    expect(limitToolOutput.plan(messages, { config: tools({ Bash: { max_chars: 9000 } }) })).toEqual([])
  })

  it('a setting elsewhere gives the very same edits, another language the same cut in its own words', () => {
    const messages = exchange('m', 'Bash', {}, 'x'.repeat(9000))
    const planned = (config: PartialConfig) => limitToolOutput.plan(messages, { config })[0] as ReplaceEdit
    const first = planned({ context_window: 100_000 })
    expect(planned({ context_window: 50_000 })).toBe(first)
    const chinese = planned({ locale: 'zh' })
    expect(chinese).toEqual({ ...first, why: chinese.why })
    expect(chinese.why).not.toBe(first.why)
    expect(planned({ context_window: 100_000 })).toEqual(first)
  })

  it('Q-8b planned again on its own outcome it proposes nothing', () => {
    const [call, answer] = exchange('m', 'Bash', {}, lines(2000).join('\n'))
    const [edit] = limitToolOutput.plan([call as Message, answer as Message], {}) as readonly ReplaceEdit[]
    expect(limitToolOutput.plan([call as Message, { ...(answer as Message), parts: [(edit as ReplaceEdit).with] }], {})).toEqual(
      [],
    )
  })

  it('the marker is the table’s own', () => {
    expect(modelStrings.cutByCap(1, 2)).toBe('\n\n... [截断了 1 字符 / 2 行] ...\n\n')
  })
})

import { describe, expect, it } from 'vitest'
import type { PartialConfig, ToolLimits } from '../config.ts'
import type { ReplaceEdit } from '../edit.ts'
import type { ToolKind } from '../facts.ts'
import { type Message, type ResultContent, resultText, type ToolResultPart } from '../message.ts'
import { modelStrings } from '../strings/specification.ts'
import { calls, deepFreeze, exchange, expectEdits, outcome, result } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { cutBy, limitToolOutput } from './limit-tool-output.ts'

const tools = (rows: Record<string, ToolLimits>): PartialConfig => ({ tool_output_limits: { tools: rows } })
const byCap = (size: number, length: number) =>
  `${'x'.repeat(size)}\n\n... [截断了 ${length - 2 * size} 字符 / 0 行] ...\n\n${'x'.repeat(size)}`
const byTool = (size: number, length: number) =>
  `${'x'.repeat(size)}\n\n... [截断 ${length - 2 * size} 字符] ...\n\n${'x'.repeat(size)}`
const named = (text: string, original: string) => `${text}${text.endsWith('\n') ? '' : '\n'}[recall ${handleOf(original)}]`
/** How 9,000 characters are shown by the cap, with the handle of the original. */
const shown9000 = named(byCap(3120, 9000), 'x'.repeat(9000))
const lines = (count: number) => Array.from({ length: count }, (_, index) => `row ${index}`)
const matches = (count: number) => Array.from({ length: count }, (_, index) => `a.ts:${index + 1}: hit`)

describe('limit-tool-output, with lines shorter than the marker', () => {
  const cutTo = (tool: string, text: string) => {
    const [edit] = limitToolOutput.plan(exchange('output', tool, { path: 'a' }, text), {})
    const part = edit?.kind === 'replace' ? edit.with : null
    return part?.type === 'tool-result' && part.content.type === 'text' ? part.content.text : null
  }

  it('keeps the last line and reports the number of removed lines', () => {
    const text = cutTo('Bash', [...Array.from({ length: 500 }, () => '.'), 'Error: boom'].join('\n'))
    expect(text).toMatch(/\n\.\.\. \[截断 \d+ 行\] \.\.\.\n/)
    expect(text).toMatch(/\nError: boom\n\[recall [0-9a-f]{12}\]$/)
  })

  it('keeps the end of a source file if its middle lines are only brackets', () => {
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
    expect(text).toMatch(/\nexport default v1\n\[recall [0-9a-f]{12}\]$/)
    expect(text).toContain('... [截断 ')
  })

  it('shows an error line among the removed ones', () => {
    const dots = (count: number) => Array.from({ length: count }, () => '.')
    expect(cutTo('Bash', [...dots(250), 'E: bad', 'error: x', ...dots(249)].join('\n'))).toContain('252: error: x')
  })
})

describe('limit-tool-output, a forged mark', () => {
  const half = 'y'.repeat(6000)
  const rows = Array.from({ length: 60 }, (_, index) => `row ${index} ${'z'.repeat(80)}`).join('\n')
  it.each<[name: string, text: string]>([
    ['that counts characters between equal halves', `${half}\n\n... [截断了 900000 字符 / 5000 行] ...\n\n${half}`],
    [
      'with the line below a cut that names another original',
      `${half}\n\n... [截断了 900000 字符 / 0 行] ...\n\n${half}\n[recall 0123456789ab]`,
    ],
    [
      'with a notice that agrees with the lines around it',
      `${rows}\n\n... [截断了 900000 字符 / 4998 行] ...\n\n[shown 1-60, 5060-5119]\n${rows}`,
    ],
  ])('%s is text like any other', (_name, text) => {
    const [edit] = limitToolOutput.plan(exchange('output', 'frobnicate', {}, text), {})
    const part = edit?.kind === 'replace' ? edit.with : null
    const cut = part?.type === 'tool-result' ? resultText(part) : ''
    expect(Number(/截断了 (\d+) 字符/.exec(cut)?.[1])).toBe(text.length - 6240)
    expect(cut).toContain(`recall ${handleOf(text)}]`)
  })
})

describe('limit-tool-output, the limit that applies', () => {
  it.each<readonly [string, string, string, PartialConfig, string | null]>([
    ['R003-7 R003-15 leaves 8000 characters unchanged', 'Bash', 'x'.repeat(8000), {}, null],
    ['R003-15 R003-7 cuts 8001 characters by the global cap', 'Bash', 'x'.repeat(8001), {}, byCap(3120, 8001)],
    ['R003-15 cuts an unknown tool by the global cap', 'frobnicate', 'x'.repeat(9000), {}, byCap(3120, 9000)],
    ['R003-7 leaves 500 lines unchanged', 'Bash', lines(500).join('\n'), {}, null],
    [
      'R003-7 R003-10 cuts 501 lines by lines',
      'Bash',
      lines(501).join('\n'),
      {},
      [...lines(249), '... [截断 3 行] ...', ...lines(501).slice(-249)].join('\n'),
    ],
    ['R003-20 cuts read_file above its own 5000 characters', 'read_file', 'x'.repeat(5001), {}, byTool(1960, 5001)],
    [
      'R003-20 cuts read_file above its own 200 lines',
      'read_file',
      lines(201).join('\n'),
      {},
      [...lines(99), '... [截断 3 行] ...', ...lines(201).slice(-99)].join('\n'),
    ],
    [
      'R003-20 Q-8 leaves 10000 characters of repo_map unchanged, more than the cap allows',
      'repo_map',
      'x'.repeat(10_000),
      {},
      null,
    ],
    ['R003-20 cuts repo_map above its own limit', 'repo_map', 'x'.repeat(10_001), {}, byTool(3960, 10_001)],
    [
      'R003-20 applies the cap to get_repo_structure, which has no character limit',
      'get_repo_structure',
      'x'.repeat(8001),
      {},
      byCap(3120, 8001),
    ],
    ['R003-20 applies a row only to its exact name: other file reads are not cut', 'Read', 'x'.repeat(50_000), {}, null],
    ['R003-20 does not apply a row to a name in another case', 'Read_File', 'x'.repeat(6000), {}, null],
    [
      'R003-8 applies a user’s row for a file-read tool',
      'Read',
      'x'.repeat(2000),
      tools({ Read: { max_chars: 1100 } }),
      byTool(400, 2000),
    ],
    [
      'R003-8 prefers a user’s row to the built-in one',
      'read_file',
      'x'.repeat(6000),
      tools({ read_file: { max_chars: 6000 } }),
      null,
    ],
    [
      'R003-19 uses the strategy of the tool’s row',
      'Bash',
      'x'.repeat(2000),
      tools({ Bash: { max_chars: 1000, truncation_strategy: 'head_only' } }),
      `${'x'.repeat(900)}\n\n... [截断 1100 字符] ...\n\n`,
    ],
    [
      'R003-13 Q-23 shows 100 matches of grep_search',
      'grep_search',
      matches(101).join('\n'),
      {},
      `${matches(100).join('\n')}\n... [显示前100个结果，共101个] ...\n`,
    ],
    ['R003-13 Q-23 leaves 100 matches of grep_search unchanged', 'grep_search', matches(100).join('\n'), {}, null],
    [
      'R003-13 Q-23 applies the cap to fewer matches with too many characters',
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
      'Q-23 cuts a search tool without a row by lines',
      'Grep',
      matches(501).join('\n'),
      {},
      [...matches(249), '... [截断 3 行] ...', ...matches(501).slice(-249)].join('\n'),
    ],
    [
      'Q-23 counts matches of a search tool that has a row',
      'Grep',
      matches(5).join('\n'),
      tools({ Grep: { max_lines: 2 } }),
      `${matches(2).join('\n')}\n... [显示前2个结果，共5个] ...\n`,
    ],
  ])('%s', (_, tool, text, config, expected) => {
    expectEdits(
      limitToolOutput,
      exchange('output', tool, {}, text),
      { config },
      expected === null ? {} : { output: named(expected, text) },
    )
  })

  it('R003-20 ignores names that every object inherits', () => {
    const facts = { tools: [{ name: 'constructor', kind: 'file-read' }] } as const
    expectEdits(limitToolOutput, exchange('output', 'constructor', {}, 'x'.repeat(8001)), facts, {})
  })

  it('Q-43 cuts errors and unsent results too', () => {
    const messages = exchange('output', 'Bash', {}, 'x'.repeat(9000), { isError: true })
    expectEdits(limitToolOutput, messages, { sent: null }, { output: shown9000 })
  })

  it('R003-24 keeps the error line and the handle of the full text', () => {
    const text = [...lines(1000), 'Error: out of space', ...lines(1000)].join('\n')
    const [edit] = limitToolOutput.plan(exchange('output', 'Bash', {}, text), {}) as readonly ReplaceEdit[]
    const shown = ((edit?.with as ToolResultPart).content as { text: string }).text
    expect(shown).toContain('\n1001: Error: out of space\n')
    expect(shown).toContain(`; recall ${handleOf(text)}]\n`)
    expect(edit?.why).toBe('15,799 characters, limit 8,000 and 500 lines; kept head, tail and 1 salient line')
  })

  it('uses the caller’s strings, also after a cut with the default ones', () => {
    const messages = exchange('output', 'Bash', {}, 'x'.repeat(9000))
    const cutByCap = (chars: number) => `<${chars} gone>`
    expectEdits(
      limitToolOutput,
      messages,
      { strings: { cutByCap } },
      { output: named(`${'x'.repeat(3120)}<2760 gone>${'x'.repeat(3120)}`, 'x'.repeat(9000)) },
    )
    expectEdits(limitToolOutput, messages, {}, { output: shown9000 })
  })
})

describe('limit-tool-output, the way back to the original', () => {
  const json = JSON.stringify(Array.from({ length: 900 }, (_, index) => ({ id: index, name: `item ${index}` })))
  const hunks = Array.from(
    { length: 200 },
    (_, index) => `@@ -${index * 9 + 1} +${index * 9 + 1} @@\n-old ${index}\n+new ${index}\n`,
  )
  const texts = {
    'one line': 'x'.repeat(20_000),
    'many lines': `${lines(3000).join('\n')}\n`,
    'lines and a failure': [...lines(1500), 'Error: out of space', ...lines(1500)].join('\n'),
    'the same lines': 'waiting for the server\n'.repeat(3000) + lines(900).join('\n'),
    JSON: json,
    'an object': `{"items":${json},"total":900}`,
    'a table': `id,name\n${lines(2000)
      .map((row, index) => `${index},${row}`)
      .join('\n')}\n`,
    'a diff': `--- a/cart.ts\n+++ b/cart.ts\n${hunks.join('')}`,
    matches: matches(900).join('\n'),
  }
  const strategies = ['head_tail', 'head_only', 'structured', 'collapse', 'summarize'] as const
  const cases = strategies.flatMap((strategy) =>
    Object.keys(texts).flatMap((kind) => ['Bash', 'Grep', 'read_file'].map((tool) => [strategy, kind, tool] as const)),
  )

  it.each(cases)('Q-9 names the handle with the strategy %s for %s of %s', (strategy, kind, tool) => {
    const text = texts[kind as keyof typeof texts]
    const limits = { max_chars: 4000, max_lines: 200, truncation_strategy: strategy }
    const [edit] = limitToolOutput.plan(exchange('output', tool, {}, text), {
      config: tools({ [tool]: limits }),
    }) as readonly ReplaceEdit[]
    const shown = resultText(edit?.with as ToolResultPart)
    expect(shown).toContain(handleOf(text))
    expect(shown).toMatch(/recall/)
    expect([shown.length <= 4000, shown.split('\n').length <= (tool === 'Grep' ? 204 : 201)]).toEqual([true, true])
  })

  it('Q-9 keeps JSON readable as JSON, and a table a table', () => {
    const shownAs = (text: string) => {
      const config = tools({ Bash: { max_chars: 2000, truncation_strategy: 'structured' } })
      const [edit] = limitToolOutput.plan(exchange('output', 'Bash', {}, text), { config }) as readonly ReplaceEdit[]
      return resultText(edit?.with as ToolResultPart)
    }
    expect((JSON.parse(shownAs(texts.JSON)) as readonly unknown[]).at(-1)).toMatchObject({ recall: handleOf(texts.JSON) })
    const object = shownAs(texts['an object'])
    expect([typeof JSON.parse(object), object]).toEqual([
      'object',
      expect.stringContaining(`"recall":"${handleOf(texts['an object'])}"`),
    ])
    const rows = shownAs(texts['a table']).trimEnd().split('\n')
    expect(new Set(rows.map((row) => row.split(',').length))).toEqual(new Set([2]))
    expect(rows.filter((row) => row.includes(`[recall ${handleOf(texts['a table'])}]`))).toHaveLength(1)
  })
})

describe('limit-tool-output, forms of content', () => {
  const plan = (content: ResultContent, config: PartialConfig = {}) => {
    const messages: readonly Message[] = [
      calls('c', ['id', 'Bash', {}]),
      { ...result('output', 'id', '', { content, status: 'success' }) },
    ]
    const edits = limitToolOutput.plan(deepFreeze(messages), { config }) as readonly ReplaceEdit[]
    return edits.map((edit) => edit.with as ToolResultPart)
  }
  const image = { type: 'media', mediaType: 'image/png', data: 'x'.repeat(20_000) } as const
  const item = (size: number) => ({ type: 'text', text: 'x'.repeat(size) }) as const

  it('keeps all other fields', () => {
    expect(plan({ type: 'text', text: 'x'.repeat(9000) })).toEqual([
      { type: 'tool-result', callId: 'id', tool: null, status: 'success', content: { type: 'text', text: shown9000 } },
    ])
  })

  it('cuts JSON as text', () => {
    const [part] = plan({ type: 'json', value: ['x'.repeat(9000)] })
    expect(part?.content).toEqual({
      type: 'text',
      text: named(
        `["${'x'.repeat(3118)}\n\n... [截断了 2764 字符 / 0 行] ...\n\n${'x'.repeat(3118)}"]`,
        JSON.stringify(['x'.repeat(9000)]),
      ),
    })
  })

  it('keeps the images and the shape of a list', () => {
    expect(plan({ type: 'list', items: [item(9000), image] })[0]?.content).toEqual({
      type: 'list',
      items: [{ type: 'text', text: shown9000 }, image],
    })
  })

  it('cuts several texts as one joined text, and leaves the outcome unchanged', () => {
    const items = [{ type: 'text', text: 'line\n'.repeat(600) }, image, item(12_000)] as const
    const [part] = plan({ type: 'list', items })
    const [alone] = plan({ type: 'text', text: `${items[0].text}\n${items[2].text}` })
    expect(part?.content).toEqual({ type: 'list', items: [alone?.content, image] })
    expect(part === undefined ? null : plan(part.content)).toEqual([])
  })

  it('leaves a result of images only unchanged', () => {
    expect(plan({ type: 'list', items: [image, image] })).toEqual([])
  })

  it.each([
    ['in the default row by that of the specification', { default: { max_chars: Number.NaN, max_lines: Number.NaN } }, shown9000],
    [
      'in a tool’s row by the default',
      { default: { max_chars: 1000 }, tools: { Bash: { max_chars: Number.NaN, max_lines: 'x' as unknown as number } } },
      named(byCap(320, 9000), 'x'.repeat(9000)),
    ],
  ])('replaces an invalid limit %s', (_, limits, expected) => {
    const [part] = plan({ type: 'text', text: 'x'.repeat(9000) }, { tool_output_limits: limits })
    expect(part?.content).toEqual({ type: 'text', text: expected })
  })
})

describe('cutBy', () => {
  const part = (text: string) => result('output', 'id', text).parts[0] as ToolResultPart
  const rows = matches(150)

  it.each<readonly [string, string, ToolKind, string, PartialConfig, 'cap' | 'tool']>([
    ['the cap without a row', 'Bash', 'terminal', 'x'.repeat(9000), {}, 'cap'],
    ['the tool for its own character limit', 'read_file', 'file-read', 'x'.repeat(9000), {}, 'tool'],
    ['the tool for its own line limit', 'read_file', 'file-read', lines(300).join('\n'), {}, 'tool'],
    ['the cap for the default line limit', 'Bash', 'terminal', lines(600).join('\n'), {}, 'cap'],
    ['the tool for its own match limit', 'grep_search', 'search', rows.join('\n'), {}, 'tool'],
    [
      'the tool if both its match limit and the cap apply',
      'grep_search',
      'search',
      rows.map((row) => row + 'x'.repeat(90)).join('\n'),
      {},
      'tool',
    ],
    [
      'the cap if the tool’s match limit is not exceeded',
      'grep_search',
      'search',
      rows
        .slice(0, 90)
        .map((row) => row + 'x'.repeat(90))
        .join('\n'),
      {},
      'cap',
    ],
    ['the cap for a row without limits', 'get_repo_structure', 'other', 'x'.repeat(9000), {}, 'cap'],
    [
      'the cap if the tool’s line limit is not exceeded',
      'Bash',
      'terminal',
      'x'.repeat(9000),
      tools({ Bash: { max_lines: 100 } }),
      'cap',
    ],
    ['the cap if there is nothing to cut', 'Bash', 'terminal', 'x', {}, 'cap'],
    ['the cap for a read that is not limited', 'Read', 'file-read', 'x'.repeat(9000), {}, 'cap'],
  ])('Q-25b returns %s', (_, tool, kind, text, config, expected) => {
    expect(cutBy({ part: part(text), tool, kind }, { config })).toBe(expected)
  })

  it('Q-25b returns the tool if one of several texts exceeds its limit', () => {
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

describe('limit-tool-output, planned again', () => {
  it('returns the same edit for the same part, and a new one under another id', () => {
    const messages = exchange('output', 'Bash', {}, 'x'.repeat(9000))
    const first = limitToolOutput.plan(messages, {})
    expect(limitToolOutput.plan([...messages], {})[0]).toBe(first[0])
    const renamed = messages.map((message) => ({ ...message, id: `${message.id}2` }))
    expect(limitToolOutput.plan(renamed, {})[0]).toMatchObject({ id: 'limit-tool-output:output2.0', message: 'output2' })
    expect(limitToolOutput.plan(messages, { config: tools({ Bash: { max_chars: 9000 } }) })).toEqual([])
  })

  it('returns the same edit after an unrelated setting changed, and the same cut with its reason in another language', () => {
    const messages = exchange('output', 'Bash', {}, 'x'.repeat(9000))
    const planned = (config: PartialConfig) => limitToolOutput.plan(messages, { config })[0] as ReplaceEdit
    const first = planned({ context_window: 100_000 })
    expect(planned({ context_window: 50_000 })).toBe(first)
    const chinese = planned({ locale: 'zh' })
    expect(chinese).toEqual({ ...first, why: chinese.why })
    expect(chinese.why).not.toBe(first.why)
    expect(planned({ context_window: 100_000 })).toEqual(first)
  })

  it('Q-8b proposes nothing for its own outcome', () => {
    const [call, answer] = exchange('output', 'Bash', {}, lines(2000).join('\n'))
    const [edit] = limitToolOutput.plan([call as Message, answer as Message], {}) as readonly ReplaceEdit[]
    expect(limitToolOutput.plan([call as Message, { ...(answer as Message), parts: [(edit as ReplaceEdit).with] }], {})).toEqual(
      [],
    )
  })

  it('uses the marker of the specification', () => {
    expect(modelStrings.cutByCap(1, 2)).toBe('\n\n... [截断了 1 字符 / 2 行] ...\n\n')
  })
})

describe('limit-tool-output, of a result that was cut before', () => {
  const original = Array.from({ length: 60 }, (_, index) => `line ${index} of what the command printed`).join('\n')
  const cut = (text: string, uncut: string | null) => {
    const messages = exchange('r', 'Bash', { command: 'make' }, text)
    const original = uncut === null ? {} : { uncut: exchange('r', 'Bash', { command: 'make' }, uncut) }
    return (
      outcome(limitToolOutput.plan(messages, { ...original, config: { tool_output_limits: { default: { max_chars: 800 } } } }))[
        'r'
      ] ?? ''
    )
  }

  it('names the original', () => {
    const shown = original.replace('line 5 of', 'the fifth of')
    expect(cut(shown, null)).toContain(handleOf(shown))
    expect(cut(shown, original)).toContain(handleOf(original))
    expect(cut(shown, original)).not.toContain(handleOf(shown))
  })

  it('is cut as it is if it names the original itself', () => {
    const shown = `${original}\n[two lines omitted; recall ${handleOf(original)}]`
    expect(cut(shown, original)).toBe(cut(shown, null))
  })
})

import { describe, expect, it } from 'vitest'
import type { Facts, ToolRules } from '../../facts.ts'
import type { Message } from '../../message.ts'
import { calls, deepFreeze, exchange, result, user } from '../../testing/messages.ts'
import { handleOf } from '../../text/hash.ts'
import { defaultEconomyRules } from './economy-rules.ts'
import { createResultRepeats } from './result-repeats.ts'

const rules = { ...defaultEconomyRules, repeatedLines: 3, repeatedCharacters: 1 }
const start = user('u', 'fix the cart tests')
const lines = ['first line', 'second line', 'third line', 'fourth line']
const text = lines.join('\n')

/** Each repeated run as `result: from+count of source:from label`, with `?` if the source's line numbers are unknown. */
function described(repeats: ReturnType<ReturnType<typeof createResultRepeats>>): readonly string[] {
  return repeats.flatMap(({ result: { message }, runs }) =>
    runs.map(({ from, count, source, sourceFrom }) => {
      const place = `${source.key}:${sourceFrom}${source.isNumbered ? '' : '?'}`
      return `${message.id}: ${from}+${count} of ${place} ${source.label}`
    }),
  )
}

const repeats = (messages: readonly Message[], facts: Facts = {}, given = rules) =>
  described(createResultRepeats(given)(deepFreeze([start, ...messages]), facts))
const read = (id: string, content: string) => exchange(id, 'Read', { file_path: 'a.ts' }, content)
const row = (more: Partial<ToolRules>): ToolRules => ({ name: 'mine', kind: 'write', ...more })
const write = (input: unknown, tool = 'mine') => exchange('write', tool, input, 'written')

describe('the source of repeated lines', () => {
  const many = (count: number) => ['a', 'b', 'c', 'd'].slice(0, count)
  it.each<[name: string, earlier: readonly Message[], label: string]>([
    ['by the tool and its subject', read('first', text), 'Read a.ts'],
    ['by several subjects', exchange('first', 'read_many_files', { paths: many(2) }, text), 'read_many_files a, b'],
    ['by at most three subjects', exchange('first', 'read_many_files', { paths: many(4) }, text), 'read_many_files a, b, c'],
    ['by the tool alone if it has no subject', exchange('first', 'unknown', {}, text), 'unknown'],
    ['as a tool if its name is unknown', [result('first', null, text)], 'tool'],
    ['by the tool named in the result', [result('first', null, text, { tool: 'searcher' })], 'searcher'],
  ])('is named %s', (_name, earlier, label) => {
    expect(repeats([...earlier, ...read('again', text)])).toEqual([`again: 0+4 of first.0:0 ${label}`])
  })

  it('has the handle of its full text', () => {
    const [found] = createResultRepeats(rules)([start, ...read('first', text), ...read('again', text)], {})
    expect(found?.runs.map(({ source }) => source.handle)).toEqual([handleOf(text)])
  })
})

describe('text written by a call', () => {
  it.each<[name: string, input: unknown, more: Partial<ToolRules>, label: string]>([
    ['by a tool that writes', { content: text }, {}, 'mine'],
    ['by a tool that edits', { content: text }, { kind: 'edit' }, 'mine'],
    ['by a writing call of a tool with several kinds', { content: text }, { kind: 'other', kindOf: () => 'write' }, 'mine'],
    ['with its subjects', { content: text }, { about: () => ['a', 'b'] }, 'mine a, b'],
    ['with at most three subjects', { content: text }, { about: () => ['a', 'b', 'c', 'd'] }, 'mine a, b, c'],
    ['next to numbers, lists and null', { count: 5, names: ['\n'], none: null, content: text }, {}, 'mine'],
    ['in arguments written as JSON', JSON.stringify({ content: text }), {}, 'mine'],
  ])('is a source: %s', (_name, input, more, label) => {
    expect(repeats([...write(input), ...read('again', text)], { tools: [row(more)] })).toEqual([
      `again: 0+4 of writec.0:0 ${label}`,
    ])
  })

  it.each<[name: string, earlier: readonly Message[], more?: Partial<ToolRules>]>([
    ['by a tool that runs commands', write({ command: text }), { kind: 'terminal' }],
    ['by a reading call of a tool that also writes', write({ content: text }), { kindOf: () => 'file-read' }],
    ['by an unknown tool', write({ content: text }, 'unknown')],
    ['in arguments that cannot be parsed', write(text)],
    ['as the text that was replaced', write({ old_string: text })],
    ['in a message that is not from the model', [{ ...(write({ content: text })[0] as Message), role: 'user' }]],
  ])('is not a source: %s', (_name, earlier, more = {}) => {
    expect(repeats([...earlier, ...read('again', text)], { tools: [row(more)] })).toEqual([])
  })

  it('is not a source if it is a single line, such as a path', () => {
    const short = { ...rules, repeatedLines: 1 }
    const facts = { tools: [row({})] }
    expect(repeats([...write({ path: 'src/first.ts' }), ...read('again', 'src/first.ts')], facts, short)).toEqual([])
    expect(repeats([...write({ path: 'src/first.ts\n' }), ...read('again', 'src/first.ts')], facts, short)).toEqual([
      'again: 0+1 of writec.0:0 mine',
    ])
  })

  it('is named by its part within the message', () => {
    const [call, answer] = write({ content: text }) as [Message, Message]
    const said: Message = { ...call, parts: [{ type: 'text', text: 'I will write the file.' }, ...call.parts] }
    expect(repeats([said, answer, ...read('again', text)], { tools: [row({})] })).toEqual(['again: 0+4 of writec.1:0 mine'])
  })
})

describe('a text too long to be compared', () => {
  const long = (length: number) => `${text}\n`.padEnd(length, '.')
  it.each<[name: string, earlier: readonly Message[]]>([
    ['a result', read('first', long(400_001))],
    ['text written by a call', write({ content: long(400_001) })],
  ])('is not a source: %s', (_name, earlier) => {
    expect(repeats([...earlier, ...read('again', text)], { tools: [row({})] })).toEqual([])
  })

  it('has more than 400,000 characters', () => {
    const [call, message] = read('first', long(400_000)) as [Message, Message]
    // The original is short, so that the test need not hash the long text.
    const uncut = [start, ...read('first', text)]
    expect(repeats([call, message, ...read('again', text)], { uncut })).toEqual(['again: 0+4 of first.0:0? Read a.ts'])
  })
})

describe('a result', () => {
  it('is not compared if its full text is stored outside the log', () => {
    const blob = { handle: '0123456789ab', sha256: '0'.repeat(64), bytes: 5000 }
    expect(repeats([...exchange('first', 'Read', {}, text, { blob }), ...read('again', text)])).toEqual([])
  })

  it('is compared if it contains text like our markers', () => {
    const note = `the 4 lines as shown above\n${text}`
    expect(repeats([...read('first', text), ...read('again', note)])).toEqual(['again: 1+4 of first.0:0 Read a.ts'])
  })

  const numbered = lines.map((line, index) => `${index + 1}→${line}`)
  it.each<[name: string, shown: readonly string[], whole: readonly string[], place: string]>([
    ['cut line numbers', ['1→first line', '→second line', '→third line', '4→fourth line'], numbered, 'first.0:0'],
    ['a cut end', lines.slice(0, 3), lines, 'first.0:0'],
    ['a cut start', lines.slice(1), lines, 'first.0:0?'],
    ['a cut middle', [...lines.slice(0, 3), '…', 'last'], [...lines, 'last'], 'first.0:0?'],
  ])('that was cut is referred to by the line numbers of its original: %s', (_name, shown, whole, place) => {
    const [call, message] = read('first', shown.join('\n')) as [Message, Message]
    const uncut = [start, ...read('first', whole.join('\n'))]
    const [found] = createResultRepeats(rules)([start, call, message, ...read('again', shown.slice(0, 3).join('\n'))], { uncut })
    expect(described(found === undefined ? [] : [found])).toEqual([`again: 0+3 of ${place} Read a.ts`])
    expect(found?.runs[0]?.source.handle).toBe(handleOf(whole.join('\n')))
  })
})

describe('createResultRepeats, asked again', () => {
  const failed = { stdout: text, stderr: 'a warning', exitCode: 0 }
  const strict: Facts = { config: { outdated_commands: { stderr_is_error: true } } }
  const lenient: Facts = { config: { outdated_commands: { stderr_is_error: false } } }

  it('searches again with another table of tools', () => {
    const messages = [start, ...write({ content: text }), ...read('again', text)]
    const both = createResultRepeats(rules)
    const writes: Facts = { tools: [row({})] }
    const expected = ['again: 0+4 of writec.0:0 mine']
    expect(
      [{}, writes, { tools: [row({ kind: 'terminal' })] }, { ...writes }, {}].map((facts) => described(both(messages, facts))),
    ).toEqual([
      [],
      expected,
      [],
      expected,
      [], // biome-ignore format: one list
    ])
  })

  it('searches again if stderr counts as failure or no longer does', () => {
    const output = JSON.stringify(failed, null, 2)
    const messages = [start, ...exchange('first', 'Bash', { command: 'make' }, output), ...exchange('again', 'Bash', { command: 'make' }, output)] // biome-ignore format: one list
    const both = createResultRepeats(rules)
    const expected = ['again: 1+4 of first.0:1 Bash make']
    expect([strict, lenient, strict, lenient].map((facts) => described(both(messages, facts)))).toEqual([
      [],
      expected,
      [],
      expected,
    ])
  })

  it('searches again if the call of a result appears after it', () => {
    const find = createResultRepeats(rules)
    // The exit code in the last line counts as a failure only once the tool is known to be a command.
    const early = [start, ...read('first', text), result('again', 'late', `${text}\nexit code: 1`)]
    expect(described(find(early, {}))).toEqual(['again: 0+4 of first.0:0 Read a.ts'])
    const grown = [...early, calls('c', ['late', 'Bash', { command: 'make' }]), ...read('third', text)]
    expect(described(find(grown, {}))).toEqual(['third: 0+4 of first.0:0 Read a.ts'])
  })

  it('returns the same objects for a longer list', () => {
    const find = createResultRepeats(rules)
    const messages = [start, result('first', null, text), ...read('again', text)]
    const [first] = find(messages, {})
    const grown = find([...messages, ...read('third', text)], {})
    expect(grown[0]).toBe(first)
    expect(described(grown)).toEqual(['again: 0+4 of first.0:0 tool', 'third: 0+4 of first.0:0 tool'])
  })
  it('reads each call once as the list grows', () => {
    const find = createResultRepeats(rules)
    const opening = 'first line\nof a note'
    const facts: Facts = { tools: [row({})] }
    const messages = [start, ...write({ content: opening }), ...read('first', text)]
    // Few places are remembered per line: repeated reads of the call must not push out the others.
    for (let count = 0; count < 5; count += 1) {
      find(messages, facts)
      messages.push(user(`u${count}`, 'continue'))
    }
    expect(described(find([...messages, ...read('again', text)], facts))).toEqual(['again: 0+4 of first.0:0 Read a.ts'])
  })
})

describe('repeats are right after a request that was nearly the same', () => {
  const first = [start, ...['a', 'b', 'd'].map((id) => user(id, 'hello')), ...read('first', text)]
  const again = [...first, ...read('again', text)]
  it.each<[name: string, requests: readonly (readonly Message[])[], facts: readonly Facts[]]>([
    [
      'a call of the last answer writes what is read',
      [
        first.slice(0, 4),
        [...first.slice(0, 4), ...write({ content: text }).slice(0, 1)],
        [...first.slice(0, 4), ...write({ content: text }), ...read('again', text)],
      ],
      [{}, {}, {}],
    ],
    [
      'the answer comes after what it repeats',
      [
        first,
        [...first, ...write({ content: `${text}\nfifth line` }).slice(0, 1)],
        [...first, ...write({ content: `${text}\nfifth line` }), ...read('again', `${text}\nfifth line`)],
      ],
      [{}, {}, {}],
    ],
    ['a tool reads no more', [again, again], [{}, { tools: [{ name: 'Read', kind: 'other' }] }]],
    [
      'the same was cut before',
      [again, again],
      [{}, { uncut: [...first.slice(0, -1), result('first', 'call-first', `${text}\n${text}`), ...again.slice(-2)] }],
    ],
  ])('%s', (_, requests, facts) => {
    const rows: Facts = { tools: [row({})] }
    const find = createResultRepeats(rules)
    const found = requests.map((messages, at) => described(find(messages, { ...rows, ...facts[at] })))
    const fresh = requests.map((messages, at) =>
      described(createResultRepeats(rules)(structuredClone(messages), { ...rows, ...facts[at] })),
    )
    expect(found).toEqual(fresh)
  })
})

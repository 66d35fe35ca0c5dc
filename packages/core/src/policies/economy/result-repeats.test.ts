import { describe, expect, it } from 'vitest'
import type { Facts, ToolRules } from '../../facts.ts'
import type { Message } from '../../message.ts'
import { calls, deepFreeze, exchange, result, user } from '../../testing/messages.ts'
import { handleOf } from '../../text/hash.ts'
import { defaultEconomyRules } from './economy-rules.ts'
import { createResultRepeats } from './result-repeats.ts'

const rules = { ...defaultEconomyRules, repeatedLines: 3, repeatedCharacters: 1 }
const start = user('u', 'go')
const lines = ['first line', 'second line', 'third line', 'fourth line']
const text = lines.join('\n')

/** What results repeat: `result: from+count of source:from label`, with a sign where the numbers of the lines are others. */
function told(repeats: ReturnType<ReturnType<typeof createResultRepeats>>): readonly string[] {
  return repeats.flatMap(({ result: { message }, runs }) =>
    runs.map(({ from, count, source, sourceFrom }) => {
      const place = `${source.key}:${sourceFrom}${source.isNumbered ? '' : '?'}`
      return `${message.id}: ${from}+${count} of ${place} ${source.label}`
    }),
  )
}

const repeats = (messages: readonly Message[], facts: Facts = {}, given = rules) =>
  told(createResultRepeats(given)(deepFreeze([start, ...messages]), facts))
const read = (id: string, content: string) => exchange(id, 'Read', { file_path: 'a.ts' }, content)
const row = (more: Partial<ToolRules>): ToolRules => ({ name: 'mine', kind: 'write', ...more })
const write = (input: unknown, tool = 'mine') => exchange('w', tool, input, 'written')

describe('what shows lines is named', () => {
  const many = (count: number) => ['a', 'b', 'c', 'd'].slice(0, count)
  it.each<[name: string, earlier: readonly Message[], label: string]>([
    ['by its tool and what that is about', read('x', text), 'Read a.ts'],
    ['by several things', exchange('x', 'read_many_files', { paths: many(2) }, text), 'read_many_files a, b'],
    ['by three at most', exchange('x', 'read_many_files', { paths: many(4) }, text), 'read_many_files a, b, c'],
    ['by a tool that is about nothing', exchange('x', 'unknown', {}, text), 'unknown'],
    ['by no tool', [result('x', null, text)], 'tool'],
    ['by the tool that the result tells', [result('x', null, text, { tool: 'told' })], 'told'],
  ])('%s', (_name, earlier, label) => {
    expect(repeats([...earlier, ...read('y', text)])).toEqual([`y: 0+4 of x.0:0 ${label}`])
  })

  it('with the handle of its whole text', () => {
    const [found] = createResultRepeats(rules)([start, ...read('x', text), ...read('y', text)], {})
    expect(found?.runs.map(({ source }) => source.handle)).toEqual([handleOf(text)])
  })
})

describe('what a call wrote', () => {
  it.each<[name: string, input: unknown, more: Partial<ToolRules>, label: string]>([
    ['a tool that writes', { content: text }, {}, 'mine'],
    ['a tool that edits', { content: text }, { kind: 'edit' }, 'mine'],
    ['a call that does, of a tool that does several jobs', { content: text }, { kind: 'other', kindOf: () => 'write' }, 'mine'],
    ['about something', { content: text }, { about: () => ['a', 'b'] }, 'mine a, b'],
    ['about more than is told', { content: text }, { about: () => ['a', 'b', 'c', 'd'] }, 'mine a, b, c'],
    ['beside numbers, lists and nothing', { count: 5, names: ['\n'], none: null, content: text }, {}, 'mine'],
    ['as JSON', JSON.stringify({ content: text }), {}, 'mine'],
  ])('is named: %s', (_name, input, more, label) => {
    expect(repeats([...write(input), ...read('y', text)], { tools: [row(more)] })).toEqual([`y: 0+4 of wc.0:0 ${label}`])
  })

  it.each<[name: string, earlier: readonly Message[], more?: Partial<ToolRules>]>([
    ['a tool that runs commands', write({ command: text }), { kind: 'terminal' }],
    ['a call that only looks, of a tool that writes too', write({ content: text }), { kindOf: () => 'file-read' }],
    ['a tool that nobody knows', write({ content: text }, 'unknown')],
    ['arguments that cannot be read', write(text)],
    ['a text that it replaced', write({ old_string: text })],
    ['a call in a message that no model wrote', [{ ...(write({ content: text })[0] as Message), role: 'user' }]],
  ])('is not named: %s', (_name, earlier, more = {}) => {
    expect(repeats([...earlier, ...read('y', text)], { tools: [row(more)] })).toEqual([])
  })

  it('is a text of several lines: a path is not named, however short a run may be', () => {
    const short = { ...rules, repeatedLines: 1 }
    const facts = { tools: [row({})] }
    expect(repeats([...write({ path: 'src/first.ts' }), ...read('y', 'src/first.ts')], facts, short)).toEqual([])
    expect(repeats([...write({ path: 'src/first.ts\n' }), ...read('y', 'src/first.ts')], facts, short)).toEqual([
      'y: 0+1 of wc.0:0 mine',
    ])
  })

  it('stands at its place among the parts of its message', () => {
    const [call, answer] = write({ content: text }) as [Message, Message]
    const said: Message = { ...call, parts: [{ type: 'text', text: 'I write.' }, ...call.parts] }
    expect(repeats([said, answer, ...read('y', text)], { tools: [row({})] })).toEqual(['y: 0+4 of wc.1:0 mine'])
  })
})

describe('a text too long to be compared', () => {
  const long = (length: number) => `${text}\n`.padEnd(length, '.')
  it.each<[name: string, earlier: readonly Message[]]>([
    ['a result', read('x', long(400_001))],
    ['what a call wrote', write({ content: long(400_001) })],
  ])('is not named: %s', (_name, earlier) => {
    expect(repeats([...earlier, ...read('y', text)], { tools: [row({})] })).toEqual([])
  })

  it('is longer than any that is', () => {
    const [call, message] = read('x', long(400_000)) as [Message, Message]
    // Made from a short one, so that no handle of the long one is worked out.
    const uncut = [start, ...read('x', text)]
    expect(repeats([call, message, ...read('y', text)], { uncut })).toEqual(['y: 0+4 of x.0:0? Read a.ts'])
  })
})

describe('a result', () => {
  it('kept apart is not compared: what is shown of it is another text', () => {
    const blob = { handle: '0123456789ab', sha256: '0'.repeat(64), bytes: 5000 }
    expect(repeats([...exchange('x', 'Read', {}, text, { blob }), ...read('y', text)])).toEqual([])
  })

  it('with words about lines shown above is compared like any other', () => {
    const note = `the 4 lines as shown above\n${text}`
    expect(repeats([...read('x', text), ...read('y', note)])).toEqual(['y: 1+4 of x.0:0 Read a.ts'])
  })

  const numbered = lines.map((line, index) => `${index + 1}→${line}`)
  it.each<[name: string, shown: readonly string[], whole: readonly string[], place: string]>([
    ['with fewer numbers before its lines', ['1→first line', '→second line', '→third line', '4→fourth line'], numbered, 'x.0:0'],
    ['without its end', lines.slice(0, 3), lines, 'x.0:0'],
    ['without its beginning', lines.slice(1), lines, 'x.0:0?'],
    ['with other lines in its middle', [...lines.slice(0, 3), '…', 'last'], [...lines, 'last'], 'x.0:0?'],
  ])('that is cut has its lines numbered where they stand in the whole one: %s', (_name, shown, whole, place) => {
    const [call, message] = read('x', shown.join('\n')) as [Message, Message]
    const uncut = [start, ...read('x', whole.join('\n'))]
    const [found] = createResultRepeats(rules)([start, call, message, ...read('y', shown.slice(0, 3).join('\n'))], { uncut })
    expect(told(found === undefined ? [] : [found])).toEqual([`y: 0+3 of ${place} Read a.ts`])
    expect(found?.runs[0]?.source.handle).toBe(handleOf(whole.join('\n')))
  })
})

describe('what was found before is found again only where the same is meant', () => {
  const failed = { stdout: text, stderr: 'a warning', exitCode: 0 }
  const strict: Facts = { config: { outdated_commands: { stderr_is_error: true } } }
  const lenient: Facts = { config: { outdated_commands: { stderr_is_error: false } } }

  it('by another table of tools', () => {
    const messages = [start, ...write({ content: text }), ...read('y', text)]
    const both = createResultRepeats(rules)
    const writes: Facts = { tools: [row({})] }
    const expected = ['y: 0+4 of wc.0:0 mine']
    expect(
      [{}, writes, { tools: [row({ kind: 'terminal' })] }, { ...writes }, {}].map((facts) => told(both(messages, facts))),
    ).toEqual([
      [],
      expected,
      [],
      expected,
      [], // biome-ignore format: one list
    ])
  })

  it('by another meaning of what a command writes to its second stream', () => {
    const output = JSON.stringify(failed, null, 2)
    const messages = [start, ...exchange('x', 'Bash', { command: 'make' }, output), ...exchange('y', 'Bash', { command: 'make' }, output)] // biome-ignore format: one list
    const both = createResultRepeats(rules)
    const expected = ['y: 1+4 of x.0:1 Bash make']
    expect([strict, lenient, strict, lenient].map((facts) => told(both(messages, facts)))).toEqual([[], expected, [], expected])
  })

  it('by a call that comes after its result', () => {
    const find = createResultRepeats(rules)
    // Only of a command does the last line say that it failed.
    const early = [start, ...read('x', text), result('y', 'late', `${text}\nexit code: 1`)]
    expect(told(find(early, {}))).toEqual(['y: 0+4 of x.0:0 Read a.ts'])
    const grown = [...early, calls('c', ['late', 'Bash', { command: 'make' }]), ...read('z', text)]
    expect(told(find(grown, {}))).toEqual(['z: 0+4 of x.0:0 Read a.ts'])
  })

  it('and is the very same in a list that has grown', () => {
    const find = createResultRepeats(rules)
    const messages = [start, result('x', null, text), ...read('y', text)]
    const [first] = find(messages, {})
    const grown = find([...messages, ...read('z', text)], {})
    expect(grown[0]).toBe(first)
    expect(told(grown)).toEqual(['y: 0+4 of x.0:0 tool', 'z: 0+4 of x.0:0 tool'])
  })
  it('and each call is read once, however often the list grows', () => {
    const find = createResultRepeats(rules)
    const opening = 'first line\nof a note'
    const facts: Facts = { tools: [row({})] }
    const messages = [start, ...write({ content: opening }), ...read('x', text)]
    // Of a line a few places are remembered: those in the call must not take the others' room.
    for (let count = 0; count < 5; count += 1) {
      find(messages, facts)
      messages.push(user(`u${count}`, 'on'))
    }
    expect(told(find([...messages, ...read('y', text)], facts))).toEqual(['y: 0+4 of x.0:0 Read a.ts'])
  })
})

import { describe, expect, it } from 'vitest'
import { applyEdits, type Edit, type ReplaceEdit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import { type Message, type ToolResultPart, withShownText } from '../message.ts'
import { calls, deepFreeze, exchange, outcome, result, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { createCutLongOutput } from './cut-long-output.ts'
import { defaultEconomyRules } from './economy/economy-rules.ts'
import { createSkipShownLines } from './skip-shown-lines.ts'

const policy = createSkipShownLines(defaultEconomyRules)
const shown = (messages: readonly Message[], facts: Facts = {}) => outcome(policy.plan(deepFreeze(messages), facts))

/** Lines long enough that three of them are worth a marker. */
const lines = (from: number, to: number) =>
  Array.from(
    { length: to - from + 1 },
    (_, index) => `export const setting${from + index} = readSetting('the name of setting ${from + index}')`,
  )
const text = (from: number, to: number) => lines(from, to).join('\n')
const numbered = (from: number, to: number, first = from) =>
  lines(from, to).map((line, index) => `${first + index}→${line}`).join('\n') // biome-ignore format: one thing
const read = (id: string, content: string, input: object = {}) => exchange(id, 'Read', { file_path: 'a.ts', ...input }, content)
const markerOf = (count: number, label: string, source: string) =>
  `[${count} lines as shown above: ${label}; recall ${handleOf(source)}]`
const start = user('u', 'fix the cart tests')

describe('skip-shown-lines', () => {
  it('leaves originals for the policies after it', () => {
    expect(createSkipShownLines(defaultEconomyRules).cuts).toBe(true)
  })

  const whole = text(1, 20)
  const all = markerOf(20, 'Read a.ts, lines 1-20', whole)
  it.each<[name: string, later: readonly Message[], expected: string]>([
    ['of a file that is read again', read('again', whole), all],
    ['of a part of it', read('again', text(5, 9)), markerOf(5, 'Read a.ts, lines 5-9', whole)],
    ['of lines shown by another tool', exchange('again', 'Bash', { command: 'cat a.ts' }, whole), all],
    ['of lines with numbers', read('again', numbered(1, 20)), all],
    ['of lines with other numbers', read('again', numbered(1, 20, 41)), all],
    ['of lines next to new ones', read('again', `new\n${whole}\nnew too`), `new\n${all}\nnew too`],
    [
      'of lines before and after new ones',
      read('again', `${text(1, 5)}\nnew\n${text(6, 20)}`),
      [markerOf(5, 'Read a.ts, lines 1-5', whole), 'new', markerOf(15, 'Read a.ts, lines 6-20', whole)].join('\n'),
    ],
  ])('refers to the place %s', (_name, later, expected) => {
    expect(shown([start, ...read('first', whole), ...later])).toEqual({ again: expected })
  })

  it('omits text the model wrote itself, but not text it replaced', () => {
    const write = exchange('w', 'Write', { file_path: 'a.ts', content: whole }, 'written')
    expect(shown([start, ...write, ...read('again', numbered(1, 20))])).toEqual({
      again: markerOf(20, 'Write a.ts, lines 1-20', whole),
    })
    const edit = exchange('e', 'Edit', { file_path: 'a.ts', old_string: whole, new_string: text(30, 40) }, 'edited')
    expect(shown([start, ...edit, ...read('again', `${whole}\n${text(30, 40)}`)])).toEqual({
      again: `${whole}\n${markerOf(11, 'Edit a.ts, lines 1-11', text(30, 40))}`,
    })
  })

  it('omits repeated lines of the same test run', () => {
    const run = (id: string, last: string) => exchange(id, 'Bash', { command: 'npm test' }, `${whole}\n${last}`)
    expect(shown([start, ...run('first', '3 failed'), ...run('again', '1 failed')])).toEqual({
      again: `${markerOf(20, 'Bash npm test, lines 1-20', `${whole}\n3 failed`)}\n1 failed`,
    })
  })

  it('refers to the first of lines repeated many times', () => {
    const log = `${text(1, 2)}\n`.repeat(9)
    expect(shown([start, ...read('first', log)])).toEqual({
      first: `${text(1, 2)}\n[16 lines as shown above over and over: Read a.ts, lines 1-2; recall ${handleOf(log)}]\n`,
    })
  })

  it.each<[name: string, messages: readonly Message[], facts?: Facts]>([
    ['from a failure', [...read('first', whole), ...read('again', `Error: no\n${whole}`, { offset: 1 })]],
    ['from a pinned result', [...read('first', whole), ...read('again', whole)], { pins: ['again'] }],
    ['from less than three lines', [...read('first', whole), ...read('again', text(1, 2))]],
    ['from short lines', [...read('first', 'one\ntwo\nthree\nfour'), ...read('again', 'one\ntwo\nthree\nfour')]],
    [
      'if a column of a table differs',
      [
        ...read(
          'first',
          lines(1, 5)
            .map((line) => `5\t${line}`)
            .join('\n'),
        ),
        ...read(
          'again',
          lines(1, 5)
            .map((line) => `6\t${line}`)
            .join('\n'),
        ),
      ],
    ],
  ])('omits nothing %s', (_name, messages, facts = {}) => {
    expect(shown([start, ...messages], facts)).toEqual({})
  })

  it('omits lines in a list of texts, and keeps the list and its images', () => {
    const image = { type: 'media' as const, mediaType: 'image/png', data: 'AAAA' }
    const listed = result('again', 'k', '', { content: { type: 'list', items: [{ type: 'text', text: whole }, image] } })
    const [edit] = policy.plan([start, ...read('first', whole), calls('againc', ['k', 'Read', {}]), listed], {}) as readonly [
      ReplaceEdit,
    ]
    const text = `[20 lines as shown above: Read a.ts, lines 1-20; recall ${handleOf(whole)}]`
    expect(edit.with).toMatchObject({ content: { type: 'list', items: [{ type: 'text', text }, image] } })
  })

  it('refers to lines shown by a failure', () => {
    const failure = `Error: no\n${whole}`
    expect(shown([start, ...read('first', failure), ...read('again', whole)])).toEqual({
      again: markerOf(20, 'Read a.ts, lines 2-21', failure),
    })
  })

  it('never refers to another reference', () => {
    const messages = [
      start,
      ...read('first', whole),
      ...read('again', `first\n${whole}\nlast`),
      ...read('third', `${whole}\nlast`),
    ]
    expect(shown(messages)).toEqual({ again: `first\n${all}\nlast`, third: `${all}\nlast` })
  })

  it('refers to shown lines of a cut result, without line numbers', () => {
    const log = text(1, 200)
    const uncut = [start, ...exchange('first', 'Bash', { command: 'cmd' }, log)]
    const messages = applyEdits(uncut, createCutLongOutput(defaultEconomyRules).plan(uncut, {}))
    expect(shown([...messages, ...read('again', text(1, 5))], { uncut })).toEqual({ again: markerOf(5, 'Bash cmd', log) })
    expect(shown([...messages, ...read('again', text(100, 105))], { uncut })).toEqual({})
  })

  it.each<[name: string, edit: Pick<ReplaceEdit, 'policy' | 'with'>, hides: boolean]>([
    ['a stub', { policy: 'stub-old-results', with: withShownText(part('first'), '[Read: a.ts; recall 0]') }, true],
    ['an edit that changes nothing', { policy: 'mine', with: withShownText(part('first'), whole) }, false],
    ['an edit of this policy', { policy: 'skip-shown-lines', with: withShownText(part('first'), 'less') }, false],
    ['a text instead of a result', { policy: 'mine', with: { type: 'text', text: whole } }, true],
  ])('respects the active edit of the place: %s', (_name, edit, hides) => {
    const kept: Edit = { id: 'k', kind: 'replace', message: 'first', part: 0, why: '', ...edit }
    expect(shown([start, ...read('first', whole), ...read('again', whole)], { kept: [kept] })).toEqual(
      hides ? {} : { again: all },
    )
  })

  it.each<[name: string, replacement: ReplaceEdit['with']]>([
    ['a shorter call', { type: 'tool-call', callId: 'call-w', tool: 'Write', input: { file_path: 'a.ts', content: 'less' } }],
    ['a result', part('w')],
  ])('respects the active edit of a call: %s', (_name, replacement) => {
    const kept: Edit = { id: 'k', policy: 'mine', kind: 'replace', message: 'wc', part: 0, with: replacement, why: '' }
    const write = exchange('w', 'Write', { file_path: 'a.ts', content: whole }, 'written')
    expect(shown([start, ...write, ...read('again', whole)], { kept: [kept] })).toEqual({})
  })

  it('respects the active edits of several places', () => {
    const messages = [
      start,
      ...read('p', text(1, 5)),
      ...read('q', text(11, 15)),
      ...read('again', `${text(1, 5)}\n${text(11, 15)}`),
    ]
    const stub = (message: string): Edit => ({ id: 'k', policy: 'mine', kind: 'replace', message, part: 0, with: withShownText(part(message), 'stub'), why: '' }) // biome-ignore format: one edit
    const inP = markerOf(5, 'Read a.ts, lines 1-5', text(1, 5))
    const inQ = markerOf(5, 'Read a.ts, lines 1-5', text(11, 15))
    const found = [[], [stub('p')], [stub('q')], [stub('p'), stub('q')], []].map((kept) => shown(messages, { kept }))
    expect(found).toEqual([
      { again: `${inP}\n${inQ}` },
      { again: `${text(1, 5)}\n${inQ}` },
      { again: `${inP}\n${text(11, 15)}` },
      {},
      { again: `${inP}\n${inQ}` },
    ])
  })

  describe('if the first place has become a stub', () => {
    const stub: Edit = { id: 'k', policy: 'stub-old-results', kind: 'replace', message: 'first', part: 0, with: withShownText(part('first'), 'stub'), why: '' } // biome-ignore format: one edit
    const later = (id: string) => read(id, `${whole}\nread as ${id}`)
    const messages = [start, ...read('first', whole), ...later('p'), ...later('q'), ...later('r')]
    const asIn = (id: string) => markerOf(20, 'Read a.ts, lines 1-20', `${whole}\nread as ${id}`)

    it('shows the lines in the next result, and later ones refer to that', () => {
      expect(shown(messages, { kept: [stub] })).toEqual({ q: `${asIn('p')}\nread as q`, r: `${asIn('p')}\nread as r` })
    })

    it('does not refer to a result with omitted lines', () => {
      const less: Edit = { ...stub, policy: 'skip-shown-lines', message: 'p', with: withShownText(part('p'), 'less') }
      expect(shown(messages, { kept: [stub, less] })).toEqual({ r: `${asIn('q')}\nread as r` })
    })

    it('does not refer to another stub', () => {
      const another: Edit = { ...stub, message: 'p', with: withShownText(part('p'), 'stub') }
      expect(shown(messages, { kept: [stub, another] })).toEqual({ r: `${asIn('q')}\nread as r` })
    })

    it('depends on the edits that are active now', () => {
      const less: Edit = { ...stub, policy: 'skip-shown-lines', message: 'p', with: withShownText(part('p'), 'less') }
      const found = [[stub], [stub, less], [stub]].map((kept) => shown(messages, { kept })['r'])
      expect(found).toEqual([`${asIn('p')}\nread as r`, `${asIn('q')}\nread as r`, `${asIn('p')}\nread as r`])
    })
  })

  it('returns one edit with its reason and references', () => {
    const messages = [start, ...read('first', whole), ...read('again', `${text(1, 5)}\nnew\n${text(6, 20)}`)]
    const [edit] = policy.plan(messages, {}) as readonly [ReplaceEdit]
    expect(edit).toEqual({
      id: 'skip-shown-lines:again.0',
      policy: 'skip-shown-lines',
      kind: 'replace',
      message: 'again',
      part: 0,
      with: withShownText(
        part('again'),
        [markerOf(5, 'Read a.ts, lines 1-5', whole), 'new', markerOf(15, 'Read a.ts, lines 6-20', whole)].join('\n'),
      ),
      refers: [
        { line: 0, part: 'first.0', from: 0, count: 5, shows: expect.any(String) },
        { line: 2, part: 'first.0', from: 5, count: 15, shows: expect.any(String) },
      ],
      why: '20 lines are shown in an earlier result',
    })
  })

  it('refers to calls too', () => {
    const write = exchange('w', 'Write', { file_path: 'a.ts', content: text(30, 40) }, 'written')
    const [edit] = policy.plan([start, ...write, ...read('first', whole), ...read('again', `${text(30, 40)}\n${whole}`)], {})
    expect((edit as ReplaceEdit).refers?.map((reference) => reference.part)).toEqual(['wc.0', 'first.0'])
  })

  it('returns the same edit again, and another in another language', () => {
    const { plan } = createSkipShownLines(defaultEconomyRules)
    const messages = [start, ...read('first', whole), ...read('again', whole)]
    const [first] = plan(messages, {})
    expect(plan([...messages, ...read('third', 'more')], {})[0]).toBe(first)
    const [translated] = plan(messages, { config: { locale: 'zh' } })
    expect(translated).toEqual({ ...first, why: '20 行已在前面的结果中显示' })
    expect(plan(messages, {})).toEqual([first])
  })

  it('omits nothing if the marker is not shorter', () => {
    const any = createSkipShownLines({ ...defaultEconomyRules, repeatedCharacters: 1 })
    const marker = markerOf(3, 'Read a.ts, lines 1-3', '')
    const linesOf = (length: number) => ['first', 'second', '.'.repeat(length - 'first\nsecond\n'.length)].join('\n')
    const edits = (length: number) => any.plan([start, ...read('first', linesOf(length)), ...read('again', linesOf(length))], {})
    expect([marker.length, marker.length + 1].map((length) => edits(length).length)).toEqual([0, 1])
  })

  it('depends only on the given messages, not on earlier calls', () => {
    const first = [start, ...read('first', whole), ...read('again', whole)]
    expect(shown(first)).toEqual({ again: all })
    // In this branch the first read was shorter, while the second result is the same object.
    const branch = [start, ...read('first', text(1, 4)), ...first.slice(3)]
    expect(shown(branch)).toEqual({ again: `${markerOf(4, 'Read a.ts, lines 1-4', text(1, 4))}\n${text(5, 20)}` })
    expect(shown(first)).toEqual({ again: all })
    const moved = [...first.slice(0, 4), { ...(first[4] as Message), id: 'elsewhere' }]
    expect(shown(moved)).toEqual({ elsewhere: all })
  })

  it('treats a marker printed by a tool as an ordinary line', () => {
    const forged = '[5 lines as shown above: Read a.ts, lines 1-5; recall 000000000000]'
    expect(shown([start, ...read('first', `${forged}\n${text(1, 3)}`), ...read('again', text(1, 5))])).toEqual({
      again: `${markerOf(3, 'Read a.ts, lines 2-4', `${forged}\n${text(1, 3)}`)}\n${text(4, 5)}`,
    })
    // A result that already has markers stays unchanged.
    expect(shown([start, ...read('first', whole), ...read('again', `${forged}\n${whole}`)])).toEqual({})
  })

  it('can be switched off', () => {
    const off = createSkipShownLines({ ...defaultEconomyRules, repeatedLines: Number.POSITIVE_INFINITY })
    expect(off.plan([start, ...read('first', whole), ...read('again', whole)], {})).toEqual([])
  })
})

function part(id: string): ToolResultPart {
  return read(id, text(1, 20))[1]?.parts[0] as ToolResultPart
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseReact, type ReactStep } from './parse-react.ts'

const nothing: ReactStep = { thought: null, actions: [], finish: null, malformed: [] }
const read = (input: unknown = { path: 'a.ts' }) => ({ tool: 'Read', input })

describe('parseReact', () => {
  it.each<[what: string, text: string, step: Partial<ReactStep>]>([
    ['a step', 'Thought: look\nAction: Read[{"path": "a.ts"}]', { thought: 'look', actions: [read()] }],
    ['an answer', 'Thought: done\nAction: Finish[it is 42]', { thought: 'done', finish: 'it is 42' }],
    ['an answer in JSON', 'Action: Finish["a\\n]b"]', { finish: 'a\n]b' }],
    ['an answer with brackets', 'Action: Finish[see a[0] and [b]]', { finish: 'see a[0] and [b]' }],
    ['an answer of many lines', 'Action: Finish[one\n\nAction: Read[x]\nthree]', { finish: 'one\n\nAction: Read[x]\nthree' }],
    ['an answer that quotes', 'Action: Finish["so" he said]', { finish: '"so" he said' }],
    ['no thought', 'Action: Read[{"path":"a.ts"}]', { actions: [read()] }],
    ['a thought without its label', 'I look.\nAction: Read[{"path":"a.ts"}]', { thought: 'I look.', actions: [read()] }],
    ['an echoed role', '[assistant] Thought: x\nAction: Read[{"path":"a.ts"}]', { thought: 'x', actions: [read()] }],
    ['bold labels', '**Thought:** x\n**Action**: Read[{"path":"a.ts"}]', { thought: 'x', actions: [read()] }],
    ['full-width colons', 'Thought：想\nAction：Read[{"path":"a.ts"}]', { thought: '想', actions: [read()] }],
    ['brackets in strings', 'Action: Read[{"path":"a]b[\\"]c"}]', { actions: [read({ path: 'a]b["]c' })] }],
    ['nested lists', 'Action: Read[{"path":[["a"],[]]}]', { actions: [read({ path: [['a'], []] })] }],
    ['a list for an argument', 'Action: Read[["a","b"]]', { actions: [read(['a', 'b'])] }],
    ['an argument over lines', 'Action: Read[\n{\n  "path": "a.ts"\n}\n]', { actions: [read()] }],
    ['line breaks in strings', 'Action: Read[{"path":"a\n\tb"}]', { actions: [read({ path: 'a\n\tb' })] }],
    ['an argument in a fence', 'Action: Read[```json\n{"path":"a.ts"}\n```]', { actions: [read()] }],
    ['a plain argument', 'Action: Read[a.ts]', { actions: [read('a.ts')] }],
    ['no argument', 'Action: Read[]', { actions: [read({})] }],
    ['broken JSON', 'Action: Read[{"path": a.ts}]', { actions: [read('{"path": a.ts}')] }],
    ['text after the action', 'Action: Read[{"path":"a.ts"}] and then', { actions: [read()] }],
    ['no action', 'Thought: I do not know', { thought: 'I do not know' }],
    ['plain text', 'just words', { thought: 'just words' }],
    ['nothing', '', {}],
    ['an invalid action', 'Thought: x\nAction: read the file', { thought: 'x', malformed: ['Action: read the file'] }],
    ['an action never closed', 'Action: Read[{"path":"a.ts"', { actions: [read('{"path":"a.ts"')] }],
    [
      'an action never closed, before another',
      'Action: Read[{"path":\nAction: Read[{"path":"a.ts"}]',
      { actions: [read('{"path":'), read()] },
    ],
  ])('R004-55 reads %s', (_what, text, step) => expect(parseReact(text)).toEqual({ ...nothing, ...step }))

  it('reads several actions in order', () => {
    expect(parseReact('Thought: both\nAction: Read[{"path":"a.ts"}]\nAction: LS[{}]')).toEqual({
      ...nothing,
      thought: 'both',
      actions: [read(), { tool: 'LS', input: {} }],
    })
  })

  it('ignores an answer given before the result is known', () => {
    expect(parseReact('Action: Read[{"path":"a.ts"}]\nAction: Finish[guessed]')).toEqual({ ...nothing, actions: [read()] })
    expect(parseReact('Action: Finish[known]\nAction: Read[{"path":"a.ts"}]')).toEqual({ ...nothing, finish: 'known' })
  })

  it.each(['\n\n[tool] {"status": "success"}', '\nObservation: all good', '\n[user] thanks'])(
    'drops a result that the model made up: %j',
    (invented) => {
      const text = `Action: Read[{"path":"a.ts"}]${invented}\nThought: so\nAction: LS[{}]`
      expect(parseReact(text)).toEqual({ ...nothing, actions: [read()] })
    },
  )

  it('accepts an action in a fence only if there is no other', () => {
    expect(parseReact('Thought: go\n```\nAction: Read[{"path":"a.ts"}]\n```')).toEqual({
      ...nothing,
      thought: 'go',
      actions: [read()],
    })
    const example = 'Thought: one writes\n```\nAction: LS[{}]\n```\nso'
    expect(parseReact(`${example}\nAction: Read[{"path":"a.ts"}]`)).toEqual({
      ...nothing,
      thought: example.slice('Thought: '.length),
      actions: [read()],
    })
  })

  it.each([
    ['an example', 'One writes:\n```\nAction: LS[{}]\n```\nThat is all.', {}],
    ['an invalid example', 'One writes:\n```\nAction: look around\n```\nThat is all.', {}],
    ['two examples', 'First\n```\nAction: LS[{}]\n```\nthen\n```\nAction: Bash[{}]\n```\nThat is all.', {}],
    ['an example with its result', 'So:\n~~~\nAction: LS[{}]\nObservation: a.ts\n~~~\nThat is all.', {}],
  ])('R004-55 does not treat %s in the fence of an answer as an action', (_what, text, step) =>
    expect(parseReact(text)).toEqual({ ...nothing, thought: text, ...step }),
  )

  it.each(['', '\n', '\nObservation: a.ts', '\n\n[tool] {"status": "success"}', '\nThought: wait'])(
    'R004-55 accepts an action in a fence followed by %j',
    (after) => expect(parseReact(`\`\`\`\nAction: Read[{"path":"a.ts"}]\n\`\`\`${after}`).actions).toEqual([read()]),
  )

  it('R004-55 keeps the fences of an answer that is never closed', () => {
    const answer = 'so [\n```\nAction: LS[{}]\n```\nThat is all.'
    expect(parseReact(`Action: Finish[${answer}`)).toEqual({ ...nothing, finish: answer })
  })

  it('reads at most 64 actions', () => {
    expect(parseReact('Action: LS[{}]\n'.repeat(1000)).actions).toHaveLength(64)
  })

  it.each([
    'Action: a[{',
    'Action: a[',
    'Action:',
    '[',
    ']',
    '"',
    '```\n',
    '\\',
    ' ',
    '\n',
    '{"a":"',
    '\\"',
    '"\n',
    '**',
    'Thought: ',
    'Action: a[```',
    '\t`',
  ])('is done with a long run of %j', (unit) => {
    const text = unit.repeat(Math.ceil(300_000 / unit.length))
    for (const whole of [text, `Action: Read[${text}`, `Action: Finish["${text}`, `Action: Read[{"a":"${text}]`]) {
      const { actions, finish, thought, malformed } = parseReact(whole)
      expect(actions.length + malformed.length).toBeLessThanOrEqual(64)
      expect([thought, finish]).toBeDefined()
    }
  })

  it('has an answer to anything', () => {
    const piece = fc.constantFrom(
      '\nAction: Read[',
      'Action:',
      'Thought:',
      ' Read',
      '[',
      ']',
      '{',
      '}',
      '"',
      '\\',
      '\n',
      '```',
      '[tool] ',
      'x',
      ' ',
      ':',
      'Finish[',
      ',',
    )
    let acted = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { actions, finish } = parseReact(pieces.join(''))
        if (actions.length > 0 || finish !== null) acted += 1
        if (actions.length > 0) expect(finish).toBeNull()
      }),
      { numRuns: 3000 },
    )
    expect(acted).toBeGreaterThan(50)
  })
})

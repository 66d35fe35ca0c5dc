import { handleOf, type Message, resultText, type ToolResultPart } from '@plimsoll/core'
import { transcriptHandle } from '@plimsoll/core/session'
import { describe, expect, it } from 'vitest'
import { calls, exchange, result, user } from '../../../../core/src/testing/messages.ts'
import type { RecordedSession } from '../record-session.ts'
import { recorded, says, sentAt } from '../testing/recorded.ts'
import { findNeeds } from './find-needs.ts'
import { createJudge } from './judge-needs.ts'
import type { NeedOutcome } from './need.ts'

const filler = Array.from({ length: 400 }, (_, n) => `line ${n} of the long story`).join('\n')
const text = `${filler}\n  const total_net = net\n${filler}`
const asks = user('u', 'Make it right.')
const reads = exchange('r', 'Bash', { command: 'show' }, text)
const searches = (id: string) => calls(id, [`call-${id}`, 'Grep', { pattern: 'total_net' }])
const session = recorded(asks, ...reads, searches('e'))

function judged(
  view: (messages: readonly Message[]) => readonly Message[],
  options: { session?: RecordedSession; canRecall?: boolean } = {},
) {
  const { session: given = session, canRecall = true } = options
  const step = given.steps.length - 1
  const sent = sentAt(given, step)
  const needs = findNeeds(given).filter((need) => need.step === step && need.class !== 'user-rule')
  return createJudge({ session: given, canRecall })(needs, sent, view(sent))
}

/** A thought that holds what a result did. */
const thinks: Message = {
  id: 't',
  role: 'assistant',
  parts: [
    { type: 'reasoning', text: 'It is total_net.' },
    { type: 'text', text: 'I see.' },
  ],
}

/** The view with the text of some messages replaced. */
function showing(texts: Readonly<Record<string, string>>): (messages: readonly Message[]) => readonly Message[] {
  return (messages) =>
    messages.map((message) => {
      const shown = texts[message.id]
      return shown === undefined ? message : { ...message, parts: message.parts.map((part) => withText(part, shown)) }
    })
}

function withText(part: Message['parts'][number], shown: string): Message['parts'][number] {
  if (part.type === 'tool-call') return { ...part, input: { note: shown } }
  return part.type === 'tool-result' ? { ...part, content: { type: 'text', text: shown } } : part
}

it('a need that a thought holds counts from when the thought is hidden, and then as that of the result', () => {
  const given = recorded(asks, ...reads, thinks, user('u2', 'Go on.'), searches('e'))
  const hidden = showing({ r: '[cut]' })
  const thoughtless = (messages: readonly Message[]) =>
    messages.map((message) =>
      message === thinks ? { ...message, parts: [{ type: 'reasoning' as const, text: '' }, ...message.parts.slice(1)] } : message,
    )
  const states = (view: (messages: readonly Message[]) => readonly Message[]) =>
    judged(view, { session: given, canRecall: false }).map(({ state, supplier }) => [state, supplier?.message ?? null])
  expect(states((messages) => messages)).toEqual([])
  expect(states(hidden)).toEqual([])
  expect(states(thoughtless)).toEqual([['view', null]])
  expect(states((messages) => hidden(thoughtless(messages)))).toEqual([['lost', 'r']])
})

function brief(outcomes: readonly NeedOutcome[]): readonly unknown[] {
  return outcomes.map(({ need, state, supplier, recalled }) => [need.text, state, supplier?.message ?? null, recalled])
}

describe('a need', () => {
  const inView = [['total_net', 'view', null, '']]
  const lost = [['total_net', 'lost', 'r', text]]
  it.each<[string, Readonly<Record<string, string>>, readonly unknown[]]>([
    ['is in view where its supplier is shown as it is', {}, inView],
    ['is in view where the shown text is the same', { r: text }, inView],
    ['is in view where a cut keeps it', { r: '[cut]\n  const total_net = net\n[cut]' }, inView],
    ['is lost where a cut drops it', { r: '[cut]' }, lost],
    ['is lost where only a piece of a longer word is left', { r: 'total_nets' }, lost],
    ['is lost where the handle is that of another text', { r: `[cut; recall ${handleOf('other')}]` }, lost],
    [
      'is had back whole by its handle where no word leads to it',
      { r: `[cut; recall ${handleOf(text)}]` },
      [['total_net', 'handle', 'r', text]],
    ],
  ])('%s', (_, shown, expected) => expect(brief(judged(showing(shown)))).toEqual(expected))

  it('is lost where nothing can be recalled, handle or not', () =>
    expect(brief(judged(showing({ r: `[cut; recall ${handleOf(text)}]` }), { canRecall: false }))).toEqual(lost))

  it('is in view by an older supplier where the newest is cut', () => {
    const twice = recorded(asks, ...reads, ...exchange('s', 'Bash', { command: 'again' }, text), searches('e'))
    expect(brief(judged(showing({ s: '[cut]' }), { session: twice }))).toEqual(inView)
    expect(brief(judged(showing({ s: '[cut]', r: '[cut]' }), { session: twice }))).toEqual([['total_net', 'lost', 's', text]])
  })

  it('does not count as in view where some other result happens to show it', () => {
    const other = recorded(asks, ...reads, ...exchange('s', 'Bash', { command: 'x' }, 'nothing'), searches('e'))
    expect(brief(judged(showing({ r: '[cut]', s: 'total_net' }), { session: other }))).toEqual(lost)
  })

  it('is in view where its result is shown in another place', () =>
    expect(
      brief(judged((messages) => [...messages.slice(0, -1), user('x', 'Hm.'), { ...(messages.at(-1) as Message), id: 'moved' }])),
    ).toEqual(inView))

  it('is left out as long as a call that holds it is shown', () => {
    const between = exchange('b', 'Bash', { command: 'ls' }, 'none')
    const again = recorded(asks, ...reads, searches('e'), result('t', 'call-e', 'none'), ...between, searches('f'))
    expect(judged(showing({ r: '[cut]' }), { session: again })).toEqual([])
    expect(brief(judged(showing({ r: '[cut]', e: 'total_net' }), { session: again }))).toEqual([])
    expect(brief(judged(showing({ e: '[cut]' }), { session: again }))).toEqual(inView)
    expect(brief(judged(showing({ r: '[cut]', e: '[cut]' }), { session: again }))).toEqual(lost)
  })

  it('of an edit keeps the edit it belongs to', () => {
    const edit = calls('e', ['call-e', 'Edit', { old_string: '  const total_net = net', new_string: 'x' }])
    const outcomes = judged(showing({ r: 'const total_net = net' }), { session: recorded(asks, ...reads, edit) })
    expect(outcomes.map(({ need, state }) => [need.class, need.edit, state])).toEqual([
      ['edit-anchor', 'call-e', 'lost'],
      ['symbol', null, 'view'],
    ])
  })
})

describe('what is had back', () => {
  const thinks = (id: string, words: string): Message => ({
    ...searches(id),
    parts: [{ type: 'text', text: words }, ...searches(id).parts],
  })
  const story = `${filler}\n  const total_net = roundedSum(net)\n${filler}`
  const told = exchange('r', 'Bash', { command: 'show' }, story)

  const later = recorded(asks, ...told, thinks('e', 'Who calls roundedSum?'), result('t', 'call-e', 'none'), says('a', 'Fine.'))
  const sent = sentAt(later, 1)
  const needs = findNeeds(later).filter((need) => need.step === 1 && need.class === 'symbol')
  const judge = createJudge({ session: later, canRecall: true })

  it('is only the lines that visible words lead to, where these hold it', () =>
    expect(brief(judge(needs, sent, showing({ r: `[cut; recall ${handleOf(story)}]` })(sent)))).toEqual([
      ['total_net', 'handle', 'r', '401:   const total_net = roundedSum(net)'],
    ]))

  it('is all of it where visible words lead to other lines, and those lines before it', () => {
    const aside = `${filler}\n  const total_net = net\n${filler}\nroundedSum is old`
    const asked = exchange('r', 'Bash', { command: 'show' }, aside)
    const given = recorded(asks, ...asked, thinks('e', 'Is roundedSum old?'), result('t', 'call-e', 'none'), says('a', 'Fine.'))
    const before = sentAt(given, 1)
    const [outcome] = createJudge({ session: given, canRecall: true })(
      findNeeds(given).filter((need) => need.step === 1 && need.class === 'symbol'),
      before,
      showing({ r: `[cut; recall ${handleOf(aside)}]` })(before),
    )
    expect([outcome?.state, outcome?.recalled, outcome?.tried]).toEqual(['handle', aside, '802: roundedSum is old'])
  })

  it('by a search is what the search brings, where one of its first three places holds it', () => {
    const [outcome] = judge(needs, sent, showing({ r: '[cut]' })(sent))
    expect(outcome?.state).toBe('query')
    expect(outcome?.recalled).toContain('  const total_net = roundedSum(net)')
    expect((outcome?.recalled ?? '').length).toBeLessThan(story.length)
  })

  it('serves all needs of a step that it holds', () => {
    const first = 'one total_net and sum_gross'
    const second = 'two total_net'
    const both = recorded(
      asks,
      ...exchange('r', 'Bash', { command: 'x' }, first),
      ...exchange('s', 'Bash', { command: 'y' }, second),
      calls('e', ['c', 'Grep', { pattern: 'sum_gross|total_net' }]),
    )
    const shown = showing({ r: `[recall ${handleOf(first)}]`, s: `[recall ${handleOf(second)}]` })
    expect(brief(judged(shown, { session: both }))).toEqual([
      ['sum_gross', 'handle', 'r', first],
      ['total_net', 'handle', 'r', first],
    ])
  })

  it('may come from a fold that names its transcript', () => {
    const [call, shown] = reads as readonly [Message, Message]
    const into: Message = { ...user('s', `Read.\n[2 messages folded; recall ${transcriptHandle([call, shown])}]`), summary: true }
    const [outcome] = judged(([first]) => [first as Message, into])
    expect([outcome?.state, outcome?.supplier?.message]).toEqual(['handle', 'r'])
    expect(outcome?.recalled).toContain(resultText(shown.parts[0] as ToolResultPart))
  })

  it('may come from the handle of an argument that was cut out of a call', () => {
    const content = `${filler}\nexport const sum_gross = 1`
    const writes = recorded(
      asks,
      ...exchange('w', 'Write', { file_path: 'a/b.ts', content }, 'ok'),
      calls('e', ['c', 'Grep', { pattern: 'sum_gross' }]),
    )
    expect(judged((messages) => messages, { session: writes })).toEqual([])
    expect(brief(judged(showing({ wc: `[recall ${handleOf(content)}]` }), { session: writes }))).toEqual([
      ['sum_gross', 'handle', 'wc', content],
    ])
  })
})

describe('N7 what people said', () => {
  const step = session.steps.length - 1
  const sent = sentAt(session, step)
  const rules = findNeeds(session).filter((need) => need.class === 'user-rule')
  const judge = createJudge({ session, canRecall: true })
  const states = (view: readonly Message[]) => judge(rules, sent, view).map(({ state }) => state)
  it('is in view where it is shown', () => expect(states(sent)).toEqual(['view']))
  it('is in view where a summary quotes it', () => expect(states([user('s', 'They said: Make it right. So.')])).toEqual(['view']))
  it('is lost where it is not', () => expect(states(sent.slice(1))).toEqual(['lost']))
})

describe('odd input', () => {
  it('without needs is nothing to judge', () => expect(createJudge({ session, canRecall: true })([], [], [])).toEqual([]))
  it('with needs of messages that are not there is lost', () =>
    expect(judged(() => []).map(({ state }) => state)).toEqual(['lost']))
})

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

/** Reasoning that repeats a string of a result. */
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

it('counts a need that reasoning repeats only once the reasoning is hidden, as a need of the result', () => {
  const given = recorded(asks, ...reads, thinks, user('u2', 'Go on.'), searches('e'))
  const hidden = showing({ r: '[cut]' })
  const withoutReasoning = (messages: readonly Message[]) =>
    messages.map((message) =>
      message === thinks ? { ...message, parts: [{ type: 'reasoning' as const, text: '' }, ...message.parts.slice(1)] } : message,
    )
  const states = (view: (messages: readonly Message[]) => readonly Message[]) =>
    judged(view, { session: given, canRecall: false }).map(({ state, supplier }) => [state, supplier?.message ?? null])
  expect(states((messages) => messages)).toEqual([])
  expect(states(hidden)).toEqual([])
  expect(states(withoutReasoning)).toEqual([['view', null]])
  expect(states((messages) => hidden(withoutReasoning(messages)))).toEqual([['lost', 'r']])
})

function brief(outcomes: readonly NeedOutcome[]): readonly unknown[] {
  return outcomes.map(({ need, state, supplier, recalled }) => [need.text, state, supplier?.message ?? null, recalled])
}

describe('a need', () => {
  const inView = [['total_net', 'view', null, '']]
  const lost = [['total_net', 'lost', 'r', text]]
  it.each<[string, Readonly<Record<string, string>>, readonly unknown[]]>([
    ['is in view if its supplier is shown unchanged', {}, inView],
    ['is in view if the shown text is the same', { r: text }, inView],
    ['is in view if a cut keeps it', { r: '[cut]\n  const total_net = net\n[cut]' }, inView],
    ['is lost if a cut drops it', { r: '[cut]' }, lost],
    ['is lost if it is only part of a longer word', { r: 'total_nets' }, lost],
    ['is lost if the handle is that of another text', { r: `[cut; recall ${handleOf('other')}]` }, lost],
    [
      'is recalled in full by its handle if no visible word finds its line',
      { r: `[cut; recall ${handleOf(text)}]` },
      [['total_net', 'handle', 'r', text]],
    ],
  ])('%s', (_, shown, expected) => expect(brief(judged(showing(shown)))).toEqual(expected))

  it('is lost if nothing can be recalled, even with a handle', () =>
    expect(brief(judged(showing({ r: `[cut; recall ${handleOf(text)}]` }), { canRecall: false }))).toEqual(lost))

  it('is in view if an older supplier is shown', () => {
    const twice = recorded(asks, ...reads, ...exchange('s', 'Bash', { command: 'again' }, text), searches('e'))
    expect(brief(judged(showing({ s: '[cut]' }), { session: twice }))).toEqual(inView)
    expect(brief(judged(showing({ s: '[cut]', r: '[cut]' }), { session: twice }))).toEqual([['total_net', 'lost', 's', text]])
  })

  it('is not in view if only an unrelated result shows it', () => {
    const other = recorded(asks, ...reads, ...exchange('s', 'Bash', { command: 'x' }, 'nothing'), searches('e'))
    expect(brief(judged(showing({ r: '[cut]', s: 'total_net' }), { session: other }))).toEqual(lost)
  })

  it('is in view if its result is shown in another place', () =>
    expect(
      brief(judged((messages) => [...messages.slice(0, -1), user('x', 'Hm.'), { ...(messages.at(-1) as Message), id: 'moved' }])),
    ).toEqual(inView))

  it('is omitted while a call that has it is shown', () => {
    const between = exchange('b', 'Bash', { command: 'ls' }, 'none')
    const again = recorded(asks, ...reads, searches('e'), result('t', 'call-e', 'none'), ...between, searches('f'))
    expect(judged(showing({ r: '[cut]' }), { session: again })).toEqual([])
    expect(brief(judged(showing({ r: '[cut]', e: 'total_net' }), { session: again }))).toEqual([])
    expect(brief(judged(showing({ e: '[cut]' }), { session: again }))).toEqual(inView)
    expect(brief(judged(showing({ r: '[cut]', e: '[cut]' }), { session: again }))).toEqual(lost)
  })

  it('keeps the id of its edit', () => {
    const edit = calls('e', ['call-e', 'Edit', { old_string: '  const total_net = net', new_string: 'x' }])
    const outcomes = judged(showing({ r: 'const total_net = net' }), { session: recorded(asks, ...reads, edit) })
    expect(outcomes.map(({ need, state }) => [need.class, need.edit, state])).toEqual([
      ['edit-anchor', 'call-e', 'lost'],
      ['symbol', null, 'view'],
    ])
  })
})

describe('createJudge, recalling,', () => {
  const thinks = (id: string, said: string): Message => ({
    ...searches(id),
    parts: [{ type: 'text', text: said }, ...searches(id).parts],
  })
  const story = `${filler}\n  const total_net = roundedSum(net)\n${filler}`
  const shows = exchange('r', 'Bash', { command: 'show' }, story)

  const later = recorded(asks, ...shows, thinks('e', 'Who calls roundedSum?'), result('t', 'call-e', 'none'), says('a', 'Fine.'))
  const sent = sentAt(later, 1)
  const needs = findNeeds(later).filter((need) => need.step === 1 && need.class === 'symbol')
  const judge = createJudge({ session: later, canRecall: true })

  it('returns only the lines with visible words if they have the need', () =>
    expect(brief(judge(needs, sent, showing({ r: `[cut; recall ${handleOf(story)}]` })(sent)))).toEqual([
      ['total_net', 'handle', 'r', '401:   const total_net = roundedSum(net)'],
    ]))

  it('returns the full text if the lines with visible words do not have the need, after trying them', () => {
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

  it('returns the search results if one of the first three has the need', () => {
    const [outcome] = judge(needs, sent, showing({ r: '[cut]' })(sent))
    expect(outcome?.state).toBe('query')
    expect(outcome?.recalled).toContain('  const total_net = roundedSum(net)')
    expect((outcome?.recalled ?? '').length).toBeLessThan(story.length)
  })

  it('uses one recalled text for all needs of a step in it', () => {
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

  it('finds a need in a fold that names its transcript', () => {
    const [call, shown] = reads as readonly [Message, Message]
    const into: Message = { ...user('s', `Read.\n[2 messages folded; recall ${transcriptHandle([call, shown])}]`), summary: true }
    const [outcome] = judged(([first]) => [first as Message, into])
    expect([outcome?.state, outcome?.supplier?.message]).toEqual(['handle', 'r'])
    expect(outcome?.recalled).toContain(resultText(shown.parts[0] as ToolResultPart))
  })

  it('finds a need by the handle of an argument that was cut from a call', () => {
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

describe('N7 user text', () => {
  const step = session.steps.length - 1
  const sent = sentAt(session, step)
  const rules = findNeeds(session).filter((need) => need.class === 'user-rule')
  const judge = createJudge({ session, canRecall: true })
  const states = (view: readonly Message[]) => judge(rules, sent, view).map(({ state }) => state)
  it('is in view if it is shown', () => expect(states(sent)).toEqual(['view']))
  it('is in view if a summary quotes it', () => expect(states([user('s', 'They said: Make it right. So.')])).toEqual(['view']))
  it('is lost if it is not shown', () => expect(states(sent.slice(1))).toEqual(['lost']))
})

describe('createJudge, with unusual input,', () => {
  it('returns nothing without needs', () => expect(createJudge({ session, canRecall: true })([], [], [])).toEqual([]))
  it('reports needs of missing messages as lost', () => expect(judged(() => []).map(({ state }) => state)).toEqual(['lost']))
})

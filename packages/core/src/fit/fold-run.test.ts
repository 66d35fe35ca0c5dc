import { describe, expect, it } from 'vitest'
import { factsOfSegment } from '../compaction/facts-of-segment.ts'
import { quoteInstructions } from '../compaction/quote-instructions.ts'
import type { Segment } from '../compaction/rounds.ts'
import { foldLine } from '../compaction/summary-template.ts'
import { writeSummary } from '../compaction/write-summary.ts'
import type { Facts } from '../facts.ts'
import { type Message, messageText } from '../message.ts'
import { transcriptHandle } from '../results/transcript.ts'
import { letters } from '../testing/letters.ts'
import { user } from '../testing/messages.ts'
import { countMessages } from '../tokens/count-tokens.ts'
import { createFitting, type Fitting } from './draft.ts'
import { foldRun } from './ladder.ts'

const answer = (id: string, length: number): Message => ({
  id,
  role: 'assistant',
  parts: [{ type: 'text', text: 'y '.repeat(length / 2) }],
})
const segmentOf = (messages: readonly Message[]): Segment => ({
  messages,
  kept: [],
  summaries: [],
  rounds: { folded: 1, kept: 0 },
})
const tiny = Array.from({ length: 8 }, (_, index) => answer(`t${index}`, 2))
const log = [user('u', `Do it. ${'x '.repeat(500)}`), answer('a', 6000), ...tiny, answer('b', 6000)]
const handle = transcriptHandle(log)
const line = foldLine(11, handle)

/** Facts whose window allows a summary of this many letters. */
function facts(max: number, extra: Facts = {}): Facts {
  // The target is four fifths of the window, and a summary takes an eighth of it.
  return { tokens: letters, config: { context_window: 10 * max + 1, output_reserve: 0 }, ...extra }
}

function folded(view: readonly Message[], run: readonly Message[], given: Facts, summaries: Fitting['summaries'] = 'full') {
  const fitting = createFitting(view, given, summaries)
  const isDone = foldRun(fitting, segmentOf(run), 'because')
  return { isDone, edits: fitting.draft.edits(), text: messageText(fitting.draft.messages()[0] as Message) }
}

describe('Q-24 messages folded into the available room', () => {
  const wide = facts(100_000)
  const template = writeSummary(segmentOf(log), wide)
  const { instructions } = factsOfSegment(segmentOf(log), wide)
  const said = (budget: number) => `${quoteInstructions(instructions, { budget, tokens: letters, handle })}\n${line}`
  const named = said(0)
  const quoted = said(100_000)

  it('checks the text lengths of this suite', () => {
    expect([template, quoted, named, line].map(({ length }) => length)).toEqual([2323, 1057, 183, 41])
  })

  it.each<[name: string, max: number, expected: string]>([
    ['uses the full template', template.length, template],
    ['quotes only the user if the template is one letter too long', template.length - 1, quoted],
    ['names only the handles of user messages if the quotes are too long', Math.ceil(named.length / 1.5), named],
    ['uses the recall line alone if nothing else fits', Math.ceil(named.length / 1.5) - 1, line],
  ])('%s', (_name, max, expected) => expect(folded(log, log, facts(max)).text).toBe(expected))

  it('uses half of the shown tokens if that is less', () => {
    const shown = (tokens: number) => {
      const others = [log[0] as Message, answer('a', 600)]
      const last = tokens - countMessages(others, letters) - 4
      return [...others, { id: 'b', role: 'assistant', parts: [{ type: 'text', text: 'z'.repeat(last) }] } satisfies Message]
    }
    const texts = [2 * template.length, 2 * template.length - 1].map((tokens) => {
      const view = shown(tokens)
      return folded(view, view, { ...wide, originals: log }).text
    })
    expect(texts).toEqual([template, quoted])
  })

  it('uses a fifth of that without the template if summaries are tiny', () => {
    const max = quoted.length * 5
    expect(folded(log, log, facts(max), 'short').text).toBe(quoted)
    expect(folded(log, log, facts(100_000), 'short').text).toBe(quoted)
    expect(folded(log, log, facts(Math.ceil(named.length / 1.5) * 5 - 5), 'short').text).toBe(line)
  })

  it('uses the recall line alone if there is no user message', () => {
    const steps = log.slice(1)
    expect(folded(steps, steps, facts(1000), 'short').text).toBe(foldLine(10, transcriptHandle(steps)))
  })
})

describe('Q-24 a fold', () => {
  it('refers to log messages, and includes adjacent messages that exist only in the view', () => {
    const view = [answer('before', 300), ...log, answer('after', 300), user('v', 'now')]
    const { isDone, edits } = folded(view, view.slice(0, 13), facts(20, { originals: log }))
    expect(isDone).toBe(true)
    const base = { policy: 'fit-window', kind: 'fold', why: 'because' }
    expect(edits).toEqual([
      {
        ...base,
        id: expect.stringMatching(/^fit-window:[0-9a-f]{12}$/),
        first: 'u',
        last: 'b',
        into: expect.objectContaining({ summary: true }),
      },
      { ...base, id: 'fit-window:before', first: 'before', last: 'before', into: null },
      { ...base, id: 'fit-window:after', first: 'after', last: 'after', into: null },
    ])
  })

  it.each<[name: string, run: readonly Message[]]>([
    ['of messages that are not in the log', [answer('x', 3000)]],
    ['of no messages', []],
    ['that would be longer than its messages', [user('u', 'fix the cart tests')]],
  ])('%s is rejected', (_name, run) => {
    expect(folded([...run, user('v', 'now')], run, facts(1000, { originals: [user('u', 'fix the cart tests')] }))).toMatchObject({
      isDone: false,
      edits: [],
    })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TimingName } from './config.ts'
import { createTrimmer } from './conversation.ts'
import { type Message, type Part, resultText, type ToolCallPart } from './message.ts'
import { economyPolicies } from './policies/economy-policies.ts'
import { specPolicies } from './policies/spec-policies.ts'
import { repeatingSessions, requestLengths } from './testing/repeating-sessions.ts'
import { type ResultForm, resultForms, shellCallId } from './testing/result-forms.ts'
import { workingSessions } from './testing/working-sessions.ts'
import { codecs } from './wire/codecs.ts'
import { type DialectName, writeRequest } from './wire/write-request.ts'

const dialects = Object.keys(resultForms) as readonly DialectName[]
const timingOf: Readonly<Record<'spec' | 'economy', TimingName>> = { spec: 'immediate', economy: 'economic' }
const sets = { spec: specPolicies, economy: economyPolicies }

/** Few enough reads are kept for some to be trimmed. */
const facts = {
  config: { repeated_reads: { keep_latest: 2 } },
  cache: { read: 0.1, write: 1.25, lifetimeSeconds: 300 },
} as const

/** The policies of each set that show another text in place of a result's. */
const textPolicies: Readonly<Record<keyof typeof sets, readonly string[]>> = {
  spec: ['shorten-losslessly', 'trim-outdated-commands', 'trim-repeated-reads', 'compress-old-results', 'limit-tool-output'],
  economy: ['shorten-losslessly', 'thin-line-numbers', 'cut-long-output', 'skip-shown-lines', 'stub-old-results'],
}

// The economy set in every dialect; the other one in those with the most forms.
const cases = dialects.flatMap((dialect) =>
  (['spec', 'economy'] as const)
    .filter((set) => set === 'economy' || dialect === 'anthropic' || dialect === 'gemini')
    .map((set) => [dialect, set] as const),
)

describe('a tool result means the same in every form its vendor allows', () => {
  it.each(cases)('%s, the policies of %s', (dialect, set) => {
    const fired = new Set<string>()
    fc.assert(
      // Some policies have work in the one kind of session, some in the other.
      fc.property(repeatingSessions, workingSessions, (...sessions) => {
        const [plain, ...others] = resultForms[dialect]
        for (const session of sessions.map(withoutImages)) {
          // Each set with the timing it is made for.
          const timing = timingOf[set]
          const shownIn = (form: ResultForm) => shownTexts(dialect, form, session, set, timing, fired)
          const expected = shownIn(plain)
          for (const form of others) expect(firstDifference(expected, shownIn(form)), form.name).toBeNull()
        }
      }),
      // To make such a session smaller takes longer than to read what differs.
      { numRuns: set === 'spec' ? 2 : 1, endOnFailure: true },
    )
    const wanted = resultForms[dialect].flatMap(({ name }) => textPolicies[set].map((policy) => `${policy} on ${name}`))
    expect(wanted.filter((each) => !fired.has(each))).toEqual([])
  })
})

/** A session whose results are texts, and whose commands are run by a tool that every vendor has a form for. */
function withoutImages(session: readonly Message[]): readonly Message[] {
  const commands = new Set(session.flatMap(({ parts }) => parts.flatMap((part) => (isCommand(part) ? [part.callId] : []))))
  const idOf = (callId: string) => `${commands.has(callId) ? shellCallId : 'call_'}${callId.replaceAll(/\D/g, '')}`
  return session.map((message, index) => ({
    at: 1_000_000 + index * 45_000,
    ...message,
    parts: message.parts.map((part) => plainPart(part, idOf)),
  }))
}

function isCommand(part: Part): part is ToolCallPart {
  return part.type === 'tool-call' && part.tool === 'Bash'
}

function plainPart(part: Part, idOf: (callId: string) => string): Part {
  if (part.type === 'tool-call') return { ...part, callId: idOf(part.callId), tool: part.tool === 'Bash' ? 'shell' : part.tool }
  if (part.type !== 'tool-result') return part
  return { ...part, callId: idOf(part.callId ?? ''), content: { type: 'text', text: resultText(part) } }
}

/** The texts of the results of each request; null for a result that is not in its form. */
type Shown = readonly (readonly (string | null)[])[]

/** The texts of the results in each request of a session, as they are sent. Notes which policy showed another text in which form. */
function shownTexts(
  dialect: DialectName,
  form: ResultForm,
  session: readonly Message[],
  set: keyof typeof sets,
  timing: TimingName,
  fired: Set<string>,
): Shown {
  const trimmer = createTrimmer({ codec: codecs[dialect], policies: sets[set], timing })
  // A conversation that goes on by a few messages at a time has the same edits as one that sends every request.
  const lengths = requestLengths(session)
  const sent = lengths.filter((_, index) => index % 3 === 0 || index === lengths.length - 1)
  return sent.map((length) => {
    const given = form.write(writeRequest(dialect, session.slice(0, length), { model: 'some-model', isShared: true }))
    expect(form.read(given)).not.toContain(null)
    const now = session[length - 1]?.at ?? 0
    const { request, report } = trimmer.next(given, { now, ...facts })
    trimmer.accepted()
    for (const { policy } of report.edits) fired.add(`${policy} on ${form.name}`)
    return form.read(request)
  })
}

/** The first result that is shown differently; whole lists would be too long to read. */
function firstDifference(expected: Shown, shown: Shown): unknown {
  if (shown.length !== expected.length) return `${shown.length} requests, expected ${expected.length}`
  for (const [request, texts] of expected.entries()) {
    const others = shown[request] ?? []
    if (others.length !== texts.length) return { request, results: others.length, expected: texts.length }
    const result = texts.findIndex((text, index) => text !== others[index])
    if (result >= 0) return { request, result, shown: others[result], expected: texts[result] }
  }
  return null
}

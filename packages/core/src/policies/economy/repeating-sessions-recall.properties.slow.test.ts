import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TimingName } from '../../config.ts'
import { createConversation } from '../../conversation.ts'
import type { Edit, ReplaceEdit } from '../../edit.ts'
import type { Facts } from '../../facts.ts'
import { callInput, type Message, type Part, resultText } from '../../message.ts'
import { recall } from '../../recall/recall.ts'
import { deepFreeze } from '../../testing/messages.ts'
import { sourceOf } from '../../testing/recall-source.ts'
import { repeatingSessions, requestLengths } from '../../testing/repeating-sessions.ts'
import { handleOf } from '../../text/hash.ts'
import { createEconomyPolicies } from '../economy-policies.ts'

const runs = { numRuns: 14 }
const timings = fc.constantFrom<TimingName>('immediate', 'economic')
// Arguments give way after a few requests, so that short sessions reach that.
const policies = createEconomyPolicies({ argumentsAfter: 12, inUseFor: 5 })

/** The view of each request of a session, with its active edits by part, and the messages sent before it. */
function* requests(session: readonly Message[], timing: TimingName) {
  const conversation = createConversation({ policies, timing })
  for (const length of requestLengths(session)) {
    const originals = session.slice(0, length)
    const sent = originals.findIndex(({ id }) => id === conversation.state().sent)
    const facts: Facts = { now: originals.at(-1)?.at ?? 0, root: '/project' }
    const { messages: view, edits } = conversation.next(originals, facts)
    yield {
      originals,
      view,
      sent,
      chains: [...Map.groupBy(edits.filter(isReplace), ({ message, part }) => `${message}.${part}`).values()],
    }
    conversation.accepted()
  }
}

function isReplace(edit: Edit): edit is ReplaceEdit {
  return edit.kind === 'replace'
}

function partOf(messages: readonly Message[], { message, part }: ReplaceEdit): Part {
  return messages.find(({ id }) => id === message)?.parts[part] as Part
}

const textOf = (part: Part): string => (part.type === 'tool-result' ? resultText(part) : '')
const withoutNumber = (line: string) => line.replace(/^ *(?:\d+[→\t]|→)/, '')

/** The lines of a file with the numbers that thin ones leave to be counted. */
function counted(text: string): readonly string[] {
  let last = 0
  return text.split('\n').map((line) => {
    const found = /^ *(\d+)?[→\t](.*)$/.exec(line)
    if (found === null) return line
    last = found[1] === undefined ? last + 1 : Number(found[1])
    return `${last}→${found[2]}`
  })
}

interface Marker {
  readonly count: number
  readonly isOften: boolean
  readonly lines: readonly [number, number] | null
  readonly handle: string
  /** The lines that it replaces. */
  readonly skipped: readonly string[]
}

/** The markers of a text that leaves lines out of another, with the lines that each leaves out. */
function markersIn(shown: string, whole: string): readonly Marker[] {
  const markers: Marker[] = []
  const lines = whole.split('\n')
  let at = 0
  for (const line of shown.split('\n')) {
    const found = /^\[(\d+) lines as shown above( over and over)?: .+?(?:, lines (\d+)-(\d+))?; recall ([0-9a-f]{12})\]$/.exec(
      line,
    )
    if (found === null) {
      expect(line).toBe(lines[at])
      at += 1
      continue
    }
    const count = Number(found[1])
    const range = found[3] === undefined ? null : ([Number(found[3]), Number(found[4])] as const)
    const skipped = lines.slice(at, at + count).map(withoutNumber)
    markers.push({ count, isOften: found[2] !== undefined, lines: range, handle: found[5] as string, skipped })
    at += count
  }
  expect(at).toBe(lines.length)
  return markers
}

/** The texts of a view that can have a handle: results, and arguments of calls. */
function shownBy(handle: string, originals: readonly Message[], view: readonly Message[]): readonly string[] {
  return originals.flatMap((message, index) =>
    message.parts.flatMap((part, at) => {
      const shown = view[index]?.parts[at] as Part
      if (part.type === 'tool-result') return handleOf(resultText(part)) === handle ? [textOf(shown)] : []
      if (part.type !== 'tool-call' || shown.type !== 'tool-call') return []
      const now = callInput(shown)
      return Object.entries(callInput(part) ?? {}).flatMap(([name, value]) =>
        typeof value === 'string' && handleOf(value) === handle ? [String(now?.[name])] : [],
      )
    }),
  )
}

function isWithin(lines: readonly string[], text: string): boolean {
  const all = text.split('\n').map(withoutNumber)
  return all.some((_, from) => lines.every((line, index) => all[from + index] === line))
}

describe('what sessions that come back to what they have seen leave out', () => {
  it('is shown where the marker says, when it is first sent', () => {
    const reached = { runs: 0, numbered: 0, fromCalls: 0 }
    fc.assert(
      fc.property(repeatingSessions, timings, (session, timing) => {
        for (const { originals, view, sent, chains } of requests(session, timing)) {
          for (const chain of chains) {
            const last = chain.at(-1) as ReplaceEdit
            const index = originals.findIndex(({ id }) => id === last.message)
            if (last.policy !== 'skip-shown-lines' || index <= sent) continue
            const whole = textOf(chain.at(-2)?.with ?? partOf(originals, last))
            for (const marker of markersIn(textOf(last.with), whole)) {
              const places = shownBy(marker.handle, originals.slice(0, index + 1), view)
              const meant = marker.isOften ? [...new Set(marker.skipped)] : marker.skipped
              const isThere = (text: string) =>
                marker.isOften ? meant.every((line) => isWithin([line], text)) : isWithin(meant, text)
              expect(places.filter(isThere).length, JSON.stringify({ marker, places })).toBeGreaterThan(0)
              reached.runs += 1
              if (marker.lines === null) continue
              const { text } = recall({ handle: marker.handle, lines: marker.lines }, sourceOf(originals))
              // The end of the last line is none.
              const meantLines = marker.isOften ? marker.skipped.slice(0, marker.lines[1] - marker.lines[0] + 1) : marker.skipped
              expect(text.split('\n').map(withoutNumber).join('\n').trimEnd()).toBe(meantLines.join('\n').trimEnd())
              reached.numbered += 1
              if (!originals.some(({ parts }) => parts.some((part) => handleOf(textOf(part)) === marker.handle)))
                reached.fromCalls += 1
            }
          }
        }
      }),
      runs,
    )
    expect(Object.entries(reached).filter(([, count]) => count < 50)).toEqual([])
  })

  it('can be had back bit for bit', () => {
    const reached = new Map<string, number>()
    fc.assert(
      fc.property(repeatingSessions, timings, (given, timing) => {
        const session = deepFreeze(given)
        const source = sourceOf(session)
        const last = [...requests(session, timing)].at(-1)
        for (const chain of last?.chains ?? []) {
          const edit = chain.at(-1) as ReplaceEdit
          const original = partOf(session, edit)
          reached.set(edit.policy, (reached.get(edit.policy) ?? 0) + 1)
          const handles = [...JSON.stringify(edit.with).matchAll(/recall ([0-9a-f]{12})\]/g)].map(
            ([, handle]) => handle as string,
          )
          const texts = handles.map((handle) => recall({ handle }, source).text)
          expect(texts.map(handleOf)).toEqual(handles)
          switch (edit.policy) {
            case 'cut-long-output':
            case 'stub-old-results':
              expect(texts).toContain(textOf(original))
              break
            case 'shorten-written-arguments': {
              const [was, is] = [original, edit.with].map((part) => (part.type === 'tool-call' ? callInput(part) : null))
              const changed = Object.keys(was ?? {}).filter((name) => was?.[name] !== is?.[name])
              expect(texts).toEqual(changed.map((name) => was?.[name]))
              break
            }
            case 'thin-line-numbers':
              expect(counted(textOf(edit.with))).toEqual(counted(textOf(original)))
              expect(recall({ id: edit.message }, source).text).toBe(textOf(original))
              break
            case 'shorten-losslessly':
            case 'skip-shown-lines':
              expect(recall({ id: edit.message }, source).text).toBe(textOf(original))
              break
            default:
              expect([edit.policy, original.type]).toEqual(['drop-old-reasoning', 'reasoning'])
              expect(recall({ id: edit.message }, source).text).toContain(original.type === 'reasoning' ? original.text : null)
          }
        }
      }),
      runs,
    )
    const names = policies.map(({ name }) => name).slice(2, -1)
    expect(names.filter((name) => (reached.get(name) ?? 0) < 10)).toEqual([])
  })
})

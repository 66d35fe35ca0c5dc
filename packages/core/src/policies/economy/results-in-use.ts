import { perItem, perList } from '../../derive.ts'
import { inputText, type Message, resultText, type ToolCallPart } from '../../message.ts'
import type { EconomyRules } from './economy-rules.ts'
import { withoutReminders } from './stub-text.ts'

export type ResultsInUse = (originals: readonly Message[]) => ReadonlySet<string>

/** Finds results that share several rare identifiers with the arguments of the latest requests: still in use at any age. Reads every result once. */
export function createResultsInUse({ sharedIdentifiers, sharedRequests, rareIn }: EconomyRules): ResultsInUse {
  if (!Number.isFinite(sharedIdentifiers) || sharedRequests < 1) return () => new Set()
  const placesOf = perList({
    start: (): Places => new Map(),
    add: (places, message: Message) => addMessage(places, message, rareIn),
    finish: (places) => places,
  })()
  return (originals) => {
    const names = new Set<string>()
    for (const call of latestCalls(originals, sharedRequests)) for (const name of namesOf(call)) names.add(name)
    const places = placesOf(originals)
    const counts = new Map<string, number>()
    for (const name of names) for (const place of places.get(name) ?? []) counts.set(place, (counts.get(place) ?? 0) + 1)
    const inUse = new Set<string>()
    for (const [place, count] of counts) if (count >= sharedIdentifiers) inUse.add(place)
    return inUse
  }
}

/** The file names in the text of the last user message: these files are what comes next. Without what a host adds to it. */
export function filesNamedByUser(messages: readonly Message[]): ReadonlySet<string> {
  const last = messages.findLast(({ role }) => role === 'user')
  return last === undefined ? new Set() : fileNamesIn(last)
}

const fileNamesIn = perItem(({ parts }: Message): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const part of parts)
    if (part.type === 'text')
      for (const word of withoutReminders(part.text.slice(0, maxReadLength)).split(/[^\p{L}\p{N}_.-]+/u)) {
        const name = word.replace(/\.$/, '')
        if (name.indexOf('.', 1) > 0) names.add(name.toLowerCase())
      }
  return names
})()

type Places = Map<string, string[] | null>

function addMessage(places: Places, { id, role, parts }: Message, rareIn: number): void {
  if (role !== 'tool') return
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'tool-result') continue
    for (const name of identifiersIn(resultText(part), maxPerResult)) addPlace(places, name, `${id}.${index}`, rareIn)
  }
}

function addPlace(places: Places, name: string, place: string, rareIn: number): void {
  const known = places.get(name)
  if (known === null) return
  if (known === undefined) {
    if (places.size < maxNames) places.set(name, [place])
  } else if (known.length >= rareIn) places.set(name, null)
  else known.push(place)
}

const maxPerResult = 3000
const maxNames = 300_000
const maxPerCall = 1000

function* latestCalls(messages: readonly Message[], requests: number): Generator<ToolCallPart> {
  let runs = 0
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const { role, parts } = messages[index] as Message
    if (role !== 'assistant') continue
    if (messages[index + 1]?.role !== 'assistant') runs += 1
    if (runs > requests) return
    yield* parts.filter((part) => part.type === 'tool-call')
  }
}

const namesOf = perItem((call: ToolCallPart) => identifiersIn(inputText(call), maxPerCall))()

/** The distinct identifiers of a text that are long enough to mean something, at most `most`. */
export function identifiersIn(text: string, max: number): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [name] of text.slice(0, maxReadLength).matchAll(identifier)) {
    found.add(name)
    if (found.size >= max) break
  }
  return found
}

const identifier = /[A-Za-z_][A-Za-z0-9_]{5,63}/g
const maxReadLength = 200_000

/** How many requests were answered since the message at an index was first sent. */
export type AgeOf = (index: number) => number

export function requestAges(messages: readonly Message[]): AgeOf {
  const { answered, total } = runsIn(messages)
  return (index) => total - (answered[index] ?? total)
}

const runsIn = perList({
  start: () => ({ answered: [] as number[], total: 0, inRun: false }),
  add(runs, { role }: Message) {
    const isAnswer = role === 'assistant'
    if (isAnswer && !runs.inRun) runs.total += 1
    runs.inRun = isAnswer
    runs.answered.push(runs.total)
  },
  change: (_runs, _index, was, is) => was.role === is.role,
  // The list only grows at its end, which earlier callers do not read.
  finish: ({ answered, total }) => ({ answered, total }),
})()

import { rememberGrowth } from '../../derive.ts'
import { inputText, type Message, type Part, resultText, type ToolCallPart } from '../../message.ts'
import type { EconomyRules } from './economy-rules.ts'
import { identifiersIn } from './identifiers.ts'

/** Finds the results that an agent is working with, as places `message.part`. */
export type ResultsInUse = (originals: readonly Message[]) => ReadonlySet<string>

/**
 * Finds the results that have several rare identifiers in common with the arguments of the latest requests: what is being worked
 * with, however old it is. Reads every result once.
 */
export function createResultsInUse({ sharedIdentifiers, sharedRequests, rareIn }: EconomyRules): ResultsInUse {
  if (!Number.isFinite(sharedIdentifiers) || sharedRequests < 1) return () => new Set()
  const placesOf = rememberGrowth({
    start: (): Places => new Map(),
    extend(places, messages, from) {
      for (let index = from; index < messages.length; index += 1) addMessage(places, messages[index] as Message, rareIn)
    },
    // Whoever gets it looks only up what it holds by then.
    finish: (places) => places,
  })
  return (originals) => {
    const names = new Set<string>()
    for (const call of latestCalls(originals, sharedRequests)) for (const name of namesOf(call)) names.add(name)
    const places = placesOf(originals)
    const counts = new Map<string, number>()
    for (const name of names) for (const place of places.get(name) ?? []) counts.set(place, (counts.get(place) ?? 0) + 1)
    return new Set([...counts].flatMap(([place, count]) => (count >= sharedIdentifiers ? [place] : [])))
  }
}

/** Where an identifier stands; null for one that is not rare. */
type Places = Map<string, string[] | null>

function addMessage(places: Places, { id, role, parts }: Message, rareIn: number): void {
  if (role !== 'tool') return
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'tool-result') continue
    for (const name of identifiersIn(resultText(part), mostPerResult)) addPlace(places, name, `${id}.${index}`, rareIn)
  }
}

function addPlace(places: Places, name: string, place: string, rareIn: number): void {
  const known = places.get(name)
  if (known === null) return
  if (known === undefined) {
    if (places.size < mostNames) places.set(name, [place])
  } else if (known.length >= rareIn) places.set(name, null)
  else known.push(place)
}

const mostPerResult = 3000
const mostNames = 300_000
const mostPerCall = 1000

function* latestCalls(messages: readonly Message[], requests: number): Generator<ToolCallPart> {
  let runs = 0
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const { role, parts } = messages[index] as Message
    if (role !== 'assistant') continue
    if (messages[index + 1]?.role !== 'assistant') runs += 1
    if (runs > requests) return
    yield* parts.filter(isCall)
  }
}

function isCall(part: Part): part is ToolCallPart {
  return part.type === 'tool-call'
}

const names = new WeakMap<ToolCallPart, ReadonlySet<string>>()

function namesOf(call: ToolCallPart): ReadonlySet<string> {
  let known = names.get(call)
  if (known === undefined) {
    known = identifiersIn(inputText(call), mostPerCall)
    names.set(call, known)
  }
  return known
}

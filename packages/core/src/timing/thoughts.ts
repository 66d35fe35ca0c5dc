import { opensRound } from '../compaction/rounds.ts'
import { perEach } from '../derive.ts'
import { type Edit, isReplacement, isSamePart, partKey, placesOf, type ReplaceEdit, replaceEdit } from '../edit.ts'
import type { Message, Part } from '../message.ts'

/** Whether a part is reasoning, as text or encrypted by its provider. */
export function isThought(part: Part): boolean {
  return part.type === 'reasoning' || (part.type === 'media' && part.mediaType === 'vendor/redacted_thinking')
}

/** The policy that omits thoughts, also those that a change before them made invalid. */
export const dropReasoningName = 'drop-old-reasoning'

/** Reasoning without text is omitted from a request. */
export const noThought: Part = { type: 'reasoning', text: '' }

export function isOmitted(part: Part): boolean {
  return part.type === 'reasoning' && part.text === ''
}

/**
 * Where the running turn starts: at a user message after an answer without calls. Providers require the thoughts of the running turn, and a turn goes
 * on while its calls are answered, whatever the user says next to the results.
 */
export function runningFrom(messages: readonly Message[]): number {
  let from = messages.length
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index] as Message
    if (opensRound(message)) from = index
    else if (message.role === 'tool') from = messages.length
    else if (message.role === 'assistant') {
      if (from < messages.length && !message.parts.some(({ type }) => type === 'tool-call')) return from
      from = messages.length
    }
  }
  return from === messages.length ? 0 : from
}

const thoughtsIn = perEach(({ role, parts }: Message): readonly number[] | null => {
  if (role !== 'assistant') return null
  const found = parts.flatMap((part, index) => (isThought(part) ? [index] : []))
  return found.length === 0 ? null : found
})

/**
 * The index up to which signed thoughts forbid any change, or -1. In the running turn that is the last thought: none of them may be omitted. Else
 * everything may change whose later thoughts can be omitted, which is not so for a pinned answer and for one of thoughts alone.
 */
export function lockedTo(
  messages: readonly Message[],
  inForce: readonly Edit[],
  pins: readonly string[] = [],
  mayLeaveTurn = false,
): number {
  const all = thoughtsIn()(messages)
  const gone = droppedThoughts(inForce)
  const pinned = new Set(pins)
  const isRunning = (index: number) => !mayLeaveTurn && index >= running
  const running = mayLeaveTurn ? messages.length : runningFrom(messages)
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const thoughts = all[index] ?? null
    if (thoughts === null) continue
    const { id, parts } = messages[index] as Message
    if (thoughts.every((part) => gone.has(`${id}.${part}`))) continue
    if (isRunning(index) || pinned.has(id) || thoughts.length === parts.length) return index
  }
  return -1
}

/**
 * Omits every thought after the first change since the last request: its signature covers what stood before it. So do all later ones, because each
 * names the one before it. Thoughts before the change, and those that follow from now on, stay valid.
 */
export function withoutStaleThoughts(
  messages: readonly Message[],
  edits: readonly Edit[],
  inForce: readonly Edit[],
  /** The first message of which it is known that it differs. */
  changed: number,
  why: string,
): readonly Edit[] {
  const first = Math.min(changed, firstChange(messages, edits, inForce))
  if (first >= messages.length) return edits
  const all = thoughtsIn()(messages)
  const gone = droppedThoughts(edits)
  const folded = foldedIn(messages, edits)
  const drops: ReplaceEdit[] = []
  for (let index = first; index < messages.length; index += 1) {
    const { id, parts } = messages[index] as Message
    const thoughts = all[index] ?? []
    if (thoughts === null || thoughts.length === parts.length || folded.has(id)) continue
    for (const part of thoughts)
      if (!gone.has(`${id}.${part}`)) drops.push(replaceEdit(dropReasoningName, id, part, noThought, why))
  }
  return drops.length === 0 ? edits : [...edits, ...drops]
}

function droppedThoughts(edits: readonly Edit[]): ReadonlySet<string> {
  const gone = new Set<string>()
  for (const edit of edits) {
    if (edit.kind === 'replace' && isOmitted(edit.with)) gone.add(partKey(edit))
  }
  return gone
}

/** The index of the first message that is shown differently than in the last request; the number of messages if none is. */
function firstChange(messages: readonly Message[], edits: readonly Edit[], inForce: readonly Edit[]): number {
  const places = placesOf(messages)
  let first = messages.length
  const note = (id: string | null) => {
    const place = id === null ? 0 : places.get(id)
    if (place !== undefined && place < first) first = place
  }
  const [was, is] = [shownBy(inForce), shownBy(edits)]
  for (const [key, edit] of is) {
    const before = was.get(key)
    if (before === undefined || (before !== edit && !isSamePart(before, edit))) note(edit.message)
  }
  for (const [key, edit] of was) if (!is.has(key)) note(edit.message)
  const structural = (some: readonly Edit[]) => new Map(some.flatMap((edit) => (isReplacement(edit) ? [] : [[edit.id, edit]])))
  const [put, puts] = [structural(inForce), structural(edits)]
  for (const [some, others] of [
    [put, puts],
    [puts, put],
  ] as const)
    for (const [id, edit] of some)
      if (!others.has(id)) note(edit.kind === 'insert' ? edit.after : (edit as { first: string }).first)
  return first
}

function shownBy(edits: readonly Edit[]): ReadonlyMap<string, ReplaceEdit> {
  const shown = new Map<string, ReplaceEdit>()
  for (const edit of edits) if (edit.kind === 'replace') shown.set(partKey(edit), edit)
  return shown
}

function foldedIn(messages: readonly Message[], edits: readonly Edit[]): ReadonlySet<string> {
  const folded = new Set<string>()
  const places = placesOf(messages)
  for (const edit of edits) {
    if (edit.kind !== 'fold') continue
    const [from, to] = [places.get(edit.first), places.get(edit.last)]
    for (let index = from ?? messages.length; index <= (to ?? -1); index += 1) folded.add((messages[index] as Message).id)
  }
  return folded
}

import { checkView, handleOf, type Message, type Part, recall, resultText } from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { messageText } from '@plimsoll/core/text'
import { getOrMake } from '../shared/get-or-make.ts'
import type { Retention } from './session-run.ts'

/** Rules for every view. If one is broken, the savings of the policy set do not count. */
export type GateName =
  /** Calls and results are paired and in order, unless they were not in the log. */
  | 'pairs'
  | 'user-text'
  | 'same-bytes'
  /** Earlier messages are unchanged, except after an edit that declares a rewrite. */
  | 'prefix'
  /** Cut text can be recalled bit for bit, and every handle works. */
  | 'recall'
  /** No lone surrogates and no control characters that the log does not have. */
  | 'characters'
  | 'user-rules'

export interface GateInput {
  readonly originals: readonly Message[]
  readonly view: readonly Message[]
  /** The view of the request before it, in the same segment. Default: there was none. */
  readonly before?: readonly Message[] | null
  /** The active edits as reported. Default: none. */
  readonly edits?: readonly ReportedEdit[]
  /** Whether cut text is promised to be recallable. Default: it is not, and that gate is skipped. */
  readonly canRecall?: boolean
}

/** The gates that a view does not pass. Content checked in an earlier view is not checked again. */
export function checkGates(input: GateInput): readonly GateName[] {
  const { originals, view, before = null, edits = [] } = input
  const broken = new Set<GateName>()
  if (view !== originals) {
    if (hasNewProblem(originals, view)) broken.add('pairs')
    for (const gate of checkMessages(input)) broken.add(gate)
  }
  if (before !== null && !isPrefixKept(before, view, originals, edits)) broken.add('prefix')
  return [...broken]
}

/** The gate that is known only once all needs have been counted. */
export function checkUserRules({ classes }: Retention): readonly GateName[] {
  const rules = Object.hasOwn(classes, 'user-rule') ? classes['user-rule'] : undefined
  return rules === undefined || rules.inView === rules.needs ? [] : ['user-rules']
}

function hasNewProblem(originals: readonly Message[], view: readonly Message[]): boolean {
  const problems = checkView(view)
  if (problems.length === 0) return false
  const known = new Set(checkView(originals).map(({ rule, message }) => `${rule} ${message}`))
  return problems.some(({ rule, message }) => !known.has(`${rule} ${message}`))
}

function checkMessages({ originals, view, canRecall = false }: GateInput): readonly GateName[] {
  const broken: GateName[] = []
  const { pairs, left, made } = matchMessages(originals, view)
  for (const [original, shown] of pairs) {
    const found = verdictOf(original, shown)
    if (found.isTextChanged) broken.push('user-text')
    if (found.isDirty) broken.push('characters')
    if (canRecall && !isRecallable(original, shown, originals)) broken.push('recall')
  }
  if (made.some((message) => isDirtyMade(message, originals))) broken.push('characters')
  const omitted = left.filter(({ role }) => role === 'user')
  if (omitted.length > 0) {
    const texts = made.map(messageText)
    if (!omitted.every((message) => texts.some((text) => text.includes(messageText(message))))) broken.push('user-rules')
  }
  return broken
}

/** Messages that are changed, those of the log that are not shown (`left`), and those that are not in the log (`made`). */
function matchMessages(originals: readonly Message[], view: readonly Message[]) {
  const isAligned = originals.length === view.length && originals.every(({ id }, index) => view[index]?.id === id)
  const byId = isAligned ? null : new Map(view.map((message) => [message.id, message]))
  const pairs: (readonly [original: Message, shown: Message])[] = []
  const left: Message[] = []
  for (const [index, original] of originals.entries()) {
    const shown = byId === null ? view[index] : byId.get(original.id)
    if (shown === undefined) left.push(original)
    else if (shown !== original) pairs.push([original, shown])
  }
  const ids = new Set(byId === null ? [] : originals.map(({ id }) => id))
  return { pairs, left, made: byId === null ? [] : view.filter(({ id }) => !ids.has(id)) }
}

interface Verdict {
  readonly original: Message
  readonly isTextChanged: boolean
  readonly isDirty: boolean
}

// A changed message is mostly the same object at every request.
const verdicts = new WeakMap<Message, Verdict>()

function verdictOf(original: Message, shown: Message): Verdict {
  const known = verdicts.get(shown)
  if (known?.original === original) return known
  const verdict: Verdict = {
    original,
    isTextChanged: ['user', 'system'].includes(original.role) && !isSame(textParts(original), textParts(shown)),
    isDirty: shown.parts.some((part, index) => {
      const was = original.parts[index]
      return part !== was && !isClean(partText(part), was === undefined ? '' : partText(was))
    }),
  }
  verdicts.set(shown, verdict)
  return verdict
}

function textParts({ parts }: Message): readonly string[] {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-result':
      return resultText(part)
    case 'tool-call':
      return typeof part.input === 'string' ? part.input : bytesOf(part.input)
    case 'media':
      return ''
  }
}

function isDirtyMade(message: Message, originals: readonly Message[]): boolean {
  const texts = message.parts.map(partText)
  if (texts.every((text) => isClean(text, ''))) return false
  // A summary may quote the log.
  const source = originals.flatMap(({ parts }) => parts.map(partText)).join('')
  return !texts.every((text) => isClean(text, source))
}

// Control characters, except for tabs and line ends.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

function isClean(text: string, source: string): boolean {
  if (!text.isWellFormed() && source.isWellFormed()) return false
  const found = new Set(text.match(controls))
  return [...found].every((character) => source.includes(character))
}

// Whether a result can be recalled does not depend on how it is shown.
const recalled = new WeakMap<Part, boolean>()

function isRecallable(original: Message, shown: Message, originals: readonly Message[]): boolean {
  return original.parts.every((part, index) => {
    const now = shown.parts[index]
    if (now === part) return true
    if (now !== undefined && !hasSoundHandles(part, now, originals)) return false
    if (part.type !== 'tool-result') return true
    return getOrMake(recalled, part, () => {
      const text = resultText(part)
      const answer = text === '' ? null : recall({ handle: handleOf(text) }, sourceOf(originals))
      return answer === null || (answer.kind === 'found' && answer.text === text)
    })
  })
}

const soundHandles = new WeakMap<Part, Part>()

/** Whether each handle that is shown, and was not in the original, names something before it. */
function hasSoundHandles(original: Part, shown: Part, originals: readonly Message[]): boolean {
  if (soundHandles.get(shown) === original) return true
  const before = partText(original)
  for (const [, handle = ''] of partText(shown).matchAll(/\brecall ([0-9a-f]{12})\b/g)) {
    if (!before.includes(handle) && recall({ handle }, sourceOf(originals)).kind !== 'found') return false
  }
  soundHandles.set(shown, original)
  return true
}

function sourceOf(originals: readonly Message[]): Parameters<typeof recall>[1] {
  return { messages: () => originals, whole: (part) => ({ part }), findLines: () => ({ found: [] }), folds: () => [] }
}

function isPrefixKept(
  before: readonly Message[],
  view: readonly Message[],
  originals: readonly Message[],
  edits: readonly ReportedEdit[],
): boolean {
  const changed = before.findIndex((message, index) => !isSame(message, view[index]))
  if (changed < 0) return true
  const declared = edits.filter(({ cache }) => cache === 'rewrite')
  if (declared.length === 0) return false
  const places = new Map(originals.map(({ id }, index) => [id, index]))
  // The change itself, or else the nearest message of the log before it.
  const place = before.slice(0, changed + 1).findLast(({ id }) => places.has(id))
  const first = place === undefined ? 0 : (places.get(place.id) ?? 0)
  return declared.some(({ message }) => (places.get(message) ?? 0) <= first)
}

// The same two objects are mostly compared again.
const compared = new WeakMap<object, { readonly other: unknown; readonly isSame: boolean }>()

function isSame(one: object, other: unknown): boolean {
  if (one === other) return true
  if (other === undefined) return false
  const known = compared.get(one)
  if (known?.other === other) return known.isSame
  const answer = bytesOf(one) === bytesOf(other)
  compared.set(one, { other, isSame: answer })
  return answer
}

/** A value that cannot be written as JSON cannot be sent either, so it counts as nothing. */
function bytesOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

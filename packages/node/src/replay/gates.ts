import { checkView, handleOf, type Message, type Part, recall, resultText } from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { isThought } from '@plimsoll/core/policies'
import { handlesIn, type RecallAnswer, type RecallSource } from '@plimsoll/core/session'
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
  /** Each signed thought stands behind what its model saw, and after the thought before it. */
  | 'thoughts'

export interface GateInput {
  readonly originals: readonly Message[]
  readonly view: readonly Message[]
  /** The view of the request before it, in the same segment. Default: there was none. */
  readonly before?: readonly Message[] | null
  /** The active edits as reported. Default: none. */
  readonly edits?: readonly ReportedEdit[]
}

/**
 * Checks the views of a conversation in order, and returns the gates that a view does not pass. Content that passed in an earlier
 * view is not checked again. Unless cut text is promised to be recallable, that gate is skipped. So is that of thoughts, unless they are signed.
 */
export function createGates(canRecall = false, isSigned = false): (input: GateInput) => readonly GateName[] {
  let find = createFinder()
  const areThoughtsValid = createThoughtCheck()
  return ({ originals, view, before = null, edits = [] }) => {
    const broken = new Set<GateName>()
    if (before === null) find = createFinder()
    if (isSigned && !areThoughtsValid(view, originals, before !== null)) broken.add('thoughts')
    if (view !== originals) {
      if (hasNewProblem(originals, view)) broken.add('pairs')
      const isLost = (original: Message, shown: Message) => canRecall && !isRecallable(original, shown, find(originals))
      for (const gate of checkMessages(originals, view, before ?? [], isLost)) broken.add(gate)
    }
    if (before !== null && !isPrefixKept(before, view, originals, edits)) broken.add('prefix')
    return [...broken]
  }
}

/**
 * Checks thoughts as Anthropic does for models that sign them with everything before them: a thought is valid if all that stands before it, other
 * thoughts aside, is what was sent when it was made, and if the thought before it is still the one it followed. The first ones may be omitted, and
 * the last ones, but none between others, and none may come back. After the agent's own compaction, those in messages that it kept are not valid any more
 * (https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks). The result is false if one of a view is not valid.
 */
function createThoughtCheck(): (view: readonly Message[], originals: readonly Message[], continues: boolean) => boolean {
  const made = new Map<string, { readonly behind: string; readonly after: string | null }>()
  let last: { readonly length: number; readonly hash: string; readonly thought: string | null } = {
    length: 0,
    hash: '',
    thought: null,
  }
  return (view, originals, continues) => {
    const given = new Map(originals.map((message) => [message.id, message]))
    let hash = ''
    // What the model saw: the prompt before this one, then its answer.
    let seen = ''
    let before: string | null = null
    let answered = last.thought
    let isValid = true
    const isCompacted = !continues && last.length > 0
    for (const [index, message] of view.entries()) {
      if (index === last.length) seen = last.hash
      const isNew = index >= last.length
      for (const part of message.parts.keys()) {
        const key = `${message.id}.${part}`
        if (!isShownThought(message.parts[part] as Part)) continue
        const known = made.get(key)
        const here = isNew ? { behind: seen, after: answered } : { behind: hash, after: before }
        // An answer that was compacted away from its prompt.
        const born = known ?? (isCompacted ? { behind: last.hash, after: last.thought } : here)
        if (known === undefined) made.set(key, born)
        if (hash !== born.behind || (before !== null && before !== born.after)) isValid = false
        before = key
        answered = key
      }
      hash = sealed(hash, message)
      if (isNew) seen = sealed(seen, given.get(message.id) ?? message)
    }
    last = { length: view.length, hash, thought: before }
    return isValid
  }
}

function sealed(before: string, { role, parts }: Message): string {
  return handleOf(`${before} ${role} ${bytesOf(parts.filter((part) => !isThought(part)))}`)
}

/** An omitted thought has neither text nor signature. */
function isShownThought(part: Part): boolean {
  return isThought(part) && !(part.type === 'reasoning' && part.text === '' && part.providerOptions === undefined)
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

function checkMessages(
  originals: readonly Message[],
  view: readonly Message[],
  before: readonly Message[],
  isLost: (original: Message, shown: Message) => boolean,
): readonly GateName[] {
  const broken: GateName[] = []
  const { pairs, left, made } = matchMessages(originals, view, before)
  for (const [original, shown] of pairs) {
    const found = verdictOf(original, shown)
    if (found.isTextChanged) broken.push('user-text')
    if (found.isDirty) broken.push('characters')
    if (isLost(original, shown)) broken.push('recall')
  }
  if (made.some((message) => isDirtyMade(message, originals))) broken.push('characters')
  const omitted = left.filter(({ role }) => role === 'user')
  if (omitted.length > 0) {
    const texts = made.map(messageText)
    if (!omitted.every((message) => texts.some((text) => text.includes(messageText(message))))) broken.push('user-rules')
  }
  return broken
}

/**
 * Messages that are changed, those of the log that are not shown (`left`), and those that are not in the log (`made`). A change that
 * the view before had at the same place was checked then.
 */
function matchMessages(originals: readonly Message[], view: readonly Message[], before: readonly Message[]) {
  const pairs: (readonly [original: Message, shown: Message])[] = []
  let isAligned = originals.length === view.length
  for (let index = 0; isAligned && index < originals.length; index += 1) {
    const original = originals[index] as Message
    const shown = view[index] as Message
    if (shown === original || shown === before[index]) continue
    if (shown.id === original.id) pairs.push([original, shown])
    else isAligned = false
  }
  if (isAligned) return { pairs, left: [], made: [] }
  const byId = new Map(view.map((message) => [message.id, message]))
  const ids = new Set(originals.map(({ id }) => id))
  return {
    pairs: originals.flatMap((original): typeof pairs => {
      const shown = byId.get(original.id)
      return shown === undefined || shown === original ? [] : [[original, shown]]
    }),
    left: originals.filter(({ id }) => !byId.has(id)),
    made: view.filter(({ id }) => !ids.has(id)),
  }
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

function isRecallable(original: Message, shown: Message, find: Find): boolean {
  return original.parts.every((part, index) => {
    const now = shown.parts[index]
    if (now === part) return true
    if (now !== undefined && !hasSoundHandles(part, now, find)) return false
    if (part.type !== 'tool-result') return true
    return getOrMake(recalled, part, () => {
      const text = resultText(part)
      const answer = text === '' ? null : find(handleOf(text))
      return answer === null || (answer.kind === 'found' && answer.text === text)
    })
  })
}

const soundHandles = new WeakMap<Part, Part>()

/** Whether each handle that is shown, and was not in the original, names something before it. */
function hasSoundHandles(original: Part, shown: Part, find: Find): boolean {
  if (soundHandles.get(shown) === original) return true
  const before = partText(original)
  for (const [, handle = ''] of partText(shown).matchAll(/\brecall ([0-9a-f]{12})\b/g)) {
    if (!before.includes(handle) && find(handle).kind !== 'found') return false
  }
  soundHandles.set(shown, original)
  return true
}

type Find = (handle: string) => RecallAnswer

/** Recalls from a conversation that grows: each message is hashed once, and only those with the handle are searched. */
function createFinder(): (originals: readonly Message[]) => Find {
  const said = createHandleIndex((message) => getOrMake(saidHandles, message, () => handlesIn(sourceOf([message])).said))
  const derived = createHandleIndex((message) =>
    getOrMake(derivedHandles, message, () => handlesIn(sourceOf([message])).derived()),
  )
  return (originals) => (handle) => {
    const own = said(originals, handle)
    return recall({ handle }, sourceOf(own.length > 0 ? own : derived(originals, handle)))
  }
}

// Every policy set is checked with the same messages.
const saidHandles = new WeakMap<Message, readonly string[]>()
const derivedHandles = new WeakMap<Message, readonly string[]>()

function createHandleIndex(named: (message: Message) => readonly string[]) {
  const messages = new Map<string, Message[]>()
  let read = 0
  return (originals: readonly Message[], handle: string): readonly Message[] => {
    for (; read < originals.length; read += 1) {
      const message = originals[read] as Message
      for (const each of new Set(named(message))) getOrMake(messages, each, () => []).push(message)
    }
    return messages.get(handle) ?? []
  }
}

function sourceOf(originals: readonly Message[]): RecallSource {
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

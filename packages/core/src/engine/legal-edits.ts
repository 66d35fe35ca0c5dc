import { changedPlaces, type Earlier, perChange, perPair } from '../derive.ts'
import { type Edit, type FoldEdit, type InsertEdit, structuralIn } from '../edit.ts'
import type { Message, Part } from '../message.ts'
import type { Problem } from '../report.ts'
import { checkView } from '../results/invariants.ts'

/** The only policies that may remove messages: to repair pairs, and as the last resort before a request is refused. */
const mayRemove: readonly string[] = ['pair-tool-calls', 'fit-window']

/** Throws if edits change or drop user or system text, turn a call or result into something else, or split a pair. The message names policy and place. */
export function checkLegal(policy: string, before: readonly Message[], edits: readonly Edit[], after: readonly Message[]): void {
  const structural = structuralIn(edits)
  if (structural.length === 0) return checkReplaced(policy, before, after)
  if (!mayRemove.includes(policy)) checkFolds(policy, structural, before)
  // A fold makes a new message, even if it takes over an id.
  const made = new Set(structural.flatMap((edit) => (edit.kind === 'fold' && edit.into !== null ? [edit.into] : [])))
  const ids = new Map(after.flatMap((message) => (made.has(message) ? [] : [[message.id, message] as const])))
  checkReplaced(
    policy,
    before.filter((message) => ids.has(message.id)),
    before.flatMap((message) => ids.get(message.id) ?? []),
  )
  checkPairs(policy, before, after)
}

function checkReplaced(policy: string, before: readonly Message[], after: readonly Message[]): void {
  const wrong = firstIllegal(before, after).at
  if (wrong >= 0)
    throw new Error(
      `${policy}: message ${before[wrong]?.id}, ${illegalChange(after[wrong] as Message, before[wrong] as Message)}`,
    )
}

type BeforeAndAfter = readonly [before: readonly Message[], after: readonly Message[]]

/** The index of the first message that may not be shown as it is after the edits; -1 if all may. */
const firstIllegal = perChange(function checkEach(
  [before, after]: BeforeAndAfter,
  earlier: Earlier<BeforeAndAfter, { readonly at: number }> | null,
): { readonly at: number } {
  const [from, to] = earlier?.answer.at === -1 ? earlier.lists : [[], []]
  const changes = [changedPlaces(before, from), changedPlaces(after, to)]
  const isIllegal = (at: number) =>
    after[at] !== before[at] && illegalChange(after[at] as Message, before[at] as Message) !== null
  const start = changes.includes(null) ? 0 : Math.min(from.length, to.length)
  const places = start === 0 ? [] : changes.flatMap((each) => each ?? []).sort((one, other) => one - other)
  for (let at = start; at < before.length; at += 1) places.push(at)
  return { at: places.find(isIllegal) ?? -1 }
})()

const illegalChange = perPair((to: Message, from: Message): string | null => {
  for (const [index, was] of from.parts.entries()) {
    const is = to.parts[index]
    const reason = is === undefined || was === is ? null : illegalReason(from, was, is)
    if (reason !== null) return `part ${index}: ${reason}`
  }
  return null
})

function illegalReason(message: Message, was: Part, is: Part): string | null {
  if (message.role === 'system') return 'a system message may not be edited'
  if (message.role === 'user' && was.type === 'text') return "a user's text may not be edited"
  if (was.type === 'tool-result' && (is.type !== 'tool-result' || is.callId !== was.callId))
    return 'a tool result must stay the result of its call'
  if (was.type === 'tool-call' && (is.type !== 'tool-call' || is.callId !== was.callId || is.tool !== was.tool)) {
    return 'a tool call must stay the same call'
  }
  if (was.type !== 'tool-result' && is.type === 'tool-result') return 'a tool result may not be made of something else'
  if (was.type !== 'tool-call' && is.type === 'tool-call') return 'a tool call may not be invented'
  return null
}

function checkFolds(policy: string, edits: readonly (FoldEdit | InsertEdit)[], before: readonly Message[]): void {
  const places = new Map(before.map(({ id }, index) => [id, index]))
  for (const edit of edits) {
    // A later fold may start or end at an inserted message or at one that a fold made.
    if (edit.kind === 'insert') {
      places.set(edit.message.id, (edit.after === null ? -1 : (places.get(edit.after) ?? before.length)) + 0.5)
      continue
    }
    const { first, last, into } = edit
    if (into === null) throw new Error(`${policy}: message ${first}: a policy may not remove messages`)
    const [from, to] = [places.get(first) ?? before.length, places.get(last) ?? -1]
    const said =
      into.summary === true
        ? undefined
        : before.slice(Math.ceil(from), Math.floor(to) + 1).find(({ role }) => role === 'user' || role === 'system')
    if (said !== undefined) throw new Error(`${policy}: message ${said.id}: what was said may be folded into a summary only`)
    places.set(into.id, from)
  }
}

function checkPairs(policy: string, before: readonly Message[], after: readonly Message[]): void {
  const known = new Set(checkView(before).map(nameProblem))
  const added = [...checkView(after), ...leftBehind(before, after)].find((problem) => !known.has(nameProblem(problem)))
  if (added !== undefined) throw new Error(`${policy}: message ${added.message}: the edits break the rule ${added.rule}`)
}

/** Without its last call, a result would pass for one of a log that has no calls. */
function leftBehind(before: readonly Message[], after: readonly Message[]): readonly Problem[] {
  if (!before.some(hasCall) || after.some(hasCall)) return []
  const isLeft = (part: Part) => part.type === 'tool-result' && part.callId !== null
  return after.flatMap(({ id, parts }) => (parts.some(isLeft) ? [{ rule: 'result-has-call' as const, message: id }] : []))
}

function hasCall({ parts }: Message): boolean {
  return parts.some(({ type }) => type === 'tool-call')
}

function nameProblem({ rule, message }: Problem): string {
  return `${rule} ${message}`
}

import type { TimingName } from '../config.ts'
import { type Earlier, eachRun, perChange, perItem, unchanging } from '../derive.ts'
import { type MessagesAndEdits, type PlacedEdits, placeEdits, placesOf, type ReplaceEdit, replacementsIn } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { fitWindowName, type Policy } from '../policy.ts'
import { toolResults } from '../results/tool-results.ts'
import type { Ledger } from '../timing/ledger.ts'
import { dropReasoningName, isOmitted, isThought } from '../timing/thoughts.ts'
import type { Timing } from '../timing/timing.ts'
import { unseenOnly } from '../timing/unseen-only.ts'

/**
 * Restrictions of a host on all policies:
 * - `results-only`: only the content of tool results may change: no arguments, reasoning, pair repairs or folds.
 * - `parts-only`: arguments may change as well, and reasoning may be omitted, but nothing is repaired or folded.
 * - `whole-thoughts`: reasoning stays, unless its signature no longer fits.
 * - `whole-file-reads`: file reads stay in full. The rule of the gateway's mode `safe`.
 * - `sent-stays`: what was sent is never changed later.
 * - `signed-thoughts`: the provider checks everything before a thought, whatever the model. Without it the model's name decides (see `bindsThinking`).
 */
export type HostRule = 'results-only' | 'parts-only' | 'whole-thoughts' | 'whole-file-reads' | 'sent-stays' | 'signed-thoughts'

/** Removes what a host forbids from the proposals of policies. */
export function underRules(policies: readonly Policy[], rules: readonly HostRule[]): readonly Policy[] {
  const changes = rules.includes('results-only') ? 'results' : rules.includes('parts-only') ? 'parts' : 'all'
  return limited(changes, rules.includes('whole-thoughts'), rules.includes('whole-file-reads'))(policies)
}

/** When edits may take effect under a host's rules and the provider's signatures. A timing that does not wait must not change what was signed. */
export function timingUnder(timing: TimingName | Timing, rules: readonly HostRule[], isSigned: boolean): TimingName | Timing {
  const waits = timing === 'economic' || timing === 'auto'
  return rules.includes('sent-stays') || (isSigned && !waits) ? unseenOnly : timing
}

/**
 * The model by which thoughts are judged: this one, or the last of the conversation that signs them. Another model in between does not check what stands
 * before them, but the user may go back.
 */
export function thinkingModel(model: string | null, { signedBy }: Pick<Ledger, 'signedBy'>): string | null {
  return model !== null && signsWhatStandsBefore(model) ? model : (signedBy ?? model)
}

/** A ledger that remembers it. */
export function withSigningModel(ledger: Ledger, model: string | null): Ledger {
  return model === null || model === ledger.signedBy || !signsWhatStandsBefore(model) ? ledger : { ...ledger, signedBy: model }
}

/** Whether thoughts are signed together with everything before them. */
export function signsThoughts(rules: readonly HostRule[], model: string | null, messages: readonly Message[]): boolean {
  return rules.includes('signed-thoughts') ? hasThoughts(messages) : bindsThinking(model, messages)
}

type Changes = 'results' | 'parts' | 'all'

/** Policies that propose nothing about the content of parts, and nothing about that of results. */
const structural: readonly string[] = ['pair-tool-calls', fitWindowName]
const otherThanResults: readonly string[] = [...structural, 'shorten-written-arguments', dropReasoningName]

const limited = perItem((policies: readonly Policy[], changes: Changes, keepsThoughts: boolean, keepsReads: boolean) => {
  const forbidden = new Set(changes === 'results' ? otherThanResults : changes === 'parts' ? structural : [])
  if (keepsThoughts) forbidden.add(dropReasoningName)
  const allowed = policies.filter(({ name }) => !forbidden.has(name))
  return changes === 'all' && !keepsReads ? allowed : allowed.map((policy) => limit(policy, changes, keepsReads))
})

function limit(policy: Policy, changes: Changes, keepsReads: boolean): Policy {
  return {
    ...policy,
    plan(messages, facts) {
      const proposed = unchanging(policy.plan(messages, facts))
      const allowed =
        changes !== 'all' && proposed.length > 0 ? contentEdits[changes](messages, replacementsIn(proposed)).edits : proposed
      if (!keepsReads || allowed.length === 0) return allowed
      const reads = fileReads(messages, facts)
      return allowed.filter((edit) => edit.kind !== 'replace' || !reads.has(edit.message))
    },
  }
}

/** A file that was cut is read again, or worse, mistaken for the complete file. */
function fileReads(messages: readonly Message[], facts: Facts): ReadonlySet<string> {
  const reads = new Set<string>()
  for (const result of toolResults(messages, facts)) if (result.kind === 'file-read') reads.add(result.message.id)
  return reads
}

interface AllowedEdits extends Pick<PlacedEdits, 'places'> {
  readonly isAllowed: Uint8Array
  readonly edits: readonly ReplaceEdit[]
}

/** The edits that change only what may change in a message. */
const allowedEdits = (mayChange: (message: Message | undefined, part: number, is: Part) => boolean) =>
  perChange(function findAllowedEdits(
    [messages, proposed]: MessagesAndEdits,
    earlier: Earlier<MessagesAndEdits, AllowedEdits> | null,
  ): AllowedEdits {
    const index = placesOf(messages)
    const placed = placeEdits(messages, proposed, earlier, ({ message }) => index.get(message) ?? -1)
    const isAllowed = new Uint8Array(proposed.length)
    const known = earlier?.answer.isAllowed ?? isAllowed
    const judge = (at: number) => {
      const { part, with: shown } = proposed[at] as ReplaceEdit
      isAllowed[at] = mayChange(messages[placed.places[at] as number], part, shown) ? 1 : 0
    }
    eachRun(proposed, earlier?.lists[1] ?? [], {
      added: judge,
      kept(start, before, count) {
        isAllowed.set(known.subarray(before, before + count), start)
        for (let at = start; at < start + count; at += 1) if (placed.isChanged[placed.places[at] as number] !== 0) judge(at)
      },
    })
    const edits = isAllowed.includes(0) ? proposed.filter((_edit, at) => isAllowed[at] === 1) : proposed
    return { places: placed.places, isAllowed, edits: unchanging(edits) }
  })()

const contentEdits = { results: allowedEdits(isResultChange), parts: allowedEdits(isPartChange) }

function isResultChange(message: Message | undefined, part: number, is: Part): boolean {
  return message?.role === 'tool' && isOtherContent(message.parts[part], is)
}

function isPartChange(message: Message | undefined, part: number, is: Part): boolean {
  if (message?.role !== 'assistant') return isResultChange(message, part, is)
  const was = message.parts[part]
  return was !== undefined && (isOtherInput(was, is) || (isThought(was) && isOmitted(is)))
}

function isOtherInput(was: Part, is: Part): boolean {
  return was.type === 'tool-call' && is.type === 'tool-call' && was.callId === is.callId && was.tool === is.tool
}

function isOtherContent(was: Part | undefined, is: Part): boolean {
  return (
    was?.type === 'tool-result' &&
    is.type === 'tool-result' &&
    was.callId === is.callId &&
    was.tool === is.tool &&
    was.isError === is.isError &&
    was.status === is.status
  )
}

/**
 * Whether the provider would reject a changed prefix. Newer Anthropic models sign their reasoning together with everything before it, so a change
 * is legal only if all reasoning after it is omitted: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */
export function bindsThinking(model: string | null, messages: readonly Message[]): boolean {
  return model !== null && signsWhatStandsBefore(model) && hasThoughts(messages)
}

function hasThoughts(messages: readonly Message[]): boolean {
  return messages.some(({ role, parts }) => role === 'assistant' && parts.some(isThought))
}

/** By the version in its name. An unknown one most likely behaves like its newest relatives. */
function signsWhatStandsBefore(model: string): boolean {
  const name = model.slice(0, 200).toLowerCase()
  if (!name.includes('claude')) return false
  // Older names put the version first: `claude-3-7-sonnet`.
  const [, major, minor] = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2})(?!\d))?/.exec(name) ?? []
  return major === undefined || Number(major) + Number(minor ?? 0) / 100 > 5
}

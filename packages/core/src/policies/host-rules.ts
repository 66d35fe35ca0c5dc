import type { TimingName } from '../config.ts'
import { type Earlier, perChange, perItem, unchanging } from '../derive.ts'
import { type MessagesAndEdits, type PlacedEdits, placeEdits, placesOf, type ReplaceEdit, replacementsIn } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { fitWindowName, type Policy } from '../policy.ts'
import { toolResults } from '../results/tool-results.ts'
import type { Timing } from '../timing/timing.ts'
import { unseenOnly } from '../timing/unseen-only.ts'

/**
 * Restrictions of a host on all policies:
 * - `results-only`: only the content of tool results may change: no arguments, reasoning, pair repairs or folds. The gateway's rule.
 * - `whole-file-reads`: file reads stay in full. The rule of the gateway's mode `safe`.
 * - `sent-stays`: what was sent is never changed later.
 * - `signed-thoughts`: `sent-stays` once there is reasoning, for any model. Without it the model's name decides (see `bindsThinking`).
 */
export type HostRule = 'results-only' | 'whole-file-reads' | 'sent-stays' | 'signed-thoughts'

/** Removes what a host forbids from the proposals of policies. */
export function underRules(policies: readonly Policy[], rules: readonly HostRule[]): readonly Policy[] {
  return limited(rules.includes('results-only'), rules.includes('whole-file-reads'))(policies)
}

/** When edits may take effect under a host's rules and the provider's signatures. */
export function timingUnder(
  timing: TimingName | Timing,
  rules: readonly HostRule[],
  model: string | null,
  messages: readonly Message[],
): TimingName | Timing {
  const isSigned = rules.includes('signed-thoughts') ? hasThoughts(messages) : bindsThinking(model, messages)
  return rules.includes('sent-stays') || isSigned ? unseenOnly : timing
}

/** Policies that propose nothing about the content of results. */
const otherThanResults: ReadonlySet<string> = new Set([
  'pair-tool-calls',
  'shorten-written-arguments',
  'drop-old-reasoning',
  fitWindowName,
])

const limited = perItem((policies: readonly Policy[], isResultsOnly: boolean, keepsReads: boolean) =>
  isResultsOnly || keepsReads
    ? policies
        .filter(({ name }) => !(isResultsOnly && otherThanResults.has(name)))
        .map((policy) => limit(policy, isResultsOnly, keepsReads))
    : policies,
)

function limit(policy: Policy, isResultsOnly: boolean, keepsReads: boolean): Policy {
  return {
    ...policy,
    plan(messages, facts) {
      const proposed = policy.plan(messages, facts)
      const allowed = isResultsOnly && proposed.length > 0 ? contentEdits(messages, replacementsIn(proposed)).edits : proposed
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

/** The edits that change only the content of results. */
const contentEdits = perChange(function findContentEdits(
  [messages, proposed]: MessagesAndEdits,
  earlier: Earlier<MessagesAndEdits, AllowedEdits> | null,
): AllowedEdits {
  const index = placesOf(messages)
  const placed = placeEdits(messages, proposed, earlier, ({ message }) => index.get(message) ?? -1)
  const isAllowed = new Uint8Array(proposed.length)
  for (let at = 0; at < proposed.length; at += 1) {
    const place = placed.places[at] as number
    const { part, with: shown } = proposed[at] as ReplaceEdit
    const known = placed.isChanged[place] === 0 ? earlier?.answer.isAllowed[placed.before[at] as number] : undefined
    isAllowed[at] = known ?? (messages[place]?.role === 'tool' && isOtherContent(messages[place].parts[part], shown) ? 1 : 0)
  }
  const edits = isAllowed.includes(0) ? proposed.filter((_edit, at) => isAllowed[at] === 1) : proposed
  return { places: placed.places, isAllowed, edits: unchanging(edits) }
})()

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
 * Whether the provider would reject a changed prefix. Newer Anthropic models sign their reasoning together with everything before it, so what was
 * sent must stay unchanged while such reasoning follows it.
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

/** Whether a part is reasoning, as text or encrypted by its provider. */
export function isThought(part: Part): boolean {
  return part.type === 'reasoning' || (part.type === 'media' && part.mediaType === 'vendor/redacted_thinking')
}

import type { TimingName } from '../config.ts'
import { perItem, perList } from '../derive.ts'
import type { Edit, ReplaceEdit } from '../edit.ts'
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
      if (proposed.length === 0) return proposed
      const results = resultMessages(messages)
      const reads = keepsReads ? fileReads(messages, facts) : noReads
      return proposed.filter(
        (edit) => (!isResultsOnly || isContentEdit(edit, results)) && !(edit.kind === 'replace' && reads.has(edit.message)),
      )
    },
  }
}

const noReads: ReadonlySet<string> = new Set()

/** A file that was cut is read again, or worse, mistaken for the complete file. */
function fileReads(messages: readonly Message[], facts: Facts): ReadonlySet<string> {
  const reads = new Set<string>()
  for (const result of toolResults(messages, facts)) if (result.kind === 'file-read') reads.add(result.message.id)
  return reads
}

const resultMessages = perList({
  start: () => new Map<string, Message>(),
  add(results, message: Message) {
    if (message.role === 'tool') results.set(message.id, message)
  },
  change(results, _index, was, is) {
    // If two messages have the same id, the later one counts.
    if (was.role === 'tool' && results.get(was.id) === was && is.id === was.id) results.set(is.id, is)
    return was.role === is.role && was.id === is.id
  },
  finish: (results): ReadonlyMap<string, Message> => results,
})()

function isContentEdit(edit: Edit, results: ReadonlyMap<string, Message>): edit is ReplaceEdit {
  return edit.kind === 'replace' && isOtherContent(results.get(edit.message)?.parts[edit.part], edit.with)
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

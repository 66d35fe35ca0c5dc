import { economyPolicies } from '../economy-policies.ts'
import type { Edit, ReplaceEdit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import { fitWindowName } from '../fit/fitting.ts'
import type { Message, Part } from '../message.ts'
import { filterBinary } from '../policies/filter-binary.ts'
import { limitToolOutput } from '../policies/limit-tool-output.ts'
import { pairToolCalls } from '../policies/pair-tool-calls.ts'
import type { Policy } from '../policy.ts'
import { specPolicies } from '../spec-policies.ts'
import { toolResults } from '../tool-results.ts'
import type { TrimMode } from './trim-mode.ts'

/**
 * What a gateway may propose in a mode. Whatever the policies of the library say, only the content of tool results is ever shown
 * differently; `safe` leaves what was read from files alone too. What repairs pairs and fits the window is left out: a gateway reports
 * both and changes neither.
 */
export function gatewayPolicies(mode: TrimMode): readonly Policy[] {
  return policiesByMode[mode]
}

/** Whether a part in place of another is the same tool result with another content, which is all that a gateway may change. */
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

const policiesByMode: Readonly<Record<TrimMode, readonly Policy[]>> = {
  observe: [],
  safe: [filterBinary, limitToolOutput].map((policy) => limited(policy, isNoFileRead)),
  spec: gentle(specPolicies),
  economy: gentle(economyPolicies),
}

function gentle(policies: readonly Policy[]): readonly Policy[] {
  const structural: ReadonlySet<string> = new Set([pairToolCalls.name, fitWindowName])
  return policies.filter(({ name }) => !structural.has(name)).map((policy) => limited(policy, () => () => true))
}

type MayChange = (messages: readonly Message[], facts: Facts) => (edit: ReplaceEdit) => boolean

function limited(policy: Policy, mayChange: MayChange): Policy {
  return {
    name: policy.name,
    plan(messages, facts) {
      const proposed = policy.plan(messages, facts)
      if (proposed.length === 0) return proposed
      const may = mayChange(messages, facts)
      const results = resultMessages(messages)
      return proposed.filter((edit) => isContentEdit(edit, results) && may(edit))
    },
  }
}

function resultMessages(messages: readonly Message[]): ReadonlyMap<string, Message> {
  const results = new Map<string, Message>()
  for (const message of messages) if (message.role === 'tool') results.set(message.id, message)
  return results
}

function isContentEdit(edit: Edit, results: ReadonlyMap<string, Message>): edit is ReplaceEdit {
  return edit.kind === 'replace' && isOtherContent(results.get(edit.message)?.parts[edit.part], edit.with)
}

/** A file that was cut is read again, or worse, taken for whole. */
function isNoFileRead(messages: readonly Message[], facts: Facts): (edit: ReplaceEdit) => boolean {
  const reads = new Set<string>()
  for (const result of toolResults(messages, facts)) if (result.kind === 'file-read') reads.add(result.message.id)
  return (edit) => !reads.has(edit.message)
}

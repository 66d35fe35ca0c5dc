import { unchanging } from '../derive.ts'
import { type Edit, editedMessages, structuralIn } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import type { Policy } from '../policy.ts'
import { withSurvivingSent } from '../results/protect.ts'
import { carryReferences, noReferences } from '../results/references.ts'
import { describeValue } from '../text/json.ts'
import { checkLegal } from './legal-edits.ts'

/** One policy's edits, with the messages and facts they were planned on. */
export interface Stage {
  readonly messages: readonly Message[]
  readonly facts: Facts
  readonly edits: readonly Edit[]
}

export interface Plan {
  /** One per policy that proposes something, in order. */
  readonly stages: readonly Stage[]
  /** The messages with all of it applied. */
  readonly planned: readonly Message[]
  readonly facts: Facts
}

/** Lets policies plan one after the other, each on the result of those before it. Throws on an illegal edit. */
export function planStages(base: readonly Message[], policies: readonly Policy[], given: Facts): Plan {
  const stages: Stage[] = []
  let planned = base
  let facts = given
  for (const policy of policies) {
    const proposed: unknown = policy.plan(planned, facts)
    if (!isList(proposed))
      throw new TypeError(`${policy.name}: expected plan to return a list of edits, got ${describeValue(proposed)}`)
    if (proposed.length === 0) continue
    const before = facts.references ?? noReferences
    const { edits, references } = carryReferences(unchanging(proposed), planned, before)
    const next = editedMessages(planned, edits)
    checkLegal(policy.name, planned, edits, next)
    stages.push({ messages: planned, facts, edits })
    const cuts = facts.uncut === undefined && policy.cuts === true
    const known = references === before && !cuts ? facts : { ...facts, references, ...(cuts ? { uncut: planned } : {}) }
    facts = withSurvivingSent(known, planned, edits, next)
    planned = next
  }
  return { stages, planned, facts }
}

/**
 * Groups edits chosen from a plan into stages, each applied before the next: one for each run of replacements, and one for each policy's run of other
 * edits.
 */
export function stagesOf(messages: readonly Message[], edits: readonly Edit[], facts: Facts): readonly Stage[] {
  const stages: Stage[] = []
  let current = messages
  let known = facts
  if (edits.length > 0 && structuralIn(edits).length === 0) return [{ messages, facts, edits }]
  for (let start = 0; start < edits.length; ) {
    const first = edits[start] as Edit
    let end = start + 1
    while (end < edits.length && isSameStage(first, edits[end] as Edit)) end += 1
    const run = edits.slice(start, end)
    stages.push({ messages: current, facts: known, edits: run })
    if (end < edits.length) {
      const next = editedMessages(current, run)
      known = withSurvivingSent(known, current, run, next)
      current = next
    }
    start = end
  }
  return stages
}

function isSameStage(one: Edit, other: Edit): boolean {
  if (one.kind === 'replace') return other.kind === 'replace'
  return other.kind !== 'replace' && one.policy === other.policy
}

export function stagesWith(stages: readonly Stage[], edits: readonly Edit[]): readonly Stage[] {
  if (edits.length === 0) return []
  const wanted = new Set(edits)
  return stages
    .map((stage) => ({ ...stage, edits: stage.edits.filter((edit) => wanted.has(edit)) }))
    .filter((stage) => stage.edits.length > 0)
}

function isList(value: unknown): value is readonly Edit[] {
  return Array.isArray(value)
}

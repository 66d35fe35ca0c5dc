import { applyEdits, partKey, placesOf, replacementsIn, structuralIn } from '../edit.ts'
import type { Message } from '../message.ts'
import { hideItemName } from '../policy.ts'
import { lastingReplacements } from './lasting-edits.ts'
import { notedLedger } from './ledger.ts'
import { summariesIn } from './moment.ts'
import type { Timing } from './timing.ts'

/**
 * Never changes what was sent, cached or not: active edits stay, and only proposals for new messages are added. Repairs of pairs still take effect,
 * because the provider would reject the request without them.
 */
export const unseenOnly: Timing = ({ proposals, inForce, messages, facts, ledger, moment }) => {
  const repairs = structuralIn(proposals)
  const shown = repairs.length === 0 ? messages : applyEdits(messages, repairs)
  const places = placesOf(shown)
  const lastSent = repairs.length === 0 ? moment.lastSent : lastSentIn(shown, messages, moment.lastSent)
  // What the user hides or shows again changes at once.
  const hidden = new Set(facts.hides)
  const held = lastingReplacements(inForce, repairs).filter(
    ({ message, part, policy }) =>
      !hidden.has(message) && policy !== hideItemName && shown[places.get(message) ?? -1]?.parts[part] !== undefined,
  )
  const decided = new Set(held.map(partKey))
  const added = replacementsIn(proposals).filter(
    (edit) => !decided.has(partKey(edit)) && (edit.policy === hideItemName || (places.get(edit.message) ?? -1) > lastSent),
  )
  return {
    apply: [...repairs, ...held, ...added],
    waiting: [],
    ledger: notedLedger(ledger, facts, summariesIn(messages)),
  }
}

/** Repairs add and remove messages: finds the last sent one that is still there. */
function lastSentIn(shown: readonly Message[], messages: readonly Message[], lastSent: number): number {
  const sent = new Set(messages.slice(0, lastSent + 1).map(({ id }) => id))
  return shown.findLastIndex(({ id }) => sent.has(id))
}

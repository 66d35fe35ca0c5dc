import type { Edit, ReplaceEdit } from '../edit.ts'
import type { Message } from '../message.ts'
import { partKey } from '../part-key.ts'
import { isReplacement } from '../timing/targets.ts'
import type { Timing } from '../timing/timing.ts'

/**
 * Lets what is proposed for messages that were never sent take effect, and keeps what is in force. What the provider has been shown whole
 * stays whole for ever, so its cache is never touched.
 */
export const firstSight: Timing = ({ proposals, inForce, messages, facts, ledger, moment }) => {
  const places: ReadonlyMap<string, number> = proposals.length + inForce.length === 0 ? noPlaces : placesOf(messages)
  const held = new Set<string>()
  const apply: Edit[] = []
  for (const edit of inForce) {
    if (!isReplacement(edit) || messages[places.get(edit.message) ?? -1]?.parts[edit.part] === undefined) continue
    held.add(partKey(edit))
    apply.push(edit)
  }
  for (const edit of proposals) if (isReplacement(edit) && isNew(edit)) apply.push(edit)
  return {
    apply,
    waiting: [],
    ledger: {
      ...ledger,
      ...(facts.now === undefined ? {} : { at: facts.now }),
      ...(facts.prefix === undefined ? {} : { prefix: facts.prefix }),
    },
  }

  function isNew(edit: ReplaceEdit): boolean {
    return !held.has(partKey(edit)) && (places.get(edit.message) ?? -1) > moment.lastSent
  }
}

const noPlaces: ReadonlyMap<string, number> = new Map()

function placesOf(messages: readonly Message[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (let index = 0; index < messages.length; index += 1) places.set((messages[index] as Message).id, index)
  return places
}

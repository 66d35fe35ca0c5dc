import type { ReplaceEdit } from '../edit.ts'
import type { Message, Part } from '../message.ts'
import { partKey } from '../part-key.ts'
import { isReplacement } from '../timing/targets.ts'
import type { Timing } from '../timing/timing.ts'
import { mostLevels } from './gateway-edits.ts'

/** How a gateway lets edits take effect. */
export interface GatewayTimingOptions {
  /** How often it was decided about each part, by `partKey`. */
  readonly levels: ReadonlyMap<string, number>
  /** What is really shown of a proposal in place of a part: the same part for the same two. Default: what is proposed. */
  readonly finish?: FinishPart
}

/** Adds to a replacement what those who read it should know, such as where the original is. */
export type FinishPart = (proposed: Part, original: Part) => Part

/**
 * A timing for decisions that others may have made: about each part there is one proposal, however many rules had a hand in it, and what
 * was decided about a part that this conversation has not sent yet holds, whatever would be proposed here.
 */
export function gatewayTiming(inner: Timing, { levels, finish }: GatewayTimingOptions): Timing {
  return (input) => {
    const { proposals, inForce, messages, moment } = input
    if (proposals.length === 0) return inner(input)
    const places = new Map(messages.map((message, index) => [message.id, index]))
    const held = new Map(inForce.filter(isReplacement).map((edit) => [partKey(edit), edit]))
    const prepared = [...byPart(proposals.filter(isReplacement))].map(([key, chain]) => {
      const standing = held.get(key)
      const last = chain.at(-1) as ReplaceEdit
      const place = places.get(last.message) ?? -1
      const isHeld = standing !== undefined && (place > moment.lastSent || (levels.get(key) ?? 0) >= mostLevels)
      return isHeld ? standing : oneEdit(chain, messages[place], finish)
    })
    return inner({ ...input, proposals: prepared })
  }
}

function byPart(edits: readonly ReplaceEdit[]): ReadonlyMap<string, readonly ReplaceEdit[]> {
  const chains = new Map<string, ReplaceEdit[]>()
  for (const edit of edits) {
    const chain = chains.get(partKey(edit))
    if (chain === undefined) chains.set(partKey(edit), [edit])
    else chain.push(edit)
  }
  return chains
}

interface Joined {
  readonly chain: readonly ReplaceEdit[]
  readonly original: Part | undefined
  readonly finish: FinishPart | undefined
  readonly edit: ReplaceEdit
}

// The policies give the same edits at every request; so does this.
const joined = new WeakMap<ReplaceEdit, Joined>()

/** What several rules do to one part, one after the other, as one edit in the name of the last of them. */
function oneEdit(chain: readonly ReplaceEdit[], message: Message | undefined, finish: FinishPart | undefined): ReplaceEdit {
  const last = chain.at(-1) as ReplaceEdit
  const original = message?.parts[last.part]
  if (chain.length === 1 && (finish === undefined || original === undefined)) return last
  const known = joined.get(last)
  if (known !== undefined && known.original === original && known.finish === finish && isSameList(known.chain, chain))
    return known.edit
  const edit: ReplaceEdit = {
    ...last,
    with: finish === undefined || original === undefined ? last.with : finish(last.with, original),
    why: chain.map(({ why }) => why).join(' '),
  }
  joined.set(last, { chain, original, finish, edit })
  return edit
}

function isSameList(one: readonly ReplaceEdit[], other: readonly ReplaceEdit[]): boolean {
  return one.length === other.length && one.every((edit, index) => edit === other[index])
}

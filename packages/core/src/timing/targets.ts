import type { Edit, ReplaceEdit } from '../edit.ts'
import { rememberGrowth } from '../growing-list.ts'
import type { Message, Part } from '../message.ts'
import { isSameDecision } from '../same-edit.ts'
import { countPart, type Tokenizer } from '../tokens.ts'

/** One part of a message that is shown differently, or is proposed to be. */
export interface Target {
  /** The message and part, as debts are kept by. */
  readonly key: string
  /** The place of the message. */
  readonly index: number
  /** What is in force, in order. */
  readonly old: readonly ReplaceEdit[]
  /** What is proposed, in order; empty where nothing is any more. */
  readonly proposed: readonly ReplaceEdit[]
  /** Whether both decide the same. */
  readonly isSame: boolean
  /** Tokens of the part in the log, as the last request showed it, and as it is proposed to be shown. */
  readonly whole: number
  readonly before: number
  readonly after: number
}

/** Gathers what is in force and what is proposed by the part it is about, in the order of the messages. Edits of parts that are not there are left out. */
export function targetsOf(
  messages: readonly Message[],
  proposals: readonly ReplaceEdit[],
  inForce: readonly ReplaceEdit[],
  tokenizer: Tokenizer,
): readonly Target[] {
  const places = placesOf(messages)
  const chains = new Map<string, { readonly index: number; readonly old: ReplaceEdit[]; readonly proposed: ReplaceEdit[] }>()
  const add = (edit: ReplaceEdit, side: 'old' | 'proposed') => {
    const key = `${edit.message}.${edit.part}`
    let chain = chains.get(key)
    if (chain === undefined) {
      const index = places.get(edit.message)
      if (index === undefined || messages[index]?.parts[edit.part] === undefined) return
      chain = { index, old: [], proposed: [] }
      chains.set(key, chain)
    }
    chain[side].push(edit)
  }
  for (const edit of inForce) add(edit, 'old')
  for (const edit of proposals) add(edit, 'proposed')
  const targets: Target[] = []
  for (const [key, { index, old, proposed }] of chains) {
    const part = (old[0] ?? proposed[0])?.part ?? 0
    const whole = countPart(messages[index]?.parts[part] as Part, tokenizer)
    const shown = (edits: readonly ReplaceEdit[]) => {
      const last = edits.at(-1)
      return last === undefined ? whole : countPart(last.with, tokenizer)
    }
    const isSame = old.length === proposed.length && old.every((edit, at) => isSameDecision(edit, proposed[at] as ReplaceEdit))
    const before = shown(old)
    targets.push({ key, index, old, proposed, isSame, whole, before, after: isSame ? before : shown(proposed) })
  }
  return targets.sort((one, other) => one.index - other.index)
}

/** Whether an edit shows another part; the other kinds change which messages there are. */
export function isReplacement(edit: Edit): edit is ReplaceEdit {
  return edit.kind === 'replace'
}

const placesOf = rememberGrowth({
  start: () => new Map<string, number>(),
  extend(places, messages, from) {
    for (let index = from; index < messages.length; index += 1) places.set((messages[index] as Message).id, index)
  },
  // Used before anything else is read into it.
  finish: (places): ReadonlyMap<string, number> => places,
})

import { perList, perPair } from '../derive.ts'
import { type Edit, isSamePart, partKey, type ReplaceEdit } from '../edit.ts'
import type { Tokenizer } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { countPart } from '../tokens/count-tokens.ts'

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
  /** Whether both show the same. */
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
  const chains = messages.map((): Chain | undefined => undefined)
  const add = (edit: ReplaceEdit, side: 'old' | 'proposed') => {
    const index = places.get(edit.message)
    if (index === undefined || messages[index]?.parts[edit.part] === undefined) return
    const first = (chains[index] ??= startChain(edit.part))
    const chain = first.part === edit.part ? first : chainBeside(first, edit.part)
    chain[side] = withOneMore(chain[side], edit)
  }
  for (const edit of inForce) add(edit, 'old')
  for (const edit of proposals) add(edit, 'proposed')
  const targets: Target[] = []
  for (let index = 0; index < messages.length; index += 1) {
    const first = chains[index]
    if (first === undefined) continue
    const { parts } = messages[index] as Message
    targets.push(targetOf(parts[first.part] as Part, index, first.old, first.proposed, tokenizer))
    for (const { part, old, proposed } of first.others?.values() ?? noChains)
      targets.push(targetOf(parts[part] as Part, index, old, proposed, tokenizer))
  }
  return targets
}

/** What is decided about one part, and about the others of its message if it is the first of them. */
interface Chain {
  readonly part: number
  old: readonly ReplaceEdit[]
  proposed: readonly ReplaceEdit[]
  others: Map<number, Chain> | null
}

const noChains: readonly Chain[] = []

function startChain(part: number): Chain {
  return { part, old: noEdits, proposed: noEdits, others: null }
}

/** A new list: mostly it has one edit or two, and lists that grow make room for many. */
function withOneMore(edits: readonly ReplaceEdit[], edit: ReplaceEdit): readonly ReplaceEdit[] {
  return edits.length === 0 ? [edit] : [...edits, edit]
}

const noEdits: readonly ReplaceEdit[] = []

function chainBeside(first: Chain, part: number): Chain {
  first.others ??= new Map()
  let chain = first.others.get(part)
  if (chain === undefined) {
    chain = startChain(part)
    first.others.set(part, chain)
  }
  return chain
}

function targetOf(
  part: Part,
  index: number,
  old: readonly ReplaceEdit[],
  proposed: readonly ReplaceEdit[],
  tokenizer: Tokenizer,
): Target {
  if (old.length > 2 || proposed.length > 2) return makeTarget(part, index, old, proposed, tokenizer)
  return shortTarget(part, index, tokenizer, old[0], old[1], proposed[0], proposed[1])
}

const shortTarget = perPair(
  (
    part: Part,
    index: number,
    tokenizer: Tokenizer,
    old: ReplaceEdit | undefined,
    laterOld: ReplaceEdit | undefined,
    proposed: ReplaceEdit | undefined,
    laterProposed: ReplaceEdit | undefined,
  ): Target => {
    const given = (...edits: readonly (ReplaceEdit | undefined)[]) => edits.filter((edit) => edit !== undefined)
    return makeTarget(part, index, given(old, laterOld), given(proposed, laterProposed), tokenizer)
  },
)

function makeTarget(
  part: Part,
  index: number,
  old: readonly ReplaceEdit[],
  proposed: readonly ReplaceEdit[],
  tokenizer: Tokenizer,
): Target {
  const whole = countPart(part, tokenizer)
  const shown = (last: ReplaceEdit | undefined) => (last === undefined ? whole : countPart(last.with, tokenizer))
  const [was, is] = [old.at(-1), proposed.at(-1)]
  const isSame = was === undefined || is === undefined ? was === is : isSamePart(was, is)
  const before = shown(was)
  const after = isSame ? before : shown(is)
  const key = partKey((old[0] ?? proposed[0]) as ReplaceEdit)
  return { key, index, old, proposed, isSame, whole, before, after }
}

/** Whether an edit shows another part; the other kinds change which messages there are. */
export function isReplacement(edit: Edit): edit is ReplaceEdit {
  return edit.kind === 'replace'
}

const placesOf = perList({
  start: () => new Map<string, number>(),
  add(places, { id }: Message, index) {
    places.set(id, index)
  },
  // Used before anything else is read into it.
  finish: (places): ReadonlyMap<string, number> => places,
})()

import { perPair } from '../derive.ts'
import { type Edit, isSamePart, partKey, placesOf, type ReplaceEdit } from '../edit.ts'
import type { Tokenizer } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { countPart } from '../tokens/count-tokens.ts'

/** One part of a message that is shown differently, or is proposed to be. */
export interface Target {
  /** `message.part`, the key of debts. */
  readonly key: string
  readonly index: number
  /** The active edits, in order. */
  readonly old: readonly ReplaceEdit[]
  /** In order; empty if nothing is proposed any more. */
  readonly proposed: readonly ReplaceEdit[]
  /** Whether both show the same. */
  readonly isSame: boolean
  /** Tokens of the part in the log, as last sent, and as proposed. */
  readonly whole: number
  readonly before: number
  readonly after: number
}

/** Groups active and proposed edits by part, in message order. Edits of missing parts are skipped. */
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
    if (index === undefined) return
    const first = (chains[index] ??= startChain(edit.part))
    const chain = first.part === edit.part ? first : chainBeside(first, edit.part)
    chain[side] = withOneMore(chain[side], edit)
  }
  for (const edit of inForce) add(edit, 'old')
  for (const edit of proposals) add(edit, 'proposed')
  const targets: Target[] = []
  const addTarget = (index: number, { part, old, proposed }: Chain) => {
    const given = messages[index]?.parts[part]
    if (given !== undefined) targets.push(targetOf(given, index, old, proposed, tokenizer))
  }
  for (let index = 0; index < messages.length; index += 1) {
    const first = chains[index]
    if (first === undefined) continue
    addTarget(index, first)
    if (first.others !== null) for (const chain of first.others.values()) addTarget(index, chain)
  }
  return targets
}

interface Chain {
  readonly part: number
  old: readonly ReplaceEdit[]
  proposed: readonly ReplaceEdit[]
  others: Map<number, Chain> | null
}

function startChain(part: number): Chain {
  return { part, old: noEdits, proposed: noEdits, others: null }
}

/** A new list: most have one or two edits, and growing lists reserve room for many. */
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

export function isReplacement(edit: Edit): edit is ReplaceEdit {
  return edit.kind === 'replace'
}

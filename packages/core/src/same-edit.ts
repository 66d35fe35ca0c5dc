import type { Edit, ReplaceEdit } from './edit.ts'

/**
 * Whether two edits decide the same, whatever they are called and whatever reason they give: the same object, or the same content, as
 * after one of them was read back from a file. Asked again about the same two, it costs next to nothing.
 */
export function isSameDecision(one: Edit, other: Edit): boolean {
  if (one === other) return true
  const known = answers.get(one)
  if (known?.other === other) return known.isSame
  const isSame = content(one) === content(other)
  answers.set(one, { other, isSame })
  return isSame
}

/** Whether two replacements show the same part, whoever decided so. Asked again about the same two, it costs next to nothing. */
export function isSamePart(one: ReplaceEdit, other: ReplaceEdit): boolean {
  if (one.with === other.with) return true
  const known = shown.get(one)
  if (known?.other === other) return known.isSame
  const isSame = JSON.stringify(one.with) === JSON.stringify(other.with)
  shown.set(one, { other, isSame })
  return isSame
}

const shown = new WeakMap<Edit, { readonly other: Edit; readonly isSame: boolean }>()

// Edits never change; an edit in force is mostly asked about together with the one that a policy proposes in its place.
const answers = new WeakMap<Edit, { readonly other: Edit; readonly isSame: boolean }>()

function content(edit: Edit): string {
  const { id: _id, why: _why, ...rest } = edit
  return JSON.stringify(rest)
}

import type { ReplaceEdit } from './edit.ts'

/** Names the part that an edit replaces, as `message.part`. Made once for each edit. */
export function partKey(edit: ReplaceEdit): string {
  let key = keys.get(edit)
  if (key === undefined) {
    key = `${edit.message}.${edit.part}`
    keys.set(edit, key)
  }
  return key
}

const keys = new WeakMap<ReplaceEdit, string>()

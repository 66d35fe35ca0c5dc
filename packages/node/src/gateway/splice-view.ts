import { applyEdits, type Edit, type Message } from '@plimsoll/core'
import type { Patch, Reading } from '@plimsoll/core/wire'
import type { Splice } from './planner.ts'
import type { ReadBody } from './read-body.ts'
import { spliceBody } from './splice-body.ts'

/** A request and what is to change in it. */
export interface SpliceInput {
  readonly body: ReadBody
  readonly reading: Reading
  /** The messages of the reading under other names, one for one. */
  readonly messages: readonly Message[]
  /** Replacements only. */
  readonly edits: readonly Edit[]
  /** Changes of the request beside its messages. */
  readonly patches: readonly Patch[]
}

/** The bytes of a request that change when edits take effect; null where it is not beyond doubt which ones. */
export function spliceView({ body, reading, messages, edits, patches }: SpliceInput): readonly Splice[] | null {
  if (edits.length === 0 && patches.length === 0) return []
  try {
    const view = applyEdits(messages, edits)
    return spliceBody(body, [...reading.patches(asRead(reading, messages, view)), ...patches])
  } catch {
    // A codec that cannot say where a part stands leaves no doubt about what to do: nothing.
    return null
  }
}

/** Edits of which it is beyond doubt where they take effect, and the bytes that change with them. */
export interface SpliceableEdits {
  readonly edits: readonly Edit[]
  readonly splices: readonly Splice[] | null
  /** How many were left out. */
  readonly dropped: number
}

/** Leaves out the edits that cannot be placed: one of them must not keep all others, which may have been sent already, from holding. */
export function spliceableEdits(request: Omit<SpliceInput, 'edits' | 'patches'>, edits: readonly Edit[]): SpliceableEdits {
  const splicesOf = (some: readonly Edit[]) => spliceView({ ...request, edits: some, patches: [] })
  const splices = splicesOf(edits)
  if (splices !== null) return { edits, splices, dropped: 0 }
  const possible = edits.filter((edit) => splicesOf([edit]) !== null)
  return { edits: possible, splices: splicesOf(possible), dropped: edits.length - possible.length }
}

function asRead(reading: Reading, messages: readonly Message[], view: readonly Message[]): readonly Message[] {
  return reading.messages.map((message, index) => {
    const parts = view[index]?.parts ?? message.parts
    return parts === messages[index]?.parts ? message : { ...message, parts }
  })
}

import { applyEdits, type Edit, type Message, type Patch, type Reading } from '@plimsoll/core'
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

function asRead(reading: Reading, messages: readonly Message[], view: readonly Message[]): readonly Message[] {
  return reading.messages.map((message, index) => {
    const parts = view[index]?.parts ?? message.parts
    return parts === messages[index]?.parts ? message : { ...message, parts }
  })
}

import type { ReplaceEdit } from '../edit.ts'
import { isRecord, type Message } from '../message.ts'
import { fitWindowName } from '../policy.ts'
import { editId, type Fitting } from './fitting.ts'

/**
 * Takes up again what was shown differently in the last request to make it fit, as far as the same originals are still there, so
 * that what the provider has cached keeps its bytes until something has to give way again.
 */
export function takeUpStandingEdits({ draft, facts, sources }: Fitting): void {
  const standing = (facts.inForce ?? []).filter((edit) => edit.policy === fitWindowName && edit.kind === 'replace')
  if (standing.length === 0) return
  const messages = draft.messages()
  const places = new Map(messages.map((message, index) => [message.id, index]))
  for (const edit of standing as readonly ReplaceEdit[]) {
    const index = places.get(edit.message) ?? -1
    const message = messages[index]
    if (message === undefined || !suits(edit, message)) continue
    if (edit.id === editId(message, edit.part, sources)) draft.replace(index, edit)
  }
}

/** Edits come back from a file: one that would make something else of a part is none of ours. */
function suits({ part, with: shown }: ReplaceEdit, message: Message): boolean {
  const was = message.parts[part]
  if (was === undefined || !isRecord(shown)) return false
  if (was.type === 'media') return shown.type === 'text' && typeof shown.text === 'string'
  if (was.type === 'tool-call') return shown.type === 'tool-call' && shown.callId === was.callId && shown.tool === was.tool
  if (was.type !== 'tool-result' || shown.type !== 'tool-result') return false
  return shown.callId === was.callId && isRecord(shown.content)
}

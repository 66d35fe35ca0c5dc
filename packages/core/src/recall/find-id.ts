import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { transcriptOf } from '../results/transcript.ts'
import { handleOf } from '../text/hash.ts'
import { meantResults } from './find-call.ts'
import { originOf, placedParts } from './placed-parts.ts'
import { quoted } from './quoted.ts'
import type { Lookup, RecallSource } from './recall.ts'

/** The original that the id of a message or of a tool call names. Where agents use a call's id again, the latest is meant. */
export function findId(given: string, source: RecallSource, facts: Facts): Lookup {
  const id = given.trim()
  const message = messageWith(id, source)
  const isResult = (part: Message['parts'][number]) => part.type === 'tool-result'
  if (message !== null && !(message.parts.length === 1 && message.parts.every(isResult))) return foundMessage(message, facts)
  const results = meantResults(source, facts, ({ part, message: where }) =>
    message === null ? part.callId === id : where.id === message.id,
  )
  if (results !== null) return results
  const called = isCalled(id, source)
  return {
    kind: 'missing',
    reason: 'unknown-id',
    text: called
      ? `The call ${quoted(id)} has no result in this session.`
      : `No message or tool call of this session has the id ${quoted(id)}. Ask by tool and about, or search with query.`,
  }
}

function messageWith(id: string, source: RecallSource): Message | null {
  for (const message of source.messages()) if (message.id === id) return message
  return null
}

/** One text is given back as it is; several parts as a transcript. */
function foundMessage(message: Message, facts: Facts): Lookup {
  const [placed] = placedParts([message], facts)
  const only = message.parts.length === 1 ? message.parts[0] : undefined
  const text = only?.type === 'text' || only?.type === 'reasoning' ? only.text : transcriptOf([message])
  const handle = handleOf(text)
  const origin =
    placed === undefined
      ? { handle, message: message.id, role: message.role, tool: null, about: '', media: [] }
      : originOf(placed, handle)
  return { original: { ...origin, text }, others: [], otherCount: 0 }
}

function isCalled(id: string, source: RecallSource): boolean {
  for (const { parts } of source.messages()) {
    if (parts.some((part) => part.type === 'tool-call' && part.callId === id)) return true
  }
  return false
}

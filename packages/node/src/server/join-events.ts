import type { SessionEvent } from '../shared/server-api.ts'

/** A piece of a text that comes in many, and which text that is. */
export interface TextPiece {
  readonly key: string
  readonly text: string
}

/** The piece of text that an event tells; null for events that stand for themselves. */
export function pieceOf(event: SessionEvent): TextPiece | null {
  if (event.type === 'text_delta' || event.type === 'reasoning_delta') return { key: event.type, text: event.data.text }
  if (event.type !== 'tool_progress') return null
  const { stage, callId, message, progress } = event.data
  return stage === 'output' && progress === null ? { key: `output ${callId}`, text: message } : null
}

/** An event of the same kind that tells several pieces at once. */
export function joinedEvent(event: SessionEvent, text: string): SessionEvent {
  if (event.type === 'text_delta' || event.type === 'reasoning_delta') return { ...event, data: { text } }
  return event.type === 'tool_progress' ? { ...event, data: { ...event.data, message: text } } : event
}

import type { Message, Part } from '@plimsoll/core'

/** A message of which only the order and the ids are left, so that no text of a long log is held. */
export function slimMessage(message: Message): Message {
  return { ...message, parts: message.parts.map(slimPart) }
}

function slimPart(part: Part): Part {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: '-' }
    case 'reasoning':
      return { type: 'reasoning', text: '-' }
    case 'media':
      return { type: 'media', mediaType: 'vendor/slim', data: null }
    case 'tool-call': {
      const { callId, tool, pending } = part
      return { type: 'tool-call', callId, tool, input: null, ...(pending === true ? { pending } : {}) }
    }
    case 'tool-result':
      return { type: 'tool-result', callId: part.callId, tool: part.tool, content: { type: 'text', text: '' } }
  }
}

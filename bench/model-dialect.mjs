import { argumentsOf, callIdOf, textOfResult, withParts, withResultText } from './peer-parts.mjs'

/** Converts messages of one session to prompts of the AI SDK and back: unchanged messages come back as the same objects. */
export function createModelDialect() {
  const written = new WeakMap()
  const owners = new WeakMap()
  const byCall = new Map()
  const write = (message) => {
    const known = written.get(message)
    if (known !== undefined) return known
    const content =
      message.role === 'system'
        ? message.parts.map((part) => part.text ?? '').join('\n')
        : message.parts.map((part, index) => {
            const made = writePart(part, message)
            owners.set(made, { message, index })
            if (made.toolCallId !== undefined) byCall.set(`${made.type} ${made.toolCallId}`, { message, index })
            return made
          })
    const made = { role: message.role, content }
    written.set(message, made)
    owners.set(made, { message })
    return made
  }
  const ownerOf = (part) => owners.get(part) ?? byCall.get(`${part.type} ${part.toolCallId}`)
  const read = (made, place) => {
    const whole = owners.get(made)
    if (whole !== undefined) return whole.message
    const parts = typeof made.content === 'string' ? [{ type: 'text', text: made.content }] : made.content
    const owner = parts.map(ownerOf).find((found) => found !== undefined)?.message
    if (owner === undefined) return { id: `peer-${place}`, role: made.role, parts: parts.map(readPart) }
    const kept = owner.parts.map(() => null)
    const more = []
    for (const part of parts) {
      const found = ownerOf(part)
      if (found?.message === owner) kept[found.index] = readAgain(part, owner.parts[found.index])
      else more.push(readPart(part))
    }
    return withParts(owner, kept, more)
  }
  return { write: (messages) => messages.map(write), read: (list) => list.map(read) }
}

function writePart(part, message) {
  switch (part.type) {
    case 'tool-call':
      return { type: 'tool-call', toolCallId: part.callId, toolName: part.tool, input: argumentsOf(part) }
    case 'tool-result': {
      const output = { type: part.isError === true ? 'error-text' : 'text', value: textOfResult(part) }
      return { type: 'tool-result', toolCallId: callIdOf(part, message), toolName: part.tool ?? 'tool', output }
    }
    case 'media':
      return { type: 'file', mediaType: part.mediaType, data: 'AAAA' }
    default:
      return { type: part.type, text: part.text }
  }
}

function readAgain(part, original) {
  return original.type === 'tool-result' ? withResultText(original, String(part.output?.value ?? '')) : original
}

function readPart(part) {
  return { type: 'text', text: part.text ?? String(part.output?.value ?? '') }
}

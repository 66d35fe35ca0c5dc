import { callInput, resultText } from '../packages/core/dist/index.js'

/** Replaces a part that a peer removed, so that the others keep their places. It costs nothing. */
const nothing = { type: 'text', text: '' }

/** A message with some parts removed (null) or replaced; the same message if nothing changed. */
export function withParts(message, parts, more = []) {
  const same = more.length === 0 && parts.every((part, index) => part === message.parts[index])
  return same ? message : { ...message, parts: [...parts.map((part) => part ?? nothing), ...more] }
}

/** The text of a result, as input for a peer. */
export function textOfResult(part) {
  return resultText(part)
}

/** The arguments of a call as an object, regardless of the log. */
export function argumentsOf(part) {
  return callInput(part) ?? { input: typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? null) }
}

/** The same result with another text. */
export function withResultText(part, text) {
  return text === resultText(part) ? part : { ...part, content: { type: 'text', text } }
}

/** The call id of a result; null in logs without ids. */
export function callIdOf(part, message) {
  return part.callId ?? `${message.id}-call`
}

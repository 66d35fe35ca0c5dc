import { callInput, resultText } from '../packages/core/dist/index.js'

/** Stands where a peer left a part out, so that the others keep their places. It costs nothing. */
const nothing = { type: 'text', text: '' }

/** A message in which some parts may be left out (null) or others may stand in their place; itself when nothing changed. */
export function withParts(message, parts, more = []) {
  const same = more.length === 0 && parts.every((part, index) => part === message.parts[index])
  return same ? message : { ...message, parts: [...parts.map((part) => part ?? nothing), ...more] }
}

/** The text of a result as a peer is given it. */
export function textOfResult(part) {
  return resultText(part)
}

/** The arguments of a call as an object, whatever a log holds. */
export function argumentsOf(part) {
  return callInput(part) ?? { input: typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? null) }
}

/** The same result with another text. */
export function withResultText(part, text) {
  return text === resultText(part) ? part : { ...part, content: { type: 'text', text } }
}

/** Which call a result answers; logs without ids give it none. */
export function callIdOf(part, message) {
  return part.callId ?? `${message.id}-call`
}

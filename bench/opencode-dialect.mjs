import { argumentsOf, callIdOf, textOfResult, withParts, withResultText } from './peer-parts.mjs'

/** Metadata of every message of a session. */
const model = { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' }

/**
 * Converts messages of one session to opencode's format, with the results inside their calls, and back. System messages are
 * separate there and are restored to their places.
 */
export function createOpencodeDialect(sessionID) {
  const owners = new Map()
  const written = new WeakMap()
  let count = 0
  // The results are known before a message is sent, so a message is written once.
  const write = (message, place, answers) => {
    const known = written.get(message)
    if (known !== undefined) return known
    // Counted over the session, because indices restart after a compaction.
    count += 1
    const number = String(count).padStart(6, '0')
    const id = `msg_${number}`
    owners.set(id, { message })
    const parts = message.parts.flatMap((part, index) => {
      const made = writePart(part, answers())
      if (made === null) return []
      const partId = `prt_${number}_${String(index).padStart(3, '0')}`
      owners.set(partId, { part, index, answer: answers().get(part.callId) })
      return [{ id: partId, sessionID, messageID: id, ...made }]
    })
    const time = { created: message.at ?? place, completed: message.at ?? place }
    const made = { info: { id, sessionID, role: message.role, time, agent: 'build', model, ...model }, parts }
    written.set(message, { made, size: JSON.stringify(parts).length >> 2 })
    return written.get(message)
  }
  return {
    write(messages) {
      let found
      const answers = () => (found ??= answersIn(messages))
      let input = 0
      return messages.flatMap((message, place) => {
        if (message.role !== 'user' && message.role !== 'assistant') return []
        const { made, size } = write(message, place, answers)
        input += size
        const tokens = { input, output: 100, reasoning: 0, cache: { read: 0, write: 0 } }
        return [{ info: { ...made.info, tokens }, parts: made.parts }]
      })
    },
    read(list, messages) {
      const apart = messages.filter(({ role }) => role === 'system')
      const places = new Map(messages.map((message, place) => [message, place]))
      const shown = list.flatMap(({ info, parts }, index) => {
        const [message, ...answers] = readMessage(info, parts, index, owners)
        const place = places.get(owners.get(info.id)?.message) ?? 0
        const before = []
        while (apart.length > 0 && places.get(apart[0]) < place) before.push(apart.shift())
        return [...before, message, ...answers]
      })
      return [...shown, ...apart]
    },
  }
}

function answersIn(messages) {
  const answers = new Map()
  for (const message of messages)
    for (const part of message.parts) if (part.type === 'tool-result') answers.set(callIdOf(part, message), { message, part })
  return answers
}

function writePart(part, answers) {
  if (part.type === 'text' || part.type === 'reasoning') return { type: part.type, text: part.text }
  if (part.type !== 'tool-call') return null
  const answer = answers.get(part.callId)?.part
  const input = argumentsOf(part)
  const time = { start: 1, end: 2 }
  const tool = { type: 'tool', callID: part.callId, tool: part.tool }
  if (answer === undefined) return { ...tool, state: { status: 'pending', input } }
  const text = textOfResult(answer)
  return answer.isError === true
    ? { ...tool, state: { status: 'error', input, error: text, time } }
    : { ...tool, state: { status: 'completed', input, output: text, title: '', metadata: {}, time } }
}

/** A message, followed by the results of its calls. */
function readMessage(info, parts, place, owners) {
  const message = owners.get(info.id)?.message ?? { id: `peer-${place}`, role: info.role, parts: [] }
  const kept = message.parts.map((part) => (part.type === 'media' ? part : null))
  const more = []
  const answers = []
  for (const part of parts) {
    const owner = owners.get(part.id)
    if (owner === undefined) {
      if (typeof part.text === 'string') more.push({ type: 'text', text: part.text })
      continue
    }
    kept[owner.index] = readPart(part, owner.part)
    if (owner.answer !== undefined) answers.push({ ...owner.answer, text: part.state.output ?? part.state.error ?? '' })
  }
  return [withParts(message, kept, more), ...readAnswers(answers)]
}

function readPart(part, original) {
  if (part.type !== 'tool') return part.text === original.text ? original : { ...original, text: part.text }
  const same = JSON.stringify(part.state.input) === JSON.stringify(argumentsOf(original))
  return same ? original : { ...original, input: part.state.input }
}

function readAnswers(answers) {
  return [...Map.groupBy(answers, ({ message }) => message)].map(([message, list]) => {
    const texts = new Map(list.map(({ part, text }) => [part, text]))
    const parts = message.parts.map((part) => (texts.has(part) ? withResultText(part, texts.get(part)) : null))
    return withParts(message, parts)
  })
}

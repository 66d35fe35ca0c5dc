import { texts } from './prose.mjs'
import { createRandom } from './random.mjs'

/** The time of the first message. Any fixed time works. */
const startOfWork = 1_750_000_000_000
const root = '/home/dev/project'
/** The engine's own frames around messages, calls and results, in characters at four a token. */
const frameCharacters = { message: 16, call: 32, result: 16 }

/**
 * A generated coding session in the engine's own form: the given number of messages, and about the given number of tokens at
 * four characters each. The same numbers always give the same conversation, and a shorter one is not a prefix of a longer one.
 */
export function createConversation({ messages: count, tokens, seed = 7 }) {
  const random = createRandom(seed)
  const files = Array.from({ length: 40 }, (_, index) => ({
    path: `${root}/src/module-${index}.ts`,
    size: random.longTailed(1) + 0.2,
  }))
  const drafts = draftMessages(random, files, count)
  const share = characterShare(drafts, tokens * 4)
  return drafts.map((draft, index) => ({
    id: `m${index}`,
    role: draft.role,
    parts: draft.result === undefined ? draft.parts : [resultPart(random, draft.result, share)],
    at: draft.at,
  }))
}

/** The lengths at which a conversation may be sent: every call answered, and something to reply to. */
export function legalEnds(conversation) {
  return conversation.flatMap(({ role }, index) => {
    const answered = role === 'tool' && conversation[index + 1]?.role !== 'tool'
    return answered || role === 'user' ? [index + 1] : []
  })
}

/** Large enough for every conversation here, so that the last resort is not measured. */
const wideWindow = { context_window: 4_000_000 }

/** The facts that go with a conversation when its last message has just been written. */
export function factsAfter(messages, tokens, config = wideWindow) {
  return { now: messages.at(-1).at + 2000, root, tokens, config }
}

/** A coding session's usual size: most messages are short, a few results are long. */
export const tokensPerMessage = 200

/** Four characters per token: nearly free, so that the engine's own time is measured. */
export const quarter = { name: 'length/4', count: (text) => text.length >> 2 }

function draftMessages(random, files, count) {
  const drafts = []
  let at = startOfWork
  const add = (draft) => {
    at += random.between(2000, 40_000)
    drafts.push({ ...draft, at })
  }
  add({ role: 'system', parts: [text(texts.sentences(random, 2400))] })
  while (drafts.length < count) {
    const prompt = random.chance(0.15) ? texts.chinese(random, 60) : texts.sentences(random, random.between(40, 500))
    add({ role: 'user', parts: [text(prompt)] })
    for (let steps = random.between(2, 12); steps > 0 && drafts.length < count - 4; steps -= 1)
      addStep(random, files, drafts, add)
    add({ role: 'assistant', parts: [text(texts.sentences(random, random.between(60, 500)))] })
  }
  return drafts.slice(0, count)
}

/** One message of the assistant with its calls, and the results that answer them. */
function addStep(random, files, drafts, add) {
  const calls = Array.from({ length: random.chance(0.12) ? 2 : 1 }, (_, index) => ({
    ...draftCall(random, files),
    callId: `call_${drafts.length}_${index}`,
  }))
  const parts = calls.map(({ callId, tool, input }) => ({ type: 'tool-call', callId, tool, input: JSON.stringify(input) }))
  if (random.chance(0.4)) parts.unshift(text(texts.sentences(random, random.between(30, 200))))
  if (random.chance(0.3)) parts.unshift({ type: 'reasoning', text: texts.sentences(random, random.between(80, 400)) })
  add({ role: 'assistant', parts })
  for (const { callId, tool, result } of calls) add({ role: 'tool', result: { callId, tool, ...result } })
}

function draftCall(random, files) {
  const dice = random.next()
  if (dice < 0.35) return commandCall(random)
  if (dice < 0.65) {
    const file = random.pick(files)
    return { tool: 'Read', input: { file_path: file.path }, result: { write: texts.code, weight: file.size } }
  }
  if (dice < 0.8) {
    return {
      tool: 'Grep',
      input: { pattern: 'retry', path: root },
      result: { write: texts.matches, weight: random.longTailed(60) / 60 },
    }
  }
  if (dice < 0.98) return editCall(random, files)
  const picture = (random, length) => JSON.stringify({ success: true, screenshot: texts.base64(random, length) })
  return { tool: 'screenshot', input: {}, result: { write: picture, length: random.between(4000, 20_000) } }
}

function commandCall(random) {
  const input = { command: random.pick(['npm test', 'git diff', 'npm run build', 'ls -la src', 'git log --oneline -20']) }
  if (random.chance(0.08)) {
    const failure = (random, length) =>
      `Exit code 1\n${texts.log(random, length)}\nError: expected 41 to equal 42\n    at src/ledger.ts:118:9`
    const length = random.between(200, 1500)
    // A few print more than a tool may show; no other policy shortens a failure.
    return { tool: 'Bash', input, result: { write: failure, length: length > 1200 ? length * 8 : length, isError: true } }
  }
  // Some print far more than a tool may show.
  if (random.chance(0.08)) return { tool: 'Bash', input, result: { write: texts.log, length: random.between(9000, 20_000) } }
  return { tool: 'Bash', input, result: { write: texts.log, weight: random.longTailed(60) / 60 } }
}

function editCall(random, files) {
  const { path } = random.pick(files)
  const input = { file_path: path, old_string: texts.code(random, 90), new_string: texts.code(random, 120) }
  const failed = random.chance(0.05)
  const answer = failed ? 'Error: old_string was not found in the file' : `The file ${path} has been updated.`
  return { tool: 'Edit', input, result: { write: () => answer, length: answer.length, isError: failed } }
}

/** Characters for a result of weight one, so that the whole conversation has the wanted length. */
function characterShare(drafts, characters) {
  let fixed = 0
  let weights = 0
  for (const { parts = [], result } of drafts) {
    fixed += frameCharacters.message
    for (const part of parts) {
      fixed += part.type === 'tool-call' ? part.input.length + part.tool.length + frameCharacters.call : part.text.length
    }
    if (result === undefined) continue
    fixed += frameCharacters.result + (result.length ?? 0)
    weights += result.weight ?? 0
  }
  return Math.max(0, characters - fixed) / Math.max(weights, 1)
}

function resultPart(random, { callId, tool, write, length, weight, isError }, share) {
  const content = { type: 'text', text: write(random, length ?? Math.max(20, Math.round(weight * share))) }
  return { type: 'tool-result', callId, tool, content, ...(isError === true ? { isError } : {}) }
}

function text(text) {
  return { type: 'text', text }
}

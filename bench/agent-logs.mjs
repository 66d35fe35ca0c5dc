import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { texts } from './prose.mjs'
import { createRandom } from './random.mjs'

/** Logs of the usual size of a long working day. */
const logBytes = 4_000_000

/** Writes logs of Claude Code, Codex and pi below a home folder, this many bytes in all, always the same ones. Returns their paths. */
export function writeAgentLogs(home, bytes) {
  const paths = []
  for (let written = 0, session = 0; written < bytes; session += 1) {
    const length = Math.min(logBytes * (0.25 + ((session * 7) % 10) / 6), bytes - written)
    const [name, write] = kinds[session % 10 < 6 ? 0 : session % 10 < 9 ? 1 : 2]
    const path = join(home, name(session))
    mkdirSync(dirname(path), { recursive: true })
    const text = write({ session, bytes: length })
    writeFileSync(path, text)
    written += Buffer.byteLength(text)
    paths.push(path)
  }
  return paths
}

const kinds = [
  [(session) => `.claude/projects/-home-dev-project-${session % 8}/session-${session}.jsonl`, claudeLog],
  [(session) => `.codex/sessions/2026/0${1 + (session % 9)}/05/rollout-${session}.jsonl`, codexLog],
  [(session) => `.pi/agent/sessions/--home-dev-project--/session-${session}.jsonl`, piLog],
]

/** Claude Code writes every result twice: for the model, and for its own screen. */
export function claudeLog({ session, bytes }) {
  const { lines, size, random, step } = startLog(session)
  let parent = null
  let number = 0
  const add = (type, message, more = {}) => {
    number += 1
    const uuid = `${session}-${number}`
    const fields = { isSidechain: false, userType: 'external', cwd: root, sessionId: `session-${session}`, version: '2.0.14' }
    lines({ parentUuid: parent, ...fields, gitBranch: 'main', type, message, uuid, timestamp: step(), ...more })
    parent = uuid
  }
  while (size() < bytes) {
    if (number % 40 === 0) add('user', { role: 'user', content: texts.sentences(random, random.longTailed(300)) })
    const { tool, input, text } = work(random)
    const id = `toolu_${session}_${number}`
    const usage = usageOf(random, number)
    const answer = { id: `msg_${session}_${number}`, type: 'message', role: 'assistant', model: 'claude-opus-5' }
    if (random.chance(0.5)) {
      const content = [{ type: 'text', text: texts.sentences(random, random.longTailed(200)) }]
      add('assistant', { ...answer, content, usage })
    }
    add('assistant', { ...answer, content: [{ type: 'tool_use', id, name: tool, input }], usage })
    const result = [{ tool_use_id: id, type: 'tool_result', content: text }]
    const shown =
      tool === 'Read' ? { type: 'text', file: { filePath: input.file_path, content: text } } : { stdout: text, stderr: '' }
    add('user', { role: 'user', content: result }, { toolUseResult: shown })
  }
  return lines()
}

function codexLog({ session, bytes }) {
  const { lines, size, random, step } = startLog(session)
  const add = (type, payload) => lines({ timestamp: step(), type, payload })
  add('session_meta', { id: `codex-${session}`, cwd: root, instructions: texts.sentences(random, 4000) })
  add('turn_context', { model: 'gpt-5.5', cwd: root })
  const sum = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_output_tokens: 0, total_tokens: 0 }
  for (let number = 0; size() < bytes; number += 1) {
    if (number % 20 === 0) {
      const text = texts.sentences(random, random.longTailed(300))
      add('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
      add('event_msg', { type: 'user_message', message: text })
    }
    const { command, text } = work(random)
    const call_id = `call_${session}_${number}`
    const summary = [{ type: 'summary_text', text: texts.sentences(random, 200) }]
    add('response_item', { type: 'reasoning', summary, content: null, encrypted_content: base64(random, 1200) })
    add('response_item', { type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd: command }), call_id })
    add('response_item', { type: 'function_call_output', call_id, output: text })
    const { input_tokens, cache_read_input_tokens, output_tokens } = usageOf(random, number)
    const last = {
      input_tokens: input_tokens + cache_read_input_tokens,
      cached_input_tokens: cache_read_input_tokens,
      output_tokens,
      reasoning_output_tokens: 20,
      total_tokens: input_tokens + cache_read_input_tokens + output_tokens,
    }
    for (const name of Object.keys(sum)) sum[name] += last[name]
    add('event_msg', { type: 'token_count', info: { total_token_usage: { ...sum }, last_token_usage: last } })
  }
  return lines()
}

function piLog({ session, bytes }) {
  const { lines, size, random, step } = startLog(session)
  lines({ type: 'session', version: 3, id: `pi-${session}`, timestamp: step(), cwd: root })
  let parentId = null
  const add = (id, message) => {
    lines({ type: 'message', id, parentId, timestamp: step(), message })
    parentId = id
  }
  for (let number = 0; size() < bytes; number += 1) {
    if (number % 20 === 0) add(`u${number}`, { role: 'user', content: texts.sentences(random, random.longTailed(300)) })
    const { input, text } = work(random)
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = usageOf(random, number)
    const toolCall = { type: 'toolCall', id: `t${number}`, name: 'read', arguments: { path: input.file_path ?? 'README.md' } }
    const usage = {
      input: input_tokens,
      output: output_tokens,
      cacheRead: cache_read_input_tokens,
      cacheWrite: cache_creation_input_tokens,
    }
    add(`a${number}`, { role: 'assistant', model: 'claude-sonnet-4-5', content: [toolCall], usage })
    const content = [{ type: 'text', text }]
    add(`r${number}`, { role: 'toolResult', toolCallId: `t${number}`, toolName: 'read', content, isError: false })
  }
  return lines()
}

const root = '/home/dev/project'

function startLog(session) {
  const random = createRandom(session + 1)
  const written = []
  let size = 0
  let at = Date.UTC(2026, 0, 5) + session * 3_600_000
  return {
    random,
    size: () => size,
    step: () => new Date((at += random.between(500, 20_000))).toISOString(),
    /** Adds a line; without one, returns the log. */
    lines: (entry) => {
      if (entry === undefined) return `${written.join('\n')}\n`
      const line = JSON.stringify(entry)
      size += line.length + 1
      written.push(line)
    },
  }
}

/** A call and its result: a piece of a large text, so that no two results are the same and writing them is quick. */
function work(random) {
  const isRead = random.chance(0.5)
  const pool = isRead ? code : output
  const length = Math.min(30_000, random.longTailed(3500))
  const start = random.below(pool.length - length)
  const file_path = `${root}/src/module-${random.below(60)}.ts`
  const command = isRead ? `cat ${file_path}` : `npm test -- module-${random.below(60)}`
  const input = isRead ? { file_path } : { command, description: 'Runs the tests' }
  return { tool: isRead ? 'Read' : 'Bash', input, command, text: pool.slice(start, start + length) }
}

function usageOf(random, number) {
  return {
    input_tokens: random.between(2, 900),
    cache_creation_input_tokens: random.between(200, 4000),
    cache_read_input_tokens: 12_000 + (number % 400) * 300,
    output_tokens: random.between(20, 800),
  }
}

const code = texts.code(createRandom(3), 2_000_000)
const output = `${texts.log(createRandom(4), 1_500_000)}\n${texts.sentences(createRandom(5), 400_000)}\n${texts.chinese(createRandom(6), 30_000)}`

function base64(random, length) {
  const start = random.below(noise.length - length)
  return noise.slice(start, start + length)
}

const noise = noiseText(createRandom(8))

function noiseText(random) {
  return Buffer.from(Uint8Array.from({ length: 100_000 }, () => random.below(256))).toString('base64')
}

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createSession } from '../packages/node/dist/session/create-session.js'
import { createRandom } from './random.mjs'

/** Writes an agent session with this many messages and results of about this many characters; each step is a request with usage. */
export async function writeWebSession(sessions, { messages, length }) {
  const session = await createSession(sessions)
  const { next } = createRandom(7)
  const tools = ['Read', 'Bash', 'Grep', 'Edit']
  let tokens = 2000
  for (let number = 0; number < messages; ) {
    const entries = []
    for (let step = 0; step < 100 && number < messages; step += 1, number += 2) {
      const callId = `c${number}`
      const tool = tools[Math.floor(next() * tools.length)]
      if (number % 200 === 0) {
        entries.push(
          messageEntry({ id: `m${number}`, role: 'user', parts: [{ type: 'text', text: `Continue with part ${number}.` }] }),
        )
      }
      const input = { path: `src/part-${number % 97}.ts` }
      const text = linesOf(length * (0.5 + next()), number)
      entries.push(
        { type: 'request', model: 'claude-sonnet-4-5', last: `r${number - 2}`, view: 'none', estimate: tokens, policies: [] },
        messageEntry({ id: `a${number}`, role: 'assistant', parts: [{ type: 'tool-call', callId, tool, input }] }),
        messageEntry({
          id: `r${number}`,
          role: 'tool',
          parts: [{ type: 'tool-result', callId, tool, content: { type: 'text', text } }],
        }),
      )
      tokens = 2000 + ((tokens + Math.round(text.length / 4)) % 170_000)
    }
    const written = await session.append(entries)
    const usages = written.filter(({ type }) => type === 'request').map(({ id, estimate }) => usageEntry(id, estimate))
    await session.append(usages)
  }
  await session.close()
  const log = join(sessions, session.id, 'log.jsonl')
  return { id: session.id, log, bytes: statSync(log).size }
}

function messageEntry(message) {
  return { type: 'message', message: { ...message, at: 1_760_000_000_000 } }
}

function usageEntry(request, estimate) {
  const cacheRead = Math.round(estimate * 0.9)
  return {
    type: 'usage',
    request,
    usage: { input: 100, cacheRead, cacheWrite: Math.max(0, estimate - cacheRead - 100), output: 200 },
  }
}

function linesOf(length, number) {
  const line = `src/part-${number % 97}.ts:${number}: const value${number} = read(file, { encoding: 'utf8' }) // and so on\n`
  return line.repeat(Math.ceil(length / line.length))
}

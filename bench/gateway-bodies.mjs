import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readLog } from '../packages/node/dist/logs/read-log.js'
import { readLogs } from '../packages/node/dist/logs/read-logs.js'
import { recordSession } from '../packages/node/dist/replay/record-session.js'

const sharedSessions = fileURLToPath(new URL('../../shared/sessions', import.meta.url))
const example = fileURLToPath(new URL('../packages/node/example/conversation.json', import.meta.url))
const uncounted = { name: 'none', count: () => 0 }

/** Every request of every recorded session in the ways agents may write it, with odd spacing and escapes. */
export async function* logBodies() {
  for await (const { session, format } of readSessions()) {
    const { segments, steps } = recordSession(session, { name: '', format, tokens: uncounted })
    let number = 0
    for (const { segment, length } of steps) {
      const messages = (segments[segment] ?? []).slice(0, length)
      number += 1
      yield Buffer.from(
        writeBody({ model: 'gpt-4o', stream: number % 2 === 0, messages: messages.flatMap(chatMessages) }, number),
      )
    }
  }
}

async function* readSessions() {
  if (!existsSync(sharedSessions)) {
    const { value } = await readLog(example)
    for (const session of value?.sessions ?? []) yield { session, format: value.format }
    return
  }
  for await (const { log } of readLogs([sharedSessions])) {
    for (const session of log?.sessions ?? []) yield { session, format: log.format }
  }
}

/** Clients write JSON differently; each form must arrive unchanged. */
function writeBody(value, number) {
  if (number % 5 === 0) return JSON.stringify(value, null, 2)
  if (number % 5 === 1)
    return JSON.stringify(value).replace(/[^\u0020-\u007e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return JSON.stringify(value)
}

function chatMessages({ role, parts }) {
  const text = parts.flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [part.text] : [])).join('\n')
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ id: part.callId, type: 'function', function: { name: part.tool, arguments: JSON.stringify(part.input) } }]
      : [],
  )
  const results = parts.flatMap((part) =>
    part.type === 'tool-result' ? [{ role: 'tool', tool_call_id: part.callId ?? '', content: contentText(part.content) }] : [],
  )
  if (role === 'tool') return results
  return [{ role, content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }]
}

function contentText(content) {
  if (content.type === 'text') return content.text
  return JSON.stringify(content.type === 'json' ? content.value : content.items)
}

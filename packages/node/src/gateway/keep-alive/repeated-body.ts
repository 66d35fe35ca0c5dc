import { isRecord, parseJson } from '@plimsoll/core/text'
import { isPlainPath, patchText } from '@plimsoll/core/wire'

type Fields = Readonly<Record<string, unknown>>

/**
 * A request in Anthropic's format with a limit of one token for its answer, all other bytes as they were. Null if repeating it could do more than
 * read the prompt: tools that run at the provider, a summary, a turn that goes on, or thinking that needs more room.
 */
export function repeatedBody(body: Uint8Array): Buffer | null {
  const text = decoded(body)
  if (text === null) return null
  const value = parseJson(text)
  if (!isRecord(value) || typeof value['max_tokens'] !== 'number' || !isPlainPath(text, limit)) return null
  if (!isHarmless(value) || !hasShortThinking(value)) return null
  // Of two fields of one name, the provider may read the other one.
  if (judged.some((field) => Object.hasOwn(value, field) && !isPlainPath(text, [field]))) return null
  return Buffer.from(patchText(text, [{ op: 'set', path: limit, value: 1 }]))
}

const limit = ['max_tokens']
const judged = ['tools', 'messages', 'mcp_servers', 'container', 'context_management', 'thinking']

function decoded(body: Uint8Array): string | null {
  try {
    return decoder.decode(body)
  } catch {
    return null
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function isHarmless({ tools, messages, mcp_servers: servers, container, context_management: managed }: Fields): boolean {
  const last = Array.isArray(messages) ? messages.at(-1) : null
  if (!isRecord(last) || last['role'] !== 'user') return false
  if (servers !== undefined || (container !== undefined && container !== null)) return false
  return listOf(tools).every(runsAtClient) && !listOf(isRecord(managed) ? managed['edits'] : []).some(isCompaction)
}

/** A list that is none cannot be judged. */
function listOf(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [null]
}

/** Tools without a type are the client's own, and so are these of the provider. */
function runsAtClient(tool: unknown): boolean {
  if (!isRecord(tool)) return false
  const { type } = tool
  return type === undefined || (typeof type === 'string' && /^(?:custom$|(?:bash|text_editor|computer|memory)_\d)/.test(type))
}

/** Its summary would be written again. */
function isCompaction(edit: unknown): boolean {
  return !isRecord(edit) || typeof edit['type'] !== 'string' || edit['type'].startsWith('compact')
}

/** A fixed budget for thinking has to be below the limit, and another one is another prompt for the cache. */
function hasShortThinking({ thinking }: Fields): boolean {
  if (thinking === undefined) return true
  return isRecord(thinking) && (thinking['type'] === 'disabled' || thinking['type'] === 'adaptive')
}

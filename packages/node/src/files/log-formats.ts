import { isMapping } from '../config/mapping.ts'

type Fields = Readonly<Record<string, unknown>>

/** Agent logs and requests that are recognised by their marks, and that no codec reads. */
const formats: readonly { readonly name: string; readonly marks: (entry: Fields) => boolean }[] = [
  {
    name: 'Claude Code JSONL',
    marks: (entry) =>
      has(entry, 'parentUuid', 'leafUuid', 'isSnapshotUpdate') ||
      (has(entry, 'sessionId') && has(entry, 'type') && !has(entry, 'messageId')),
  },
  { name: 'a Codex rollout', marks: (entry) => has(entry, 'payload') && typeof entry['type'] === 'string' },
  { name: 'a pi session', marks: (entry) => entry['type'] === 'session' && has(entry, 'cwd') },
  {
    name: 'OpenHands events',
    marks: (entry) => has(entry, 'action', 'observation') && has(entry, 'source', 'action_risk', 'extras'),
  },
  { name: 'AI SDK UI messages', marks: (entry) => has(entry, 'role') && partsAreTyped(entry['parts']) },
  {
    name: 'Gemini contents',
    marks: (entry) => (has(entry, 'role') && Array.isArray(entry['parts'])) || Array.isArray(entry['contents']),
  },
  {
    name: 'OpenAI Responses items',
    marks: (entry) => has(entry, 'previous_response_id', 'call_id') || (has(entry, 'input') && has(entry, 'model')),
  },
]

/** The name of a log format that this version does not read, judged by the first entries of a file; null when none is known. */
export function recogniseLog(entries: readonly unknown[]): string | null {
  for (const entry of entries.slice(0, 20)) {
    if (!isMapping(entry)) continue
    // Whatever else a message carries, it is one.
    if (has(entry, 'role') && has(entry, 'content')) continue
    const format = formats.find(({ marks }) => marks(entry))
    if (format !== undefined) return format.name
  }
  return null
}

/** Whether an entry has any of these fields. */
function has(entry: Fields, ...keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(entry, key))
}

function partsAreTyped(parts: unknown): boolean {
  return Array.isArray(parts) && parts.length > 0 && parts.every((part) => isMapping(part) && 'type' in part)
}

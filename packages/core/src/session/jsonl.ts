import { isRecord } from '../message.ts'
import { parseJson } from '../text/json.ts'
import { utf8Length } from '../text/lines.ts'
import type { DialectName } from '../wire/write-request.ts'
import { checkEntry } from './check-entry.ts'
import type { Entry } from './entry.ts'

/** A value moved out of an entry into the blob store, and how to restore it. */
export interface MovedValue {
  readonly path: readonly (string | number)[]
  readonly sha256: string
  readonly bytes: number
  /** Content of the bytes: decoded base64 of either alphabet, UTF-8 text, or raw bytes. */
  readonly form: 'base64' | 'base64url' | 'text' | 'bytes'
  readonly prefix?: string
}

/** A parsed line of a log, with its checksum as it is. A foreign line has a reason; a newer one keeps its place in the tree. */
export type ReadLine =
  | { readonly kind: 'entry'; readonly entry: Entry; readonly moved: readonly MovedValue[]; readonly sum?: string }
  | { readonly kind: 'torn' | 'foreign'; readonly reason: string }
  | { readonly kind: 'newer'; readonly reason: string; readonly id: string | null; readonly parentId: string | null }

/** Writes an entry as one line: the head, readable alone, then the remaining byte count, to detect a cut-off line. */
export function writeLine(entry: Entry, moved: readonly MovedValue[] = []): string {
  const { type, id, parentId, at, ...rest } = entry
  const head = JSON.stringify({ type, id, parentId, at }).slice(0, -1)
  const body = JSON.stringify({ ...rest, ...(moved.length === 0 ? {} : { blobs: moved }) })
  const tail = body === '{}' ? '}' : `,${body.slice(1)}`
  return `${head},"bytes":${utf8Length(tail)}${tail}`
}

/** Reads one line, without its end. Never throws. */
export function readLine(line: string): ReadLine {
  // Some editors add a byte order mark.
  const value = parseJson(line.startsWith('\ufeff') ? line.slice(1) : line)
  if (value === undefined) return { kind: 'torn', reason: 'not a whole JSON value' }
  if (!isRecord(value)) return { kind: 'foreign', reason: 'JSON, but not an object' }
  const { type, id, parentId } = value
  if (typeof type !== 'string' || typeof id !== 'string') return { kind: 'foreign', reason: 'an object without type and id' }
  const { blobs, bytes, sum, ...fields } = value
  const checked = checkEntry(fields)
  if (checked.newer !== undefined) {
    const reason = `${checked.newer}, which this version does not know`
    return { kind: 'newer', reason, id, parentId: typeof parentId === 'string' ? parentId : null }
  }
  if (checked.wrong !== undefined) return { kind: 'foreign', reason: `${type} entry ${short(id)}: ${checked.wrong}` }
  if (parentId === id) return { kind: 'foreign', reason: `entry ${short(id)} continues itself` }
  if (bytes !== undefined && typeof bytes !== 'number')
    return { kind: 'foreign', reason: `entry ${short(id)}: bytes is no number` }
  const moved = Array.isArray(blobs) ? blobs.filter(isMoved) : []
  return { kind: 'entry', entry: checked.entry, moved, ...(typeof sum === 'string' ? { sum } : {}) }
}

/** The hash becomes a file name, so it must be nothing but a hash. */
function isMoved(value: unknown): value is MovedValue {
  if (!isRecord(value)) return false
  const { path, sha256, form, prefix } = value
  return (
    Array.isArray(path) &&
    path.every((step) => typeof step === 'string' || typeof step === 'number') &&
    isSha256(sha256) &&
    (form === 'base64' || form === 'base64url' || form === 'text' || form === 'bytes') &&
    (prefix === undefined || typeof prefix === 'string')
  )
}

export function isSha256(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

function short(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 37)}...` : text)
}

/** Export formats of a session: a request, text, or the log. */
export type ExportFormat = DialectName | 'react' | 'markdown' | 'log'

export const exportFormats: readonly ExportFormat[] = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'ai-sdk',
  'react',
  'markdown',
  'log',
]

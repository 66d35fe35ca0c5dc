import type { DigestFields } from '../../facts.ts'
import { isRecord, resultText, type ToolResultPart } from '../../message.ts'
import { parseJsonData } from '../../text/parse-json.ts'
import { clip, lineWidth } from './clip.ts'

/** What a result says, apart from the frame it says it in. */
export interface ReadResult {
  readonly status: string
  /** The answer's data, where it is JSON. */
  readonly fields: DigestFields | null
  /** The answer as text. */
  readonly text: string
  /** What went wrong, whole; undefined where nothing did. */
  readonly error: unknown
  /** What a digest keeps of the frame, because it stands nowhere else. */
  readonly lifted: DigestFields
}

/**
 * Reads a result: an envelope `{ status, data, error, text, stats, context }`, any other JSON, or plain text. Text, stats and
 * context of an envelope are left behind, except for what the call was about, its flags and the note that a file changed.
 */
export function readResult(part: ToolResultPart, isError: boolean): ReadResult {
  const text = resultText(part)
  const { content } = part
  const value = content.type === 'json' && typeof content.value !== 'string' ? content.value : parseJsonData(text)
  if (isEnvelope(value)) return readEnvelope(value, text, isError)
  const fields = fieldsOf(value)
  const error = isError && fields !== null ? (fields['error'] ?? fields['message']) : undefined
  return { status: isError ? 'error' : 'success', fields: without(fields, error), text, error, lifted: {} }
}

type Envelope = DigestFields & { readonly status: string }

function isEnvelope(value: unknown): value is Envelope {
  if (!isRecord(value) || typeof value['status'] !== 'string' || !statuses.has(value['status'])) return false
  return 'data' in value || 'error' in value || ('text' in value && ('stats' in value || 'context' in value))
}

/** What the outcome of a call is called; other words are the data of whatever has such a status. */
const statuses: ReadonlySet<string> = new Set(['success', 'ok', 'partial', 'warning', 'error', 'failed'])

function readEnvelope(envelope: Envelope, whole: string, isError: boolean): ReadResult {
  const { data, error, text, context } = envelope as DigestFields
  const said = envelope.status
  const fields = fieldsOf(data)
  // Text is left behind because the data or the error has it already; where there is neither, it is what the tool answered.
  const isTold = !isEmpty(data) || (isError && !isEmpty(error))
  const answer = typeof data === 'string' ? data : !isTold && typeof text === 'string' ? text : null
  return {
    status: isError === (said === 'error' || said === 'failed') ? said : isError ? 'error' : 'success',
    fields: answer === null ? (fields ?? {}) : null,
    text: answer ?? whole,
    error: isError ? error : undefined,
    lifted: { ...liftedFrom(context), ...flagsOf(envelope), ...noteIn(text) },
  }
}

function isEmpty(data: unknown): boolean {
  return data === undefined || data === null || (isRecord(data) && Object.keys(data).length === 0)
}

function fieldsOf(value: unknown): DigestFields | null {
  if (Array.isArray(value)) return { items: value }
  return isRecord(value) ? value : null
}

function without(fields: DigestFields | null, error: unknown): DigestFields | null {
  if (fields === null || error === undefined) return fields
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => value !== error || (key !== 'error' && key !== 'message')),
  )
}

/** What a call was about, from where agents note it: the context itself, or the arguments inside it. */
function liftedFrom(context: unknown): DigestFields {
  if (!isRecord(context)) return {}
  const places = [context, ...['params_input', 'params', 'input', 'arguments'].map((key) => context[key])].filter(isRecord)
  return Object.fromEntries(
    ['path', 'pattern', 'query', 'modified_externally'].flatMap((key): readonly (readonly [string, unknown])[] => {
      const value = places.find((place) => Object.hasOwn(place, key))?.[key]
      if (typeof value === 'string') return [[key, clip(value, lineWidth)]]
      return typeof value === 'boolean' ? [[key, value]] : []
    }),
  )
}

function flagsOf(envelope: DigestFields): DigestFields {
  const flags = ['truncated', 'applied', 'fallback', 'modified_externally'].filter((key) => typeof envelope[key] === 'boolean')
  return Object.fromEntries(flags.map((key) => [key, envelope[key]]))
}

/** The note that a file was changed by somebody else, which a tool may write into its text. */
export function noteIn(text: unknown): DigestFields {
  return typeof text === 'string' && changedNote.test(text) ? { modified_externally: true } : {}
}

const changedNote = /^Note: [^\n]{1,500} was modified externally\.\r?$/m

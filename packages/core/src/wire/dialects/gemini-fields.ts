import { isRecord, type ProviderOptions } from '../../message.ts'
import type { RawMessage } from '../dialect.ts'

/** The names of a field: Gemini takes each spelt in two ways. */
export interface FieldNames {
  readonly camel: string
  readonly snake: string
}

/** What a part of a content can hold; it holds one of them. */
export const partFields = {
  text: same('text'),
  functionCall: names('functionCall', 'function_call'),
  functionResponse: names('functionResponse', 'function_response'),
  inlineData: names('inlineData', 'inline_data'),
  fileData: names('fileData', 'file_data'),
  executableCode: names('executableCode', 'executable_code'),
  codeExecutionResult: names('codeExecutionResult', 'code_execution_result'),
  toolCall: names('toolCall', 'tool_call'),
  toolResponse: names('toolResponse', 'tool_response'),
} as const

/** One of the things a part can hold. */
export type PartField = keyof typeof partFields

const allFields = Object.keys(partFields) as readonly PartField[]

const thoughtSignature = names('thoughtSignature', 'thought_signature')
const mimeType = names('mimeType', 'mime_type')

/** The name under which an object has a field; the first one where it has none. */
export function nameIn(raw: RawMessage, { camel, snake }: FieldNames): string {
  return raw[camel] === undefined && raw[snake] !== undefined ? snake : camel
}

/** What an object has in a field, however its name is spelt. */
function fieldOf(raw: RawMessage, field: FieldNames): unknown {
  return raw[nameIn(raw, field)]
}

/** What a part holds; null where that is nothing known, or more than one thing. */
export function heldIn(part: RawMessage): { readonly field: PartField; readonly value: unknown } | null {
  let held: { readonly field: PartField; readonly value: unknown } | null = null
  for (const field of allFields) {
    const value = fieldOf(part, partFields[field])
    if (value === undefined || value === null) continue
    if (held !== null) return null
    held = { field, value }
  }
  return held
}

/** The object a part holds in a field; null where it holds something else. */
export function objectIn(part: unknown, field: PartField): RawMessage | null {
  // Most parts hold something else, which is soon seen.
  const value = isRecord(part) ? fieldOf(part, partFields[field]) : null
  return isRecord(value) && heldIn(part as RawMessage) !== null ? value : null
}

/** The signature that the model wants back with a part. */
export function signatureOf(part: RawMessage): { readonly providerOptions?: ProviderOptions } {
  const signature = fieldOf(part, thoughtSignature)
  return typeof signature === 'string' ? { providerOptions: { google: { thoughtSignature: signature } } } : {}
}

/** The media type that data is said to have. */
export function mimeTypeOf(data: unknown): string | null {
  const type = isRecord(data) ? fieldOf(data, mimeType) : null
  return typeof type === 'string' && type !== '' ? type : null
}

function names(camel: string, snake: string): FieldNames {
  return { camel, snake }
}

function same(name: string): FieldNames {
  return { camel: name, snake: name }
}

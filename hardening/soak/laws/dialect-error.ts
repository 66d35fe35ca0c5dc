import { isRecord } from '@plimsoll/core/text'
import type { WireDialect } from '../../../packages/node/src/store/gateway-record.ts'

/** Whether a body is an error in the format of a dialect. */
export function isDialectError(dialect: WireDialect, text: string): boolean {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return false
  }
  if (!isRecord(body) || !isRecord(body['error']) || typeof body['error']['message'] !== 'string') return false
  const { error } = body
  if (dialect === 'anthropic') return body['type'] === 'error' && typeof error['type'] === 'string'
  if (dialect === 'gemini') return typeof error['code'] === 'number' && typeof error['status'] === 'string'
  return typeof error['type'] === 'string'
}

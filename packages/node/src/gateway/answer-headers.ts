import type { TrimMode } from '@plimsoll/core/policies'
import type { Finding } from '../store/finding.ts'
import type { Plan } from './planner.ts'

/** An answer's headers on their way to the client, with what the relay has to know of them. */
export interface AnswerHeaders {
  /** Names and values in turn, as they came and in their order. */
  readonly forward: string[]
  readonly contentType: string
  /** In lower case; empty where the body is not packed. */
  readonly contentEncoding: string
  readonly hasLength: boolean
}

/** Reads an answer's raw headers. Those that hold for one connection only are left out, as are those of another gateway. */
export function readAnswerHeaders(raw: readonly Uint8Array[]): AnswerHeaders {
  const forward: string[] = []
  let contentType = ''
  let contentEncoding = ''
  let named: string[] | null = null
  let hasLength = false
  let isChunked = false
  let announced: string | null = null
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const written = latin1(raw[index] as Uint8Array)
    const value = latin1(raw[index + 1] as Uint8Array)
    const name = written.toLowerCase()
    switch (name) {
      case 'connection':
        named = [...(named ?? []), ...value.toLowerCase().split(',')]
        continue
      case 'transfer-encoding':
        isChunked = true
        continue
      case 'trailer':
        announced = value
        continue
      case 'keep-alive':
      case 'te':
      case 'upgrade':
      case 'proxy-connection':
        continue
      case 'content-length':
        hasLength = true
        break
      case 'content-type':
        contentType = value
        break
      case 'content-encoding':
        contentEncoding = value.trim().toLowerCase()
        break
      default:
        if (name.startsWith('x-plimsoll-')) continue
    }
    forward.push(written, value)
  }
  // Only a body in chunks has room for what is announced here.
  if (isChunked && announced !== null) forward.push('trailer', announced)
  return {
    forward: named === null ? forward : withoutNamed(forward, named),
    contentType,
    contentEncoding: contentEncoding === 'identity' ? '' : contentEncoding,
    hasLength,
  }
}

/** Adds what the gateway tells about a request. */
export function addOwnHeaders(headers: string[], id: string, mode: TrimMode | null, plan: Plan | null): void {
  headers.push('x-plimsoll-request-id', id)
  if (mode !== null) headers.push('x-plimsoll-mode', mode)
  if (plan === null) return
  if (plan.tokensBefore !== null) headers.push('x-plimsoll-tokens-before', String(plan.tokensBefore))
  if (plan.tokensAfter !== null) headers.push('x-plimsoll-tokens-after', String(plan.tokensAfter))
  if (plan.rules.length > 0) headers.push('x-plimsoll-rules', plan.rules.join(', '))
  if (plan.prefixKept !== null) headers.push('x-plimsoll-prefix-kept', String(plan.prefixKept))
  if (plan.findings.length > 0) headers.push('x-plimsoll-findings', plan.findings.map(findingWord).join(', '))
}

function findingWord({ code, count }: Finding): string {
  return count === 1 ? code : `${code};count=${count}`
}

function withoutNamed(headers: readonly string[], named: readonly string[]): string[] {
  const names = new Set(named.map((name) => name.trim()))
  return headers.filter((_, index) => !names.has((headers[index - (index % 2)] as string).toLowerCase()))
}

function latin1(bytes: Uint8Array): string {
  return (bytes as Buffer).toString('latin1')
}

import { type FailureBody, readFailureBody } from './failure-body.ts'
import { type FailurePattern, failurePatterns } from './failure-patterns.ts'
import { complete, noSizes, type Sizes, sizesAround, sizesInWords } from './sizes.ts'

/**
 * The kind of failure: `overflow` the input is too long, `output_reservation` too much is reserved for the answer,
 * `tpm_single_request` the request exceeds a minute's quota, `orphan_tool` calls, results or reasoning do not belong together.
 */
export type FailureKind =
  | 'overflow'
  | 'output_reservation'
  | 'tpm_single_request'
  | 'payload_bytes'
  | 'image_limit'
  | 'orphan_tool'
  | 'rate_limit'
  | 'auth'
  | 'other'

/** A provider's refusal. Sizes are tokens (bytes for `payload_bytes`), null if the body does not state them. */
export interface Failure {
  readonly kind: FailureKind
  readonly limit: number | null
  /** Input plus the output reservation, if stated. */
  readonly requested: number | null
  readonly input: number | null
  readonly output: number | null
  /** The provider, if the wording or the response identifies it. */
  readonly provider: string | null
}

export interface FailureInput {
  readonly status?: number | null | undefined
  readonly body?: unknown
  readonly headers?: unknown
}

/** Classifies a provider's refusal by its text and codes; a status alone never means overflow. Never throws. */
export function classifyFailure({ status = null, body, headers }: FailureInput): Failure {
  const read = readFailureBody(body)
  const provider = providerHeaders.find(([name]) => headerOf(headers, name) !== null)?.[1]
  // Bedrock's code, followed by a colon and a URL.
  const code = headerOf(headers, 'x-amzn-errortype')?.split(':', 1)[0]?.slice(0, 100).toLowerCase() ?? null
  const told = code === null ? read : { ...read, codes: [...read.codes, code] }
  const found = findPattern(told, statusesOf(status, told))
  const kind = kindBySize(found)
  const sizes = sized.has(kind) ? found.sizes : noSizes
  return { kind, ...sizes, provider: provider ?? told.provider ?? found.vendor ?? deepSeek(told, kind) }
}

type Found = { readonly kind: FailureKind; readonly sizes: Sizes; readonly vendor: string | null }
const sized: ReadonlySet<FailureKind> = new Set(['overflow', 'output_reservation', 'tpm_single_request', 'payload_bytes'])

function findPattern(body: FailureBody, statuses: ReadonlySet<number>): Found {
  for (const pattern of failurePatterns) {
    if (!isPossible(pattern.kind, statuses)) continue
    const found = matchPattern(pattern, body)
    if (found !== null) return found
  }
  return { kind: kindByStatus(statuses), sizes: noSizes, vendor: null }
}

/** A specific status is trusted: text only separates kinds that share it. */
function isPossible(kind: FailureKind, statuses: ReadonlySet<number>): boolean {
  if (statuses.has(429) || statuses.has(529)) return kind === 'rate_limit' || kind === 'tpm_single_request'
  if (statuses.has(401) || statuses.has(407)) return kind === 'auth'
  return !statuses.has(402) || kind === 'other'
}

function kindByStatus(statuses: ReadonlySet<number>): FailureKind {
  if (statuses.has(429) || statuses.has(529)) return 'rate_limit'
  if (statuses.has(401) || statuses.has(403) || statuses.has(407)) return 'auth'
  return statuses.has(413) ? 'payload_bytes' : 'other'
}

function matchPattern({ kind, vendor, text, says, code }: FailurePattern, body: FailureBody): Found | null {
  if (code !== undefined && body.codes.some((word) => code.test(word))) {
    const sizes = kind === 'overflow' ? body.texts.map(sizesInWords).find(({ limit }) => limit !== null) : undefined
    return { kind, vendor, sizes: sizesOf(body, sizes ?? noSizes) }
  }
  const said = says === undefined ? undefined : body.texts.find(says)
  if (said !== undefined) return { kind, vendor, sizes: sizesOf(body, sizesInWords(said)) }
  if (text === undefined) return null
  for (const words of body.texts) {
    const match = text.exec(words)
    if (match === null) continue
    const sizes = sizesOf(body, sizesAround(match))
    // With a retry time, a request that fits into a minute's quota was only too early.
    if (kind === 'tpm_single_request' && (sizes.requested ?? Number.POSITIVE_INFINITY) <= (sizes.limit ?? 0)) continue
    return { kind, vendor, sizes }
  }
  return null
}

function sizesOf({ sizes }: FailureBody, inWords: Sizes): Sizes {
  return complete({ ...inWords, limit: sizes.limit ?? inWords.limit, input: sizes.input ?? inWords.input })
}

/** If the input alone fits, the output reservation does not. */
function kindBySize({ kind, sizes: { limit, input, output } }: Found): FailureKind {
  if ((kind !== 'overflow' && kind !== 'output_reservation') || limit === null || input === null) return kind
  if (input >= limit) return 'overflow'
  return output !== null && output > 0 ? 'output_reservation' : kind
}

/** DeepSeek uses OpenAI's text, but its code is what others send as the type. */
function deepSeek({ codes }: FailureBody, kind: FailureKind): string | null {
  const same = codes.filter((code) => code === 'invalid_request_error').length
  return same === 2 && (kind === 'overflow' || kind === 'output_reservation') ? 'deepseek' : null
}

function statusesOf(status: unknown, { statuses }: FailureBody): ReadonlySet<number> {
  const outer = Number(status ?? Number.NaN)
  return new Set(Number.isInteger(outer) && outer >= 400 ? [outer, ...statuses] : statuses)
}

const providerHeaders: readonly (readonly [header: string, provider: string])[] = [
  ['anthropic-organization-id', 'anthropic'],
  ['anthropic-ratelimit-requests-limit', 'anthropic'],
  ['apim-request-id', 'azure'],
  ['x-ms-region', 'azure'],
  ['openai-organization', 'openai'],
  ['openai-processing-ms', 'openai'],
  ['x-amzn-requestid', 'bedrock'],
  ['x-amzn-errortype', 'bedrock'],
  ['x-groq-region', 'groq'],
  ['x-ds-trace-id', 'deepseek'],
  ['x-dashscope-request-id', 'dashscope'],
  ['msh-request-id', 'moonshot'],
  ['x-goog-api-client', 'gemini'],
]

function headerOf(headers: unknown, name: string): string | null {
  if (typeof headers !== 'object' || headers === null) return null
  try {
    const { get } = headers as { readonly get?: unknown }
    const value: unknown = typeof get === 'function' ? get.call(headers, name) : fieldOf(headers, name)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

function fieldOf(headers: object, name: string): unknown {
  const key = Object.keys(headers)
    .slice(0, 200)
    .find((candidate) => candidate.toLowerCase() === name)
  return key === undefined ? undefined : (headers as Readonly<Record<string, unknown>>)[key]
}

import { modelFacts } from '@plimsoll/core'
import { policyNames, type TrimMode, trimModes } from '@plimsoll/core/policies'
import { type FindingCode, type WireDialect, wireDialects } from '../store/gateway-record.ts'

/**
 * Words for the labels of metrics. What a client wrote, such as the name of a model, must not become a label: every new word is a
 * series that is kept for ever. So each of these knows all the words it may say, and says `other` for what is none of them.
 */
export interface ClosedLabels {
  readonly dialect: (dialect: WireDialect | null) => string
  readonly mode: (mode: TrimMode | undefined) => string
  readonly model: (model: string | null) => string
  readonly status: (status: number | null) => string
  readonly rule: (rule: string) => string
  readonly finding: (code: string) => string
  readonly failure: (kind: string) => string
  readonly end: (end: string) => string
  /** Routes are the gateway's own words; should one that is not come here, there is an end to that too. */
  readonly route: (route: string) => string
  readonly fault: (code: string) => string
}

/** A set of labels that remembers what it has said, for one registry. */
export function createClosedLabels(): ClosedLabels {
  const knownModel = atMost(mostModels)
  const modelOf = remembered((model) => {
    const facts = modelFacts(model)
    return facts.source === null ? other : knownModel(facts.model)
  })
  return {
    dialect: (dialect) => (dialect === null ? 'none' : among(dialects, dialect)),
    mode: (mode) => (mode === undefined ? 'none' : among(modes, mode)),
    model: (model) => (model === null || model.length > 200 ? other : modelOf(model)),
    status: statusLabel,
    rule: (rule) => among(rules, rule),
    finding: (code) => among(findings, code),
    failure: (kind) => among(failures, kind),
    end: (end) => among(ends, end),
    route: atMost(mostRoutes),
    fault: atMost(mostFaults),
  }
}

const other = 'other'
const mostModels = 64
const mostRoutes = 40
const mostFaults = 40
const mostRemembered = 500

const dialects: ReadonlySet<string> = new Set(wireDialects)
const modes: ReadonlySet<string> = new Set(trimModes)
const rules: ReadonlySet<string> = new Set([
  ...policyNames,
  'context-management',
  'clear_tool_uses_20250919',
  'clear_thinking_20251015',
])
const ends: ReadonlySet<string> = new Set(['complete', 'client-gone', 'upstream-failed', 'refused'])
const failures: ReadonlySet<string> = new Set([
  'overflow',
  'output_reservation',
  'tpm_single_request',
  'payload_bytes',
  'image_limit',
])
const findings: ReadonlySet<string> = new Set(
  Object.keys({
    unreadable: 0,
    unsupported: 0,
    'history-elsewhere': 0,
    'too-large': 0,
    'too-late': 0,
    'not-applied': 0,
    'store-unavailable': 0,
    'orphan-result': 0,
    'unanswered-call': 0,
    'over-window': 0,
    'context-management': 0,
    'bound-thinking': 0,
    'decisions-lost': 0,
  } satisfies Record<FindingCode, 0>),
)

/** Those that mean something to whoever runs a gateway; the rest by their hundred. */
const statuses: ReadonlySet<number> = new Set([
  101, 200, 304, 400, 401, 402, 403, 404, 405, 408, 409, 413, 415, 421, 422, 426, 429, 431, 499, 500, 502, 503, 504, 529,
])

function statusLabel(status: number | null): string {
  if (status === null) return 'none'
  if (statuses.has(status)) return String(status)
  return status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : other
}

function among(words: ReadonlySet<string>, word: string): string {
  return words.has(word) ? word : other
}

/** The first so many words as they are; every later one is `other`. */
function atMost(count: number): (word: string) => string {
  const said = new Set<string>()
  return (word) => {
    if (said.has(word)) return word
    if (said.size >= count || word.length > 100) return other
    said.add(word)
    return word
  }
}

/** Looking a model up takes longer than counting a request. */
function remembered(look: (word: string) => string): (word: string) => string {
  const answers = new Map<string, string>()
  return (word) => {
    const known = answers.get(word)
    if (known !== undefined) return known
    const answer = look(word)
    if (answers.size >= mostRemembered) answers.clear()
    answers.set(word, answer)
    return answer
  }
}

/** What OpenTelemetry's conventions for generative models call who is behind a dialect, and what is asked of them. */
export const providerNames: Readonly<Record<WireDialect, { readonly provider: string; readonly operation: string }>> = {
  anthropic: { provider: 'anthropic', operation: 'chat' },
  'openai-chat': { provider: 'openai', operation: 'chat' },
  'openai-responses': { provider: 'openai', operation: 'chat' },
  gemini: { provider: 'gcp.gemini', operation: 'generate_content' },
}

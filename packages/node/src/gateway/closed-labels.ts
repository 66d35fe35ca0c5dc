import { modelFacts } from '@plimsoll/core'
import { policyNames, type TrimMode, trimModes } from '@plimsoll/core/policies'
import { findingCodes, type WireDialect, wireDialects } from '../store/gateway-record.ts'
import { overflowKinds } from './planner.ts'

export type ClosedLabels = ReturnType<typeof createClosedLabels>

/**
 * Labels of metrics for one registry. Text of a client, such as the name of a model, must not become a label: every new one is a series
 * that is kept permanently. So each of these has a closed set, and `other` for the rest.
 */
export function createClosedLabels() {
  const knownModel = atMost(maxModels)
  // Looking up a model takes longer than counting a request.
  const answers = new Map<string, string>()
  const modelOf = (model: string) => {
    const known = answers.get(model)
    if (known !== undefined) return known
    const facts = modelFacts(model)
    const answer = facts.source === null ? other : knownModel(facts.model)
    if (answers.size >= maxRemembered) answers.clear()
    answers.set(model, answer)
    return answer
  }
  return {
    dialect: (dialect: WireDialect | null) => (dialect === null ? 'none' : among(dialects, dialect)),
    mode: (mode: TrimMode | undefined) => (mode === undefined ? 'none' : among(modes, mode)),
    model: (model: string | null) => (model === null || model.length > 200 ? other : modelOf(model)),
    status: statusLabel,
    rule: (rule: string) => among(rules, rule),
    finding: (code: string) => among(findings, code),
    failure: (kind: string) => among(failures, kind),
    end: (end: string) => among(ends, end),
    route: atMost(maxRoutes),
    fault: atMost(maxFaults),
  }
}

const other = 'other'
const maxModels = 64
const maxRoutes = 40
const maxFaults = 40
const maxRemembered = 500

const dialects: ReadonlySet<string> = new Set(wireDialects)
const modes: ReadonlySet<string> = new Set(trimModes)
const rules: ReadonlySet<string> = new Set([
  ...policyNames,
  'context-management',
  'clear_tool_uses_20250919',
  'clear_thinking_20251015',
])
const ends: ReadonlySet<string> = new Set(['complete', 'client-gone', 'upstream-failed', 'refused'])
const failures: ReadonlySet<string> = new Set(overflowKinds)
const findings: ReadonlySet<string> = new Set(findingCodes)

/** Those that an operator looks for; the rest are counted by their hundred. */
const statuses: ReadonlySet<number> = new Set([
  101, 200, 304, 400, 401, 402, 403, 404, 405, 408, 409, 413, 415, 421, 422, 426, 429, 431, 499, 500, 502, 503, 504, 529,
])

function statusLabel(status: number | null): string {
  if (status === null) return 'none'
  if (statuses.has(status)) return String(status)
  return status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : other
}

function among(names: ReadonlySet<string>, name: string): string {
  return names.has(name) ? name : other
}

/** Keeps the first names up to this count; every later one is `other`. */
function atMost(count: number): (name: string) => string {
  const kept = new Set<string>()
  return (name) => {
    if (kept.has(name)) return name
    if (kept.size >= count || name.length > 100) return other
    kept.add(name)
    return name
  }
}

/** Provider and operation as OpenTelemetry's conventions for generative models call them. */
export const providerNames: Readonly<Record<WireDialect, { readonly provider: string; readonly operation: string }>> = {
  anthropic: { provider: 'anthropic', operation: 'chat' },
  'openai-chat': { provider: 'openai', operation: 'chat' },
  'openai-responses': { provider: 'openai', operation: 'chat' },
  gemini: { provider: 'gcp.gemini', operation: 'generate_content' },
}

import { isRecord } from '@plimsoll/core/text'
import type { Patch } from '@plimsoll/core/wire'
import type { Finding } from '../../store/gateway-record.ts'
import type { RelayedRequest } from '../planner.ts'
import type { CompactingDialect } from './summary-places.ts'

/** The compaction that a client asks for. */
export interface AskedCompaction {
  /** A request with more tokens than this is compacted; null if the client did not ask for it. */
  readonly over: number | null
  /** Whether to answer with the summary alone. */
  readonly isPaused: boolean
  readonly focus: string | null
  /** Edits of the context that the provider would make before. */
  readonly earlier: readonly unknown[]
  /** Remove what is done here from the request. */
  readonly patches: readonly Patch[]
  readonly findings: readonly Finding[]
}

export function askedCompaction(
  dialect: CompactingDialect,
  kind: RelayedRequest['kind'],
  { context_management: management }: Readonly<Record<string, unknown>>,
): AskedCompaction {
  if (kind === 'compact') return { ...nothing, over: 0 }
  const asked = dialect === 'anthropic' ? askedOfAnthropic(management) : askedOfOpenAi(management)
  // A count applies the summaries there are, and makes none.
  return kind === 'count' ? { ...asked, over: null } : asked
}

const nothing: AskedCompaction = { over: null, isPaused: false, focus: null, earlier: [], patches: [], findings: [] }

const field = 'context_management'

function askedOfAnthropic(management: unknown): AskedCompaction {
  const edits: unknown = isRecord(management) ? management['edits'] : null
  if (!Array.isArray(edits)) return nothing
  const place = edits.findIndex((edit) => isRecord(edit) && edit['type'] === 'compact_20260112')
  const edit: unknown = edits[place]
  if (!isRecord(edit)) return nothing
  const { type: _type, trigger, pause_after_compaction: pause, instructions, ...unknown } = edit
  const over = trigger === undefined || trigger === null ? defaultTrigger : readTrigger(trigger)
  const isUnderstood = [undefined, null, true, false].includes(pause as boolean) && isMissingOrText(instructions)
  // Malformed, or refused by Anthropic too: the upstream answers.
  if (over === null || over < minTrigger || !isUnderstood || Object.keys(unknown).length > 0) return nothing
  const focus = typeof instructions === 'string' && instructions !== '' ? instructions : null
  return {
    over,
    isPaused: pause === true,
    focus,
    earlier: edits.slice(0, place),
    patches: [edits.length === 1 ? { op: 'remove', path: [field] } : { op: 'remove', path: [field, 'edits', place] }],
    // No model writes the summary, so that instructions only decide which statements come first.
    findings: focus === null ? [] : [{ code: 'context-management', count: 1 }],
  }
}

/** As published. */
const defaultTrigger = 150_000
const minTrigger = 50_000

function readTrigger(trigger: unknown): number | null {
  if (!isRecord(trigger) || trigger['type'] !== 'input_tokens') return null
  return isAmount(trigger['value']) ? trigger['value'] : null
}

function askedOfOpenAi(management: unknown): AskedCompaction {
  if (!Array.isArray(management) || management.length === 0) return nothing
  const thresholds = management.map((entry: unknown) => {
    if (!isRecord(entry) || entry['type'] !== 'compaction') return null
    const threshold = entry['compact_threshold'] ?? defaultThreshold
    return isAmount(threshold) && threshold >= minThreshold ? threshold : null
  })
  if (thresholds.some((threshold) => threshold === null)) return nothing
  return { ...nothing, over: Math.min(...(thresholds as number[])), patches: [{ op: 'remove', path: [field] }] }
}

/** OpenAI publishes no default; this one is in its examples. */
const defaultThreshold = 200_000
const minThreshold = 1000

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isMissingOrText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string'
}

import { escapeUnprintable, isRecord } from '@plimsoll/core/text'
import type { AgentError } from './event.ts'
import type { SharedStrings } from './strings/strings-for.ts'

interface BigPart {
  readonly kind: keyof SharedStrings['overflowParts']
  /** Which tool and about what, or which type of file; empty if the kind says it all. */
  readonly about: string
  readonly tokens: number
}

type Remedy = 'compress' | 'shorten-answer' | 'drop-media' | 'repair-pairs'

/** Reads the details of an overflow: the tokens asked for and allowed, the three largest parts, and what was tried. Omits what is invalid. */
export function overflowFacts({ details }: AgentError) {
  const { requested, max, biggest, tried } = details
  return {
    requested: countOf(requested),
    max: countOf(max),
    biggest: (Array.isArray(biggest) ? biggest : []).slice(0, 3).flatMap(partOf),
    tried: (Array.isArray(tried) ? tried : []).slice(0, 10).filter(isRemedy),
  }
}

const remedies: readonly string[] = ['compress', 'shorten-answer', 'drop-media', 'repair-pairs'] satisfies readonly Remedy[]

function isRemedy(value: unknown): value is Remedy {
  return typeof value === 'string' && remedies.includes(value)
}

function partOf(value: unknown): readonly BigPart[] {
  if (!isRecord(value)) return []
  const tokens = countOf(value['tokens'])
  const what = value['what']
  if (tokens === null || typeof what !== 'string') return []
  return [{ ...kindOf(escapeUnprintable(what.slice(0, 200))), tokens }]
}

const kinds: Readonly<Record<string, BigPart['kind']>> = {
  'system prompt': 'system',
  'system message': 'system',
  'user message': 'user',
  'assistant message': 'assistant',
  reasoning: 'reasoning',
  summary: 'summary',
  'tool definitions': 'tool-definitions',
}

/** The agent names parts in English; their kind follows from the name, so that it can be shown in any language. */
function kindOf(what: string): Pick<BigPart, 'kind' | 'about'> {
  const kind = Object.hasOwn(kinds, what) ? kinds[what] : undefined
  if (kind !== undefined) return { kind, about: '' }
  if (what.startsWith('call of ')) return { kind: 'call', about: what.slice('call of '.length) }
  if (what.startsWith('result of ')) return { kind: 'result', about: what.slice('result of '.length) }
  if (/^[a-z]+\/[\w.+-]+$/.test(what)) return { kind: 'media', about: what }
  return { kind: 'other', about: what }
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}

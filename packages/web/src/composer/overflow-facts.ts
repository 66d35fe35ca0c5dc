import type { AgentError } from '@plimsoll/core'
import { escapeUnprintable, isRecord } from '@plimsoll/core'
import type { Strings } from '../strings/strings-for.ts'

type OverflowStrings = Strings['chat']['dialogs']['overflow']

/** What an overflow says about itself, as far as it says it in a form that can be relied on. */
export interface OverflowFacts {
  /** Tokens that were asked for and that the model takes; null where nobody knows. */
  readonly requested: number | null
  readonly max: number | null
  /** The parts that take most, the largest first, at most three. */
  readonly biggest: readonly BigPart[]
  readonly tried: readonly Remedy[]
}

/** A part of a request that takes up much of the window. */
export interface BigPart {
  readonly kind: keyof OverflowStrings['part']
  /** Which tool and about what, or which type of file; empty where the kind says it all. */
  readonly about: string
  readonly tokens: number
}

/** What was tried to make a request fit. */
export type Remedy = keyof OverflowStrings['remedies']

/** Reads what an overflow says about itself. Whatever is not as expected is left out. */
export function overflowFacts({ details }: AgentError): OverflowFacts {
  const { requested, max, biggest, tried } = details
  return {
    requested: countOf(requested),
    max: countOf(max),
    biggest: (Array.isArray(biggest) ? biggest : []).slice(0, 3).flatMap(partOf),
    tried: (Array.isArray(tried) ? tried : []).slice(0, 10).filter(isRemedy),
  }
}

/** What tells one overflow from another, so that one that was put aside stays there and the next is shown. */
export function overflowKey({ code, details }: AgentError): string {
  return JSON.stringify([code, details['request'], details['requested'], details['max'], details['tried']])
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

/** The agent names parts in English words; their kind is told from those, so that it can be said in any language. */
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

import { escapeUnprintable, isRecord } from '@plimsoll/core/text'
import type { AgentError } from '../../../node/src/shared/event.ts'
import { useLanguage } from '../parts/language.tsx'
import { visibleText } from '../parts/safe-text.ts'
import type { Strings } from '../strings/strings-for.ts'

/** Says what happened and what can be done, how much was asked for and allowed, and what takes most. */
export function OverflowAccount({ error, facts }: { readonly error: AgentError; readonly facts: OverflowFacts }) {
  const { dialogs, agentErrors, number } = useLanguage()
  const { requested, max, biggest, tried } = facts
  const { message, suggestion } = overflowWords(error, agentErrors)
  const largest = Math.max(1, ...biggest.map(({ tokens }) => tokens))
  return (
    <>
      <p>{message}</p>
      {suggestion === null ? null : <p className="muted">{suggestion}</p>}
      {requested === null || max === null ? null : (
        <p>
          {dialogs.overflow.sizes(number(requested), number(max))}{' '}
          {requested > max ? dialogs.overflow.overBy(number(requested - max)) : null}
        </p>
      )}
      {biggest.length === 0 ? null : (
        <div>
          <h3 id="overflow-biggest">{dialogs.overflow.biggest}</h3>
          <ol className="overflow-parts" aria-labelledby="overflow-biggest">
            {biggest.map(({ kind, about, tokens }, index) => (
              <li key={index}>
                <span className="overflow-part">{dialogs.overflow.part[kind](about)}</span>
                <span className="number">{dialogs.overflow.tokens(number(tokens))}</span>
                <span className="overflow-bar" style={{ width: `${(tokens / largest) * 100}%` }} aria-hidden />
              </li>
            ))}
          </ol>
        </div>
      )}
      {tried.length === 0 ? null : (
        <p className="muted small">
          {dialogs.overflow.tried(tried.map((remedy) => dialogs.overflow.remedies[remedy]).join(', '))}
        </p>
      )}
    </>
  )
}

/** By the error's code in the user's language; an unknown one in its own words. */
function overflowWords(
  { code, message, suggestion }: AgentError,
  known: Readonly<Record<string, { readonly message: Say; readonly suggestion: Say }>>,
): { readonly message: string; readonly suggestion: string | null } {
  const words = Object.hasOwn(known, code) ? known[code] : undefined
  if (words === undefined) {
    return {
      message: visibleText(message.slice(0, 500)),
      suggestion: suggestion === null ? null : visibleText(suggestion.slice(0, 500)),
    }
  }
  const facts = { tries: 1, wait: '', isElsewhere: false }
  return { message: words.message('', facts), suggestion: words.suggestion('', facts) }
}

type Say = (about: string, facts: { readonly tries: number; readonly wait: string; readonly isElsewhere: boolean }) => string

type OverflowStrings = Strings['dialogs']['overflow']

/** What an overflow says about itself, as far as it says it in a form that can be relied on. */
interface OverflowFacts {
  /** Tokens that were asked for and that the model takes; null where nobody knows. */
  readonly requested: number | null
  readonly max: number | null
  /** The parts that take most, the largest first, at most three. */
  readonly biggest: readonly BigPart[]
  readonly tried: readonly Remedy[]
}

interface BigPart {
  readonly kind: keyof OverflowStrings['part']
  /** Which tool and about what, or which type of file; empty where the kind says it all. */
  readonly about: string
  readonly tokens: number
}

type Remedy = keyof OverflowStrings['remedies']

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

import { escapeUnprintable, isRecord } from '@plimsoll/core/text'
import type { AgentError } from '../../../node/src/shared/event.ts'
import { useLanguage } from '../parts/language.tsx'
import { visibleText } from '../parts/safe-text.ts'
import type { Strings } from '../strings/strings-for.ts'

/** Shows the error and its suggestion, the tokens requested and allowed, and the largest parts. */
export function OverflowAccount({ error }: { readonly error: AgentError }) {
  const { dialogs, agentErrors, number } = useLanguage()
  const { requested, max, biggest, tried } = overflowFacts(error)
  const { message, suggestion } = overflowText(error, agentErrors)
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

/** In the user's language by the error's code; the text of an unknown error. */
function overflowText({ code, message, suggestion }: AgentError, known: Strings['agentErrors']) {
  const text = Object.hasOwn(known, code) ? known[code as keyof typeof known] : undefined
  const facts = { tries: 1, wait: '', isElsewhere: false }
  if (text !== undefined) return { message: text.message('', facts), suggestion: text.suggestion('', facts) }
  const own = (sentence: string) => visibleText(sentence.slice(0, 500))
  return { message: own(message), suggestion: suggestion === null ? null : own(suggestion) }
}

type OverflowStrings = Strings['dialogs']['overflow']

interface BigPart {
  readonly kind: keyof OverflowStrings['part']
  /** Which tool and about what, or which type of file; empty if the kind says it all. */
  readonly about: string
  readonly tokens: number
}

type Remedy = keyof OverflowStrings['remedies']

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

/** Identifies an overflow, so that one that was put aside stays there and the next is shown. */
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

import type { AgentError } from '@plimsoll/core'
import { useLanguage } from '../parts/language.tsx'
import { visibleText } from '../parts/safe-text.ts'
import type { OverflowFacts } from './overflow-facts.ts'

/** Says what happened and what can be done, how much was asked for and allowed, and what takes most. */
export function OverflowAccount({ error, facts }: { readonly error: AgentError; readonly facts: OverflowFacts }) {
  const { strings, number } = useLanguage()
  const words = strings.chat.dialogs.overflow
  const { requested, max, biggest, tried } = facts
  const { message, suggestion } = overflowWords(error, strings.agentErrors)
  const largest = Math.max(1, ...biggest.map(({ tokens }) => tokens))
  return (
    <>
      <p>{message}</p>
      {suggestion === null ? null : <p className="muted">{suggestion}</p>}
      {requested === null || max === null ? null : (
        <p>
          {words.sizes(number(requested), number(max))} {requested > max ? words.overBy(number(requested - max)) : null}
        </p>
      )}
      {biggest.length === 0 ? null : (
        <div>
          <h3 id="overflow-biggest">{words.biggest}</h3>
          <ol className="overflow-parts" aria-labelledby="overflow-biggest">
            {biggest.map(({ kind, about, tokens }, index) => (
              <li key={index}>
                <span className="overflow-part">{words.part[kind](about)}</span>
                <span className="number">{words.tokens(number(tokens))}</span>
                <span className="overflow-bar" style={{ width: `${(tokens / largest) * 100}%` }} aria-hidden />
              </li>
            ))}
          </ol>
        </div>
      )}
      {tried.length === 0 ? null : (
        <p className="muted small">{words.tried(tried.map((remedy) => words.remedies[remedy]).join(', '))}</p>
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

import type { AgentError } from '../../../node/src/shared/event.ts'
import { overflowFacts } from '../../../node/src/shared/overflow-facts.ts'
import { useLanguage } from '../parts/language.tsx'
import { visibleText } from '../parts/safe-text.ts'
import type { Strings } from '../strings/strings-for.ts'

/** Shows the error and its suggestion, the tokens requested and allowed, and the largest parts. */
export function OverflowAccount({ error }: { readonly error: AgentError }) {
  const { dialogs, agentErrors, overflowParts, number, sentences } = useLanguage()
  const { requested, max, biggest, tried } = overflowFacts(error)
  const { message, suggestion } = overflowText(error, agentErrors)
  const largest = Math.max(1, ...biggest.map(({ tokens }) => tokens))
  return (
    <>
      <p>{message}</p>
      {suggestion === null ? null : <p className="muted">{suggestion}</p>}
      {requested === null || max === null ? null : (
        <p>
          {sentences(
            dialogs.overflow.sizes(number(requested), number(max)),
            requested > max ? dialogs.overflow.overBy(number(requested - max)) : null,
          )}
        </p>
      )}
      {biggest.length === 0 ? null : (
        <div>
          <h3 id="overflow-biggest">{dialogs.overflow.biggest}</h3>
          <ol className="overflow-parts" aria-labelledby="overflow-biggest">
            {biggest.map(({ kind, about, tokens }, index) => (
              <li key={index}>
                <span className="overflow-part">{overflowParts[kind](about)}</span>
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

/** Identifies an overflow, so that one that was put aside stays there and the next is shown. */
export function overflowKey({ code, details }: AgentError): string {
  return JSON.stringify([code, details['request'], details['requested'], details['max'], details['tried']])
}

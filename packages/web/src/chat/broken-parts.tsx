import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'

/** So many sentences are shown at once; a file may have as many broken lines as it has lines. */
const most = 2
const mostUnfolded = 200

/** Says what of a session could not be read, above the part that could. */
export function BrokenParts({ troubles }: { readonly troubles: readonly string[] }) {
  const { strings, number } = useLanguage()
  const words = strings.inspector.header
  if (troubles.length === 0) return null
  const rest = troubles.slice(most)
  return (
    <div className="notice notice-warn chat-banner broken-parts">
      <Sentences troubles={troubles.slice(0, most)} />
      {rest.length === 0 ? null : (
        <details>
          <summary>{words.moreTroubles(number(rest.length))}</summary>
          <Sentences troubles={rest.slice(0, mostUnfolded)} />
        </details>
      )}
    </div>
  )
}

function Sentences({ troubles }: { readonly troubles: readonly string[] }) {
  return troubles.map((trouble, index) => <p key={index}>{visibleLine(trouble, 500)}</p>)
}

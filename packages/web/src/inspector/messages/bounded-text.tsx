import { useState } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import { beginningOf } from '../../parts/safe-text.ts'

/** A text of any length as text, a piece at a time. */
export function BoundedText({ text, first = 6000 }: { readonly text: string; readonly first?: number }) {
  const { strings, number } = useLanguage()
  const [most, setMost] = useState(first)
  const shown = beginningOf(text, most)
  return (
    <>
      <pre className="bounded-text">{shown.text}</pre>
      {shown.more === 0 ? null : (
        <button type="button" className="button small" onClick={() => setMost(most * 4)}>
          {strings.inspector.detail.more(number(shown.more))}
        </button>
      )}
    </>
  )
}

import { useState } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import { longestLine, visibleText } from '../../parts/safe-text.ts'

/** One line of a text that may be of any length and hold anything: its beginning, and more of it for who wants it. */
export function DiffLine({ text }: { readonly text: string }) {
  const { strings, number } = useLanguage()
  const [most, setMost] = useState(longestLine)
  const hasReturn = text.endsWith('\r')
  const whole = hasReturn ? text.slice(0, -1) : text
  const shown = whole.length > most ? whole.slice(0, most).toWellFormed() : whole
  return (
    <>
      {visibleText(shown)}
      {whole.length > most ? (
        <button type="button" className="button small" onClick={() => setMost(most * 8)}>
          {strings.diff.wholeLine(number(whole.length - most))}
        </button>
      ) : hasReturn ? (
        <span className="muted">␍</span>
      ) : null}
    </>
  )
}

import { useState } from 'react'
import { useLanguage } from '../parts/language.tsx'
import { type PreviewLimits, previewLines } from './preview-lines.ts'

const first: PreviewLimits = { lines: 60, characters: 400 }
const most: PreviewLimits = { lines: 5000, characters: 20_000 }

/** What a call would do, such as a diff, as text: its first lines, and all of it on demand. */
export function PreviewText({ label, text }: { readonly label: string; readonly text: string }) {
  const { strings, number } = useLanguage()
  const words = strings.chat.dialogs.permission
  const [isWhole, setWhole] = useState(false)
  const { lines, hiddenLines, isCut } = previewLines(text, isWhole ? most : first)
  return (
    <div className="preview">
      {/* A region that scrolls has to be reached by the keyboard. */}
      <pre className="preview-lines" aria-label={label} role="region" tabIndex={0}>
        {lines.map((line, index) => (
          <span key={index} className={`preview-line preview-${line.kind}`}>
            {line.text}
            {'\n'}
          </span>
        ))}
      </pre>
      {hiddenLines > 0 || isCut ? (
        <p className="preview-more small">
          <strong>{hiddenLines > 0 ? words.moreLines(number(hiddenLines)) : '…'}</strong>
          {isWhole ? null : (
            <button type="button" className="button small" onClick={() => setWhole(true)}>
              {words.showAll}
            </button>
          )}
        </p>
      ) : null}
    </div>
  )
}

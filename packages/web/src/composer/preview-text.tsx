import { useState } from 'react'
import { Button } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleText } from '../parts/safe-text.ts'

const firstLimits: PreviewLimits = { lines: 60, characters: 400 }
const maxLimits: PreviewLimits = { lines: 5000, characters: 20_000 }

/** What a call would do, such as a diff, as text: its first lines, and all of it on demand. */
export function PreviewText({ label, text }: { readonly label: string; readonly text: string }) {
  const { dialogs, number } = useLanguage()
  const [isWhole, setWhole] = useState(false)
  const { lines, hiddenLines, isCut } = previewLines(text, isWhole ? maxLimits : firstLimits)
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
          <strong>{hiddenLines > 0 ? dialogs.permission.moreLines(number(hiddenLines)) : '…'}</strong>
          {isWhole ? null : <Button isSmall onClick={() => setWhole(true)} text={dialogs.permission.showAll} />}
        </p>
      ) : null}
    </div>
  )
}

interface PreviewLine {
  /** As in a diff: added, taken away, where it is, or around it. */
  readonly kind: 'added' | 'removed' | 'place' | 'plain'
  readonly text: string
}

interface PreviewLimits {
  readonly lines: number
  /** Of one line. */
  readonly characters: number
}

interface Preview {
  readonly lines: readonly PreviewLine[]
  /** Lines behind those that are shown. */
  readonly hiddenLines: number
  /** Whether any of the lines that are shown was cut. */
  readonly isCut: boolean
}

/** The first lines of what a call would do, with everything in them visible that would not be: nothing can hide in what is allowed. */
export function previewLines(text: string, { lines: maxLines, characters }: PreviewLimits): Preview {
  const lines: PreviewLine[] = []
  let isCut = false
  let start = 0
  while (start <= text.length && lines.length < maxLines) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    const isLong = end - start > characters
    isCut ||= isLong
    const line = visibleText(text.slice(start, isLong ? start + characters : end))
    lines.push({ kind: kindOf(line), text: isLong ? `${line}…` : line })
    start = end + 1
  }
  return { lines, hiddenLines: start > text.length ? 0 : countLines(text, start), isCut }
}

function kindOf(line: string): PreviewLine['kind'] {
  if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('@@')) return 'place'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'plain'
}

function countLines(text: string, from: number): number {
  let count = 1
  for (let at = text.indexOf('\n', from); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

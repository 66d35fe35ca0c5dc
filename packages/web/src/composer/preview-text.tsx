import { useState } from 'react'
import { Button } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { diffNumbers, guttersOf, NumberedLine } from '../parts/long-text.tsx'
import { visibleText } from '../parts/safe-text.ts'

const firstLimits: PreviewLimits = { lines: 60, characters: 400 }
const maxLimits: PreviewLimits = { lines: 5000, characters: 20_000 }

/** A preview of a call, such as a diff: its first lines, and all of it on demand. */
export function PreviewText({ label, text }: { readonly label: string; readonly text: string }) {
  const { dialogs, number } = useLanguage()
  const [isWhole, setWhole] = useState(false)
  const { lines, hiddenLines, isCut } = previewLines(text, isWhole ? maxLimits : firstLimits)
  const gutters = guttersOf(diffNumbers(lines.map((line) => line.text)))
  return (
    <div className="preview">
      {/* A region that scrolls has to be reached by the keyboard. */}
      <pre className="preview-lines" aria-label={label} role="region" tabIndex={0}>
        {lines.map((line, index) => (
          <span key={index} className={`preview-line preview-${line.kind}`}>
            <NumberedLine gutter={gutters?.[index]} line={`${line.text}\n`} />
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

type LineKind = 'added' | 'removed' | 'place' | 'plain'

type PreviewLimits = { readonly lines: number; readonly characters: number }

/** The first lines of a preview, with invisible characters made visible: nothing can hide in what is allowed. Says what is cut. */
export function previewLines(text: string, { lines: maxLines, characters }: PreviewLimits) {
  const lines: { readonly kind: LineKind; readonly text: string }[] = []
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

function kindOf(line: string): LineKind {
  if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('@@')) return 'place'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'plain'
}

function countLines(text: string, from: number): number {
  let count = 1
  for (let at = text.indexOf('\n', from); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

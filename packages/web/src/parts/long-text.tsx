import { useMemo, useState } from 'react'
import { Button, CopyButton } from './controls.tsx'
import { useLanguage } from './language.tsx'
import { beginningOf } from './safe-text.ts'
import './long-text.css'

interface LongTextProps {
  readonly text: string
  readonly first?: number
  /** How many characters the whole text has, if `text` is only its beginning. */
  readonly whole?: number | null
  readonly load?: () => Promise<string>
  /** Whether lines with + and - were added and removed. */
  readonly isDiff?: boolean
}

/** A text of any length: its beginning, and more of it on demand. */
export function LongText({ text, first = 6000, whole = null, load, isDiff = false }: LongTextProps) {
  const { conversation, number } = useLanguage()
  const [length, setLength] = useState(first)
  const [loaded, setLoaded] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const all = loaded ?? text
  const shown = useMemo(() => beginningOf(all, length), [all, length])
  const isPart = loaded === null && whole !== null && load !== undefined
  const showMore = async () => {
    if (isPart && shown.more === 0) {
      try {
        setLoaded(await load())
        setError(null)
      } catch (trouble) {
        return setError(trouble instanceof Error ? trouble.message : String(trouble))
      }
    }
    setLength((before) => Math.max(before * 8, firstStep))
  }
  return (
    <div className="long-text">
      <pre tabIndex={0}>{isDiff ? <DiffLines text={shown.text} /> : shown.text}</pre>
      {error === null ? null : <p className="notice notice-danger">{error}</p>}
      <div className="long-text-actions">
        {shown.more === 0 && !isPart ? null : (
          <Button
            look="quiet"
            isSmall
            onClick={() => void showMore()}
            text={shown.more > 0 ? conversation.showMore(number(shown.more)) : conversation.showAll(number(whole ?? all.length))}
          />
        )}
        <CopyButton text={all} />
        {length > first ? <Button look="quiet" isSmall onClick={() => setLength(first)} text={conversation.showLess} /> : null}
      </div>
    </div>
  )
}

const firstStep = 50_000
const maxDiffLines = 2000

/** Lines of a diff, with their numbers before and after it. The signs stay, so colour is never the only difference. */
function DiffLines({ text }: { readonly text: string }) {
  const lines = text.replace(/\n$/, '').split('\n')
  const shown = lines.slice(0, maxDiffLines)
  const numbers = diffNumbers(shown)
  const gutters = guttersOf(numbers)
  return (
    <>
      {shown.map((line, index) => {
        // Of a diff with numbers, a line without them names a file or a place.
        const kind =
          gutters !== null && numbers[index] == null
            ? 'place'
            : line.startsWith('+')
              ? 'added'
              : line.startsWith('-')
                ? 'removed'
                : ''
        return (
          <span key={index} className={kind === '' ? 'long-text-line' : `long-text-line long-text-${kind}`}>
            <NumberedLine gutter={gutters?.[index]} line={`${line}\n`} />
          </span>
        )
      })}
      {lines.slice(maxDiffLines).join('\n')}
    </>
  )
}

/** A line of a diff after its numbers, which stay at its side where it wraps. */
export function NumberedLine({ gutter, line }: { readonly gutter: string | undefined; readonly line: string }) {
  if (gutter === undefined) return line
  const indent = `${gutter.length}ch`
  return (
    <span className="long-text-numbered" style={{ paddingLeft: indent, textIndent: `-${indent}` }}>
      {/* Not text, so that a copy has only the diff. */}
      <span className="long-text-number" data-number={gutter} />
      {line}
    </span>
  )
}

type LineNumbers = readonly [before: number | null, after: number | null]

/** The numbers of lines as columns of one width; null if no line has any. */
export function guttersOf(numbers: readonly (LineNumbers | null)[]): readonly string[] | null {
  const all = numbers.flatMap((pair) => pair ?? [])
  if (all.length === 0) return null
  const width = String(all.reduce<number>((most, number) => Math.max(most, number ?? 0), 0)).length
  return numbers.map((pair) => `${(pair ?? [null, null]).map((number) => String(number ?? '').padStart(width)).join(' ')}  `)
}

/** The number of each line of a diff in the old and the new file; null for lines that are in neither. */
export function diffNumbers(lines: readonly string[]): readonly (LineNumbers | null)[] {
  let [before, after] = [0, 0]
  return lines.map((line): LineNumbers | null => {
    const [, old, next] = /^@@ -(\d{1,9})(?:,\d+)? \+(\d{1,9})(?:,\d+)? @@/.exec(line) ?? []
    if (old !== undefined) {
      before = Number(old)
      after = Number(next)
      return null
    }
    if (before + after === 0 || line.startsWith('\\')) return null
    if (line.startsWith('diff --git ')) {
      before = 0
      after = 0
      return null
    }
    if (line.startsWith('+')) return [null, after++]
    return line.startsWith('-') ? [before++, null] : [before++, after++]
  })
}

import { useMemo, useState } from 'react'
import { Button } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { maxLine, visibleText } from '../../parts/safe-text.ts'
import { type DiffRow, diffLines, foldSame, sideBySide } from './diff-lines.ts'
import './compare.css'

export type DiffTextView = 'side-by-side' | 'unified'

interface DiffTextProps {
  readonly before: string
  readonly after: string
  readonly view: DiffTextView
  readonly names?: readonly [before: string, after: string]
}

const context = 3
const firstLines = 300

const columns = {
  unified: ['number', 'number', 'sign', 'line'],
  'side-by-side': ['number', 'sign', 'line', 'number', 'sign', 'line'],
} as const

/** Two texts line by line, with unchanged lines collapsed. */
export function DiffText({ before, after, view, names }: DiffTextProps) {
  const { diff, number } = useLanguage()
  const { rows, isFine } = useMemo(() => diffLines(before, after), [before, after])
  const pairs = useMemo(() => (view === 'unified' ? rows.map((row) => [row, row] as const) : sideBySide(rows)), [rows, view])
  const stretches = useMemo(() => foldSame(pairs, ([one, other]) => one === other && one?.kind === 'same', context), [pairs])
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [max, setMax] = useState(firstLines)

  const shown: { readonly key: string; readonly stretch: number; readonly pair: DiffPair | null }[] = []
  let left = 0
  stretches.forEach(({ isFolded, items }, stretch) => {
    if (isFolded && !open.has(stretch)) shown.push({ key: `${stretch}`, stretch, pair: null })
    else
      items.forEach((pair, index) => {
        if (shown.length < max) shown.push({ key: `${stretch}.${index}`, stretch, pair })
        else left += 1
      })
  })
  return (
    <div className="diff-text">
      {isFine ? null : <p className="notice notice-warn small">{diff.tooLarge}</p>}
      <div className="diff-text-scroll" tabIndex={0} role="group" aria-label={names?.join(' → ') ?? diff.title}>
        <table className={`diff-text-${view}`}>
          <colgroup>
            {columns[view].map((name, index) => (
              <col key={index} className={`diff-text-${name}`} />
            ))}
          </colgroup>
          {names === undefined || view === 'unified' ? null : (
            <thead>
              <tr>
                {names.map((name) => (
                  <th key={name} scope="colgroup" colSpan={3}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {shown.map(({ key, stretch, pair }) =>
              pair === null ? (
                <tr key={key} className="diff-text-fold">
                  <td colSpan={columns[view].length}>
                    <Button look="quiet" isSmall onClick={() => setOpen(new Set([...open, stretch]))}>
                      {diff.foldedLines(number(stretches[stretch]?.items.length ?? 0))} · {diff.show}
                    </Button>
                  </td>
                </tr>
              ) : view === 'unified' ? (
                <UnifiedRow key={key} row={pair[0] ?? pair[1]} />
              ) : (
                <tr key={key}>
                  <Side row={pair[0]} number={pair[0]?.before ?? null} />
                  <Side row={pair[1]} number={pair[1]?.after ?? null} />
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
      {left > 0 ? <Button isSmall onClick={() => setMax(max * 5)} text={diff.moreLines(number(left))} /> : null}
    </div>
  )
}

type DiffPair = readonly [before: DiffRow | null, after: DiffRow | null]

const signs = { same: ' ', removed: '−', added: '+' }

function UnifiedRow({ row }: { readonly row: DiffRow | null }) {
  if (row === null) return null
  return (
    <tr className={`diff-text-${row.kind}`}>
      <td className="diff-text-number">{row.before}</td>
      <td className="diff-text-number">{row.after}</td>
      <td className="diff-text-sign">{signs[row.kind]}</td>
      <td className="diff-text-line">
        <DiffLine text={row.text} />
      </td>
    </tr>
  )
}

function Side({ row, number }: { readonly row: DiffRow | null; readonly number: number | null }) {
  const kind = row === null ? 'diff-text-none' : `diff-text-${row.kind}`
  return (
    <>
      <td className={`diff-text-number ${kind}`}>{number}</td>
      <td className={`diff-text-sign ${kind}`}>{row === null ? '' : signs[row.kind]}</td>
      <td className={`diff-text-line ${kind}`}>{row === null ? null : <DiffLine text={row.text} />}</td>
    </>
  )
}

function DiffLine({ text }: { readonly text: string }) {
  const { diff, number } = useLanguage()
  const [max, setMax] = useState(maxLine)
  const hasReturn = text.endsWith('\r')
  const whole = hasReturn ? text.slice(0, -1) : text
  const shown = whole.length > max ? whole.slice(0, max).toWellFormed() : whole
  return (
    <>
      {visibleText(shown)}
      {whole.length > max ? (
        <Button isSmall onClick={() => setMax(max * 8)} text={diff.wholeLine(number(whole.length - max))} />
      ) : hasReturn ? (
        <span className="muted">␍</span>
      ) : null}
    </>
  )
}

import type { WhatIfParts } from '@plimsoll/core'
import { useId } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import { useWidth } from '../../parts/use-width.ts'
import { type ComparedRow, dearest, whatIfParts } from './what-if-rows.ts'

/** What each part of a bill is drawn with besides its colour. */
const lines: Readonly<Record<keyof WhatIfParts, string>> = {
  read: '',
  write: 'M-1 7L7 -1',
  fresh: 'M0 3H6M3 0V6',
  output: 'M3 0V6',
  recalls: 'M-1 -1L7 7',
  keepAlive: 'M0 3H6',
}

const height = 20

/** What the money of each policy set goes to, as bars on one scale. The table has the sums. */
export function WhatIfBars({ rows }: { readonly rows: readonly ComparedRow[] }) {
  const { strings, dollars } = useLanguage()
  const words = strings.whatIf
  const [element, width] = useWidth<HTMLDivElement>()
  const id = useId()
  const most = dearest(rows)
  const present = whatIfParts.filter((part) => rows.some(({ row }) => row.parts[part] > 0))
  return (
    <div className="what-if-bars" ref={element}>
      <h4>{words.partsTitle}</h4>
      <svg className="visually-hidden" aria-hidden="true">
        <defs>
          {whatIfParts.map((part) => (
            <pattern key={part} id={`${id}-${part}`} width="6" height="6" patternUnits="userSpaceOnUse">
              <rect width="6" height="6" className={`what-if-part-${part}`} />
              <path d={lines[part]} className="what-if-part-lines" />
            </pattern>
          ))}
        </defs>
      </svg>
      <ul className="what-if-legend small">
        {present.map((part) => (
          <li key={part}>
            <svg width="14" height="14" aria-hidden="true">
              <rect width="14" height="14" rx="3" fill={`url(#${id}-${part})`} />
            </svg>
            {words.parts[part]}
          </li>
        ))}
      </ul>
      <dl>
        {rows.map(({ row }) => {
          let x = 0
          return (
            <div key={row.policies}>
              <dt className="small">{row.policies}</dt>
              <dd>
                <svg width={width} height={height} role="img" aria-label={partsText(row.parts, words.parts, dollars)}>
                  {present.map((part) => {
                    const size = most > 0 ? (row.parts[part] / most) * width : 0
                    const start = x
                    x += size
                    return size > 0 ? (
                      <rect key={part} x={start} y={0} width={size} height={height} fill={`url(#${id}-${part})`} />
                    ) : null
                  })}
                </svg>
              </dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}

function partsText(parts: WhatIfParts, names: Readonly<Record<keyof WhatIfParts, string>>, dollars: (value: number) => string) {
  return whatIfParts
    .filter((part) => parts[part] > 0)
    .map((part) => `${names[part]} ${dollars(parts[part])}`)
    .join(', ')
}

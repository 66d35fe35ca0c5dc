import { useLanguage } from '../../parts/language.tsx'
import type { HullBox } from './hull-shape.ts'
import type { LoadLineLayout } from './load-line-layout.ts'
import { spreadLabels } from './spread-labels.ts'

/** What the marks are drawn by. */
export interface LoadLineMarksProps {
  readonly layout: LoadLineLayout
  readonly hull: HullBox
  /** Of the whole picture. */
  readonly width: number
}

/** What is painted on a hull: the draught along its stern, the load line with its mark, and the names of the levels beside its bow. */
export function LoadLineMarks(props: LoadLineMarksProps) {
  return (
    <>
      <Draught {...props} />
      <Mark {...props} />
      <Levels {...props} />
    </>
  )
}

/** The numbers along the stern. */
function Draught({ layout, hull }: LoadLineMarksProps) {
  const { short } = useLanguage()
  const steps = layout.draught.filter(({ at }) => at - layout.deck > 16)
  return (
    <g className="load-line-draught">
      {[{ tokens: layout.numbers.window, at: layout.deck }, ...steps].map(({ tokens, at }) => (
        <g key={tokens}>
          <path d={`M${hull.left - 6} ${at}h6`} />
          <text x={hull.left - 9} y={at + 4} textAnchor="end">
            {short(tokens)}
          </text>
        </g>
      ))}
    </g>
  )
}

/** The mark itself: a circle with a line through it, at window minus reserve. */
function Mark({ layout, hull }: LoadLineMarksProps) {
  const x = hull.left + (hull.right - hull.left) * 0.56
  const y = layout.loadLine
  return (
    <g className={layout.numbers.overLine > 0 ? 'load-line-mark load-line-mark-over' : 'load-line-mark'}>
      <path d={`M${hull.left} ${y}H${hull.right + 4}`} className="load-line-mark-level" />
      <circle cx={x} cy={y} r="12" />
      <path d={`M${x - 24} ${y}h48`} />
    </g>
  )
}

/** What the load line and the waterline are called, beside the bow. */
function Levels({ layout, hull, width }: LoadLineMarksProps) {
  const { strings, short, percent } = useLanguage()
  const words = strings.inspector.loadLine
  const { numbers } = layout
  const share = numbers.window > 0 && width - hull.right > 100 ? ` · ${percent(numbers.used / numbers.window)}` : ''
  const labels = [
    { name: words.line, value: short(numbers.line), at: layout.loadLine, className: 'load-line-level' },
    {
      name: words.waterline,
      value: `${short(numbers.used)}${share}`,
      at: layout.waterline,
      className: 'load-line-level load-line-level-water',
    },
  ]
  const places = spreadLabels(
    // Above the water, which would run through it.
    [layout.loadLine, layout.waterline - 20],
    34,
    layout.keel,
  )
  return (
    <g className={numbers.overLine > 0 ? 'load-line-over' : undefined}>
      {labels.map(({ name, value, at, className }, index) => {
        const place = places[index] as number
        return (
          <g key={name} className={className}>
            <path d={`M${hull.right + 4} ${at}L${hull.right + 12} ${place}`} />
            <text x={hull.right + 15} y={place - 2}>
              {name}
            </text>
            <text x={hull.right + 15} y={place + 12} className="load-line-level-value">
              {value}
            </text>
          </g>
        )
      })}
    </g>
  )
}

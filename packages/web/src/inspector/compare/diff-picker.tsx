import type { InspectedRequest } from '@plimsoll/core'
import { ArrowLeftRight, BadgeCheck, ChevronLeft, ChevronRight, CircleHelp } from 'lucide-react'
import { useLanguage } from '../../parts/language.tsx'

/** What a picker of two requests is told. */
export interface DiffPickerProps {
  readonly requests: readonly InspectedRequest[]
  readonly first: number
  readonly second: number
  /** Whether each is proven to be what was sent; null before that is known. */
  readonly proven: readonly [first: boolean, second: boolean] | null
  /** Whether they are simulated, so that there is nothing to prove. */
  readonly isSimulated: boolean
  readonly onPair: (first: number, second: number) => void
}

/** Chooses the two requests that are compared. */
export function DiffPicker({ requests, first, second, proven, isSimulated, onPair }: DiffPickerProps) {
  const { strings } = useLanguage()
  const words = strings.diff
  const last = requests.length - 1
  return (
    <div className="diff-picker">
      <Side
        name={words.first}
        requests={requests}
        chosen={first}
        isProven={proven === null ? null : proven[0]}
        isSimulated={isSimulated}
        onChoose={(place) => onPair(place, second)}
      />
      <Side
        name={words.second}
        requests={requests}
        chosen={second}
        isProven={proven === null ? null : proven[1]}
        isSimulated={isSimulated}
        onChoose={(place) => onPair(first, place)}
      />
      <div className="diff-pairs">
        <button
          type="button"
          className="button small"
          disabled={Math.min(first, second) === 0}
          onClick={() => onPair(first - 1, second - 1)}
        >
          <ChevronLeft size={14} aria-hidden />
          {words.previousPair}
        </button>
        <button
          type="button"
          className="button small"
          disabled={Math.max(first, second) >= last}
          onClick={() => onPair(first + 1, second + 1)}
        >
          {words.nextPair}
          <ChevronRight size={14} aria-hidden />
        </button>
        <button type="button" className="button small" onClick={() => onPair(second, first)}>
          <ArrowLeftRight size={14} aria-hidden />
          {words.swap}
        </button>
      </div>
    </div>
  )
}

interface SideProps {
  readonly name: string
  readonly requests: readonly InspectedRequest[]
  readonly chosen: number
  readonly isProven: boolean | null
  readonly isSimulated: boolean
  readonly onChoose: (place: number) => void
}

function Side({ name, requests, chosen, isProven, isSimulated, onChoose }: SideProps) {
  const { strings, number, time } = useLanguage()
  const words = strings.diff
  const request = requests[chosen]
  const last = requests.length - 1
  const at = request?.at ?? null
  return (
    <div className="diff-side card">
      <div className="diff-side-choice">
        <label>
          <span className="muted small">{name}</span>
          <input
            type="number"
            className="field"
            min={1}
            max={requests.length}
            value={chosen + 1}
            onChange={(event) => {
              const place = event.target.valueAsNumber - 1
              if (Number.isInteger(place) && place >= 0 && place <= last) onChoose(place)
            }}
          />
        </label>
        <button
          type="button"
          className="button button-quiet"
          aria-label={words.earlier(name)}
          disabled={chosen === 0}
          onClick={() => onChoose(chosen - 1)}
        >
          <ChevronLeft size={16} aria-hidden />
        </button>
        <button
          type="button"
          className="button button-quiet"
          aria-label={words.later(name)}
          disabled={chosen === last}
          onClick={() => onChoose(chosen + 1)}
        >
          <ChevronRight size={16} aria-hidden />
        </button>
      </div>
      <p className="small">
        {words.about(at === null ? strings.requests.timeline.detail.notKnown : time(at), number(request?.fill.tokens ?? 0))}
      </p>
      <p className={isProven === true ? 'small diff-proven' : 'small muted'}>
        {isProven === null ? (
          ' '
        ) : isProven ? (
          <>
            <BadgeCheck size={14} aria-hidden /> {words.proven}
          </>
        ) : (
          <>
            <CircleHelp size={14} aria-hidden /> {isSimulated ? words.simulated : words.notProven}
          </>
        )}
      </p>
    </div>
  )
}

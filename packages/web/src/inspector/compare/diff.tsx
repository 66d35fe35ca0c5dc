import { ArrowLeftRight, BadgeCheck, ChevronLeft, ChevronRight, CircleHelp } from 'lucide-react'
import { useState } from 'react'
import type { InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button, StepButtons } from '../../parts/button.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { Trouble, useLoaded } from '../../parts/use-loaded.tsx'
import type { InspectorPartProps } from '../source/inspector-source.ts'
import { DiffResult } from './diff-result.tsx'

/** Any two requests compared, message by message, exactly as they were sent. */
export function Diff(props: InspectorPartProps) {
  const { inspection, source, focus } = props
  const { requests } = inspection
  const isSimulated = inspection.session.under !== undefined
  const { diff } = useLanguage()
  const last = requests.length - 1
  const [pair, setPair] = useState<readonly [first: number, second: number]>(() => [
    focus?.requests[0] ?? last - 1,
    focus?.requests[1] ?? last,
  ])
  const within = (place: number) => Math.max(0, Math.min(place, last))
  const first = within(pair[0])
  const second = within(pair[1])
  const ids = [requests[first]?.id, requests[second]?.id] as const
  const [loaded, again] = useLoaded(
    async (signal) => {
      const [one, other] = ids
      if (one === undefined || other === undefined) return null
      const [before, after] = await Promise.all([source.request(one, signal), source.request(other, signal)])
      return { before, after }
    },
    [source, ...ids],
  )
  if (requests.length < 2) return <p className="notice">{diff.tooFew}</p>
  const isCurrent =
    loaded.state === 'there' && loaded.value !== null && loaded.value.before.id === ids[0] && loaded.value.after.id === ids[1]
  return (
    <div className="diff">
      <h2>{isSimulated ? diff.titleSimulated : diff.title}</h2>
      <DiffPicker
        requests={requests}
        first={first}
        second={second}
        proven={isCurrent && loaded.value !== null ? [loaded.value.before.isProven, loaded.value.after.isProven] : null}
        isSimulated={isSimulated}
        onPair={(one, other) => setPair([one, other])}
      />
      {loaded.state === 'failed' ? (
        <Trouble error={loaded.error} onRetry={again} />
      ) : isCurrent && loaded.value !== null ? (
        <DiffResult key={`${first} ${second}`} {...props} {...loaded.value} isForward={first <= second} />
      ) : (
        <p className="muted" role="status">
          {diff.loading}
        </p>
      )}
    </div>
  )
}

interface DiffPickerProps {
  readonly requests: readonly InspectedRequest[]
  readonly first: number
  readonly second: number
  /** Whether each is proven to be what was sent; null before that is known. */
  readonly proven: readonly [first: boolean, second: boolean] | null
  /** Whether they are simulated, so that there is nothing to prove. */
  readonly isSimulated: boolean
  readonly onPair: (first: number, second: number) => void
}

function DiffPicker({ requests, first, second, proven, isSimulated, onPair }: DiffPickerProps) {
  const { diff } = useLanguage()
  const last = requests.length - 1
  return (
    <div className="diff-picker">
      <Side
        name={diff.first}
        requests={requests}
        chosen={first}
        isProven={proven === null ? null : proven[0]}
        isSimulated={isSimulated}
        onChoose={(place) => onPair(place, second)}
      />
      <Side
        name={diff.second}
        requests={requests}
        chosen={second}
        isProven={proven === null ? null : proven[1]}
        isSimulated={isSimulated}
        onChoose={(place) => onPair(first, place)}
      />
      <div className="diff-pairs">
        <Button
          isSmall
          icon={ChevronLeft}
          disabled={Math.min(first, second) === 0}
          onClick={() => onPair(first - 1, second - 1)}
          text={diff.previousPair}
        />
        <Button
          isSmall
          disabled={Math.max(first, second) >= last}
          onClick={() => onPair(first + 1, second + 1)}
          text={diff.nextPair}
        >
          <ChevronRight size={14} aria-hidden />
        </Button>
        <Button isSmall icon={ArrowLeftRight} onClick={() => onPair(second, first)} text={diff.swap} />
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
  const { diff, timeline, number, time } = useLanguage()
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
        <StepButtons names={[diff.earlier(name), diff.later(name)]} place={chosen} last={last} onPlace={onChoose} />
      </div>
      <p className="small">{diff.about(at === null ? timeline.detail.notKnown : time(at), number(request?.fill.tokens ?? 0))}</p>
      <p className={isProven === true ? 'small diff-proven' : 'small muted'}>
        {isProven === null ? (
          ' '
        ) : isProven ? (
          <>
            <BadgeCheck size={14} aria-hidden /> {diff.proven}
          </>
        ) : (
          <>
            <CircleHelp size={14} aria-hidden /> {isSimulated ? diff.simulated : diff.notProven}
          </>
        )}
      </p>
    </div>
  )
}

import { ArrowLeftRight, BadgeCheck, ChevronLeft, ChevronRight, CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { Button, StepButtons } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { ErrorNotice, useLoaded } from '../../parts/use-loaded.tsx'
import { useInspector } from '../source/inspector-source.ts'
import { DiffResult } from './diff-result.tsx'

/** Any two requests compared, message by message, exactly as they were sent. */
export function Diff() {
  const { inspection, source, focus } = useInspector()
  const { requests } = inspection
  const { diff } = useLanguage()
  const last = requests.length - 1
  const [pair, setPair] = useState<readonly [first: number, second: number]>(() => [focus[0] ?? last - 1, focus[1] ?? last])
  const [first, second] = pair.map((place) => Math.max(0, Math.min(place, last))) as [number, number]
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
  const answer = loaded.state === 'there' ? loaded.value : null
  const both = answer?.before.id === ids[0] && answer?.after.id === ids[1] ? answer : null
  return (
    <div className="diff">
      <h2>{inspection.session.under === undefined ? diff.title : diff.titleSimulated}</h2>
      <div className="diff-picker">
        <Side
          name={diff.first}
          chosen={first}
          isProven={both?.before.isProven ?? null}
          onChoose={(place) => setPair([place, second])}
        />
        <Side
          name={diff.second}
          chosen={second}
          isProven={both?.after.isProven ?? null}
          onChoose={(place) => setPair([first, place])}
        />
        <div className="diff-pairs">
          <Button
            isSmall
            icon={ChevronLeft}
            disabled={Math.min(first, second) === 0}
            onClick={() => setPair([first - 1, second - 1])}
            text={diff.previousPair}
          />
          <Button
            isSmall
            disabled={Math.max(first, second) >= last}
            onClick={() => setPair([first + 1, second + 1])}
            text={diff.nextPair}
          >
            <ChevronRight size={14} aria-hidden />
          </Button>
          <Button isSmall icon={ArrowLeftRight} onClick={() => setPair([second, first])} text={diff.swap} />
        </div>
      </div>
      {loaded.state === 'failed' ? (
        <ErrorNotice error={loaded.error} onRetry={again} />
      ) : both === null ? (
        <p className="muted" role="status">
          {diff.loading}
        </p>
      ) : (
        <DiffResult key={`${first} ${second}`} {...both} isForward={first <= second} />
      )}
    </div>
  )
}

interface SideProps {
  readonly name: string
  readonly chosen: number
  /** Whether it was verified against what was sent; null until known. */
  readonly isProven: boolean | null
  readonly onChoose: (place: number) => void
}

function Side({ name, chosen, isProven, onChoose }: SideProps) {
  const { diff, timeline, number, time } = useLanguage()
  const { requests, session } = useInspector().inspection
  const request = requests[chosen]
  const last = requests.length - 1
  const at = request?.at ?? null
  const Icon = isProven === true ? BadgeCheck : CircleHelp
  const told = isProven === true ? diff.proven : session.under === undefined ? diff.notProven : diff.simulated
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
        ) : (
          <>
            <Icon size={14} aria-hidden /> {told}
          </>
        )}
      </p>
    </div>
  )
}

import { useState } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { InspectorPartProps } from '../source/inspector-part.ts'
import { DiffPicker } from './diff-picker.tsx'
import { DiffResult } from './diff-result.tsx'
import './diff.css'

/** Any two requests compared, message by message, exactly as they were sent. */
export function Diff(props: InspectorPartProps) {
  const { inspection, source, focus } = props
  const { requests } = inspection
  const isSimulated = inspection.session.under !== undefined
  const { strings } = useLanguage()
  const words = strings.diff
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
  if (requests.length < 2) return <p className="notice">{words.tooFew}</p>
  const isCurrent =
    loaded.state === 'there' && loaded.value !== null && loaded.value.before.id === ids[0] && loaded.value.after.id === ids[1]
  return (
    <div className="diff">
      <h2>{isSimulated ? words.titleSimulated : words.title}</h2>
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
          {words.loading}
        </p>
      )}
    </div>
  )
}

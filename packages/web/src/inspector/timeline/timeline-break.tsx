import type { CacheBreak, InspectedRequest } from '@plimsoll/core'
import { X } from 'lucide-react'
import { useLanguage } from '../../parts/language.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import { aboutMessage, messageName } from '../messages/message-name.ts'
import type { TimelineDetailProps } from './timeline-detail.tsx'

/** Whether a request could use the cache of the one before it, and where, by what and at what price that broke. */
export function TimelineBreak(props: TimelineDetailProps & { readonly request: InspectedRequest }) {
  const { request, selected } = props
  const { strings } = useLanguage()
  const words = strings.requests.timeline.detail
  if (request.broken === null) return selected === 0 ? words.first : words.goesOn
  return (
    <>
      <X size={13} aria-hidden className="timeline-break" /> <BreakWords {...props} broken={request.broken} />
    </>
  )
}

/** A call may stand a few messages before its result: several are made at once. */
const callsBefore = 12

function BreakWords({ broken, inspection, source }: TimelineDetailProps & { readonly broken: CacheBreak }) {
  const { strings, number, ordinal } = useLanguage()
  const { message: place, policy, reason, tokens } = broken
  const words = strings.requests.timeline.detail
  const [loaded] = useLoaded(
    (signal) => (place === null ? Promise.resolve([]) : source.messages(Math.max(0, place - callsBefore), place + 1, signal)),
    [source, place],
  )
  const paid = number(tokens)
  if (place === null) return words.changedBefore(words.reasons[reason], paid)
  const near = loaded.state === 'there' ? loaded.value.map(({ message }) => message) : []
  const changed = loaded.state === 'there' ? loaded.value.find((known) => known.number === place)?.message : undefined
  const about = changed === undefined ? null : aboutMessage(changed, near)
  const message = strings.requests.message(ordinal(place), messageName(inspection, place, strings, about))
  return policy === null ? words.changed(message, words.reasons[reason], paid) : words.changedBy(message, policy, paid)
}

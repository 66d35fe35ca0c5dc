import { type Cost, windowCategories } from '@plimsoll/core/bill'
import { GitCompare, MessageSquareText, NotebookText, X } from 'lucide-react'
import type { CacheBreak, InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button, StepButtons } from '../../parts/button.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { useLoaded } from '../../parts/use-loaded.tsx'
import { aboutMessage, messageName } from '../messages/message-about.ts'
import type { InspectorPartProps } from '../source/inspector-source.ts'
import { CategorySwatch } from '../window/category.tsx'

interface TimelineDetailProps extends InspectorPartProps {
  readonly spent: readonly number[]
  readonly selected: number
  readonly onSelect: (request: number) => void
}

/** Everything about one request in words, and where to go from it. */
export function TimelineDetail(props: TimelineDetailProps) {
  const { inspection, selected, onSelect, spent } = props
  const { timeline, number } = useLanguage()
  const request = inspection.requests[selected]
  if (request === undefined) return null
  return (
    <section
      className="card timeline-detail"
      aria-label={timeline.detail.title(number(selected + 1), number(inspection.requests.length))}
    >
      <header className="timeline-detail-head">
        <h3>{timeline.detail.title(number(selected + 1), number(inspection.requests.length))}</h3>
        <StepButtons
          names={[timeline.detail.previous, timeline.detail.next]}
          place={selected}
          last={inspection.requests.length - 1}
          onPlace={onSelect}
        />
      </header>
      <div className="timeline-detail-body">
        <dl>
          <Facts request={request} spent={spent[selected] ?? 0} isSimulated={inspection.session.under !== undefined} />
          <div className="timeline-fact">
            <dt>{timeline.detail.cache}</dt>
            <dd>
              <TimelineBreak {...props} request={request} />
            </dd>
          </div>
        </dl>
        <Categories request={request} />
      </div>
      <Ways {...props} request={request} />
    </section>
  )
}

interface FactsProps {
  readonly request: InspectedRequest
  readonly spent: number
  readonly isSimulated: boolean
}

function Facts({ request, spent, isSimulated }: FactsProps) {
  const { timeline, number, time, dollars } = useLanguage()
  const { fill, usage, cost } = request
  const paidText = ({ parts, dollars: paid }: Cost) => {
    const parted = [parts.cacheRead, parts.cacheWrite, parts.input, parts.output].map(dollars) as [string, string, string, string]
    return `${timeline.detail.paid(dollars(paid), ...parted)} · ${timeline.detail.soFar(dollars(spent))}`
  }
  const marked = (text: string) => (isSimulated ? timeline.detail.simulated(text) : text)
  const limit = fill.window - fill.reserve
  const limits = [number(limit), number(fill.window), number(fill.reserve)] as const
  const facts: readonly (readonly [string, string])[] = [
    [timeline.detail.time, request.at === null ? timeline.detail.notKnown : time(request.at)],
    [timeline.detail.model, request.model ?? timeline.detail.notKnown],
    [
      timeline.detail.tokens,
      fill.source === 'usage' ? timeline.detail.counted(number(fill.tokens)) : timeline.detail.estimated(number(fill.tokens)),
    ],
    [
      timeline.detail.limit,
      fill.tokens > limit
        ? timeline.detail.over(number(fill.tokens - limit), ...limits)
        : timeline.detail.below(number(limit - fill.tokens), ...limits),
    ],
    [
      timeline.detail.usage,
      usage === null
        ? timeline.detail.notReported
        : marked(
            timeline.detail.reported(
              number(usage.cacheRead),
              number(usage.cacheWrite),
              number(usage.input),
              number(usage.output),
            ),
          ),
    ],
    [timeline.detail.money, cost === null ? timeline.detail.noPrice : marked(paidText(cost))],
    [
      timeline.detail.edits,
      request.edits === 0 ? timeline.detail.noEdits : timeline.detail.tookEffect(number(request.edits), number(request.saved)),
    ],
    [timeline.detail.waiting, request.waiting > 0 ? timeline.detail.waits(number(request.waiting)) : ''],
    [timeline.detail.compaction, request.isCompacted ? timeline.detail.compacted : ''],
  ]
  return facts
    .filter(([, text]) => text !== '')
    .map(([name, text]) => (
      <div key={name} className="timeline-fact">
        <dt>{name}</dt>
        <dd>{text}</dd>
      </div>
    ))
}

function Categories({ request: { fill } }: { readonly request: InspectedRequest }) {
  const { fill: names, timeline, number, percent } = useLanguage()
  const rows = windowCategories.flatMap((category) => {
    const tokens = fill.categories[category] ?? 0
    return tokens > 0 ? [{ category, tokens }] : []
  })
  return (
    <table className="table timeline-categories">
      <caption className="small muted">{timeline.detail.categories}</caption>
      <tbody>
        {rows.map(({ category, tokens }) => (
          <tr key={category}>
            <th scope="row">
              <CategorySwatch category={category} /> {names.categories[category]}
            </th>
            <td className="number">{number(tokens)}</td>
            <td className="number">{percent(fill.tokens > 0 ? tokens / fill.tokens : 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Ways({ request, selected, onOpenMessage, onOpenTab }: TimelineDetailProps & { readonly request: InspectedRequest }) {
  const { timeline, ordinal } = useLanguage()
  const changed = request.broken?.message ?? null
  return (
    <div className="timeline-ways">
      {changed === null ? null : (
        <Button
          isSmall
          icon={MessageSquareText}
          onClick={() => onOpenMessage(changed)}
          text={timeline.detail.openMessage(ordinal(changed))}
        />
      )}
      {request.last < 0 ? null : (
        <Button isSmall icon={MessageSquareText} onClick={() => onOpenMessage(request.last)} text={timeline.detail.openLast} />
      )}
      {onOpenTab === undefined || selected === 0 ? null : (
        <Button
          isSmall
          icon={GitCompare}
          onClick={() => onOpenTab('diff', { requests: [selected - 1, selected] })}
          text={timeline.detail.compare}
        />
      )}
      {onOpenTab === undefined || request.edits === 0 ? null : (
        <Button
          isSmall
          icon={NotebookText}
          onClick={() => onOpenTab('ledger', { requests: [selected] })}
          text={timeline.detail.ledger}
        />
      )}
    </div>
  )
}

/** Whether a request could use the cache of the one before it, and where, by what and at what price that broke. */
function TimelineBreak(props: TimelineDetailProps & { readonly request: InspectedRequest }) {
  const { request, selected } = props
  const { timeline } = useLanguage()
  if (request.broken === null) return selected === 0 ? timeline.detail.first : timeline.detail.goesOn
  return (
    <>
      <X size={13} aria-hidden className="timeline-break" /> <BreakWords {...props} broken={request.broken} />
    </>
  )
}

/** A call may stand a few messages before its result: several are made at once. */
const callsBefore = 12

function BreakWords({ broken, inspection, source }: TimelineDetailProps & { readonly broken: CacheBreak }) {
  const language = useLanguage()
  const { timeline, requests, number, ordinal } = language
  const { message: place, policy, reason, tokens } = broken
  const [loaded] = useLoaded(
    (signal) => (place === null ? Promise.resolve([]) : source.messages(Math.max(0, place - callsBefore), place + 1, signal)),
    [source, place],
  )
  const paid = number(tokens)
  if (place === null) return timeline.detail.changedBefore(timeline.detail.reasons[reason], paid)
  const near = loaded.state === 'there' ? loaded.value.map(({ message }) => message) : []
  const changed = loaded.state === 'there' ? loaded.value.find((known) => known.number === place)?.message : undefined
  const about = changed === undefined ? null : aboutMessage(changed, near)
  const message = requests.message(ordinal(place), messageName(inspection, place, language, about))
  return policy === null
    ? timeline.detail.changed(message, timeline.detail.reasons[reason], paid)
    : timeline.detail.changedBy(message, policy, paid)
}

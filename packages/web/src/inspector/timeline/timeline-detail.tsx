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
  const { strings, number } = useLanguage()
  const { detail } = strings.requests.timeline
  const request = inspection.requests[selected]
  if (request === undefined) return null
  return (
    <section className="card timeline-detail" aria-label={detail.title(number(selected + 1), number(inspection.requests.length))}>
      <header className="timeline-detail-head">
        <h3>{detail.title(number(selected + 1), number(inspection.requests.length))}</h3>
        <StepButtons
          names={[detail.previous, detail.next]}
          place={selected}
          last={inspection.requests.length - 1}
          onPlace={onSelect}
        />
      </header>
      <div className="timeline-detail-body">
        <dl>
          <Facts request={request} spent={spent[selected] ?? 0} isSimulated={inspection.session.under !== undefined} />
          <div className="timeline-fact">
            <dt>{detail.cache}</dt>
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
  const { strings, number, time, dollars } = useLanguage()
  const { detail } = strings.requests.timeline
  const { fill, usage, cost } = request
  const paidText = ({ parts, dollars: paid }: Cost) => {
    const parted = [parts.cacheRead, parts.cacheWrite, parts.input, parts.output].map(dollars) as [string, string, string, string]
    return `${detail.paid(dollars(paid), ...parted)} · ${detail.soFar(dollars(spent))}`
  }
  const marked = (text: string) => (isSimulated ? detail.simulated(text) : text)
  const limit = fill.window - fill.reserve
  const limits = [number(limit), number(fill.window), number(fill.reserve)] as const
  const facts: readonly (readonly [string, string])[] = [
    [detail.time, request.at === null ? detail.notKnown : time(request.at)],
    [detail.model, request.model ?? detail.notKnown],
    [detail.tokens, fill.source === 'usage' ? detail.counted(number(fill.tokens)) : detail.estimated(number(fill.tokens))],
    [
      detail.limit,
      fill.tokens > limit
        ? detail.over(number(fill.tokens - limit), ...limits)
        : detail.below(number(limit - fill.tokens), ...limits),
    ],
    [
      detail.usage,
      usage === null
        ? detail.notReported
        : marked(detail.reported(number(usage.cacheRead), number(usage.cacheWrite), number(usage.input), number(usage.output))),
    ],
    [detail.money, cost === null ? detail.noPrice : marked(paidText(cost))],
    [detail.edits, request.edits === 0 ? detail.noEdits : detail.tookEffect(number(request.edits), number(request.saved))],
    [detail.waiting, request.waiting > 0 ? detail.waits(number(request.waiting)) : ''],
    [detail.compaction, request.isCompacted ? detail.compacted : ''],
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
  const { strings, number, percent } = useLanguage()
  const names = strings.fill.categories
  const rows = windowCategories.flatMap((category) => {
    const tokens = fill.categories[category] ?? 0
    return tokens > 0 ? [{ category, tokens }] : []
  })
  return (
    <table className="table timeline-categories">
      <caption className="small muted">{strings.requests.timeline.detail.categories}</caption>
      <tbody>
        {rows.map(({ category, tokens }) => (
          <tr key={category}>
            <th scope="row">
              <CategorySwatch category={category} /> {names[category]}
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
  const { strings, ordinal } = useLanguage()
  const { detail } = strings.requests.timeline
  const changed = request.broken?.message ?? null
  return (
    <div className="timeline-ways">
      {changed === null ? null : (
        <Button
          isSmall
          icon={MessageSquareText}
          onClick={() => onOpenMessage(changed)}
          text={detail.openMessage(ordinal(changed))}
        />
      )}
      {request.last < 0 ? null : (
        <Button isSmall icon={MessageSquareText} onClick={() => onOpenMessage(request.last)} text={detail.openLast} />
      )}
      {onOpenTab === undefined || selected === 0 ? null : (
        <Button
          isSmall
          icon={GitCompare}
          onClick={() => onOpenTab('diff', { requests: [selected - 1, selected] })}
          text={detail.compare}
        />
      )}
      {onOpenTab === undefined || request.edits === 0 ? null : (
        <Button isSmall icon={NotebookText} onClick={() => onOpenTab('ledger', { requests: [selected] })} text={detail.ledger} />
      )}
    </div>
  )
}

/** Whether a request could use the cache of the one before it, and where, by what and at what price that broke. */
function TimelineBreak(props: TimelineDetailProps & { readonly request: InspectedRequest }) {
  const { request, selected } = props
  const { detail } = useLanguage().strings.requests.timeline
  if (request.broken === null) return selected === 0 ? detail.first : detail.goesOn
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
  const { detail } = strings.requests.timeline
  const [loaded] = useLoaded(
    (signal) => (place === null ? Promise.resolve([]) : source.messages(Math.max(0, place - callsBefore), place + 1, signal)),
    [source, place],
  )
  const paid = number(tokens)
  if (place === null) return detail.changedBefore(detail.reasons[reason], paid)
  const near = loaded.state === 'there' ? loaded.value.map(({ message }) => message) : []
  const changed = loaded.state === 'there' ? loaded.value.find((known) => known.number === place)?.message : undefined
  const about = changed === undefined ? null : aboutMessage(changed, near)
  const message = strings.requests.message(ordinal(place), messageName(inspection, place, strings, about))
  return policy === null ? detail.changed(message, detail.reasons[reason], paid) : detail.changedBy(message, policy, paid)
}

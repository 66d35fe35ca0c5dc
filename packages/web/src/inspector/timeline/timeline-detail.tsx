import { type CacheBreak, type Cost, type InspectedRequest, windowCategories } from '@plimsoll/core'
import { ChevronLeft, ChevronRight, GitCompare, MessageSquareText, NotebookText, X } from 'lucide-react'
import { useLanguage } from '../../parts/language.tsx'
import { useLoaded } from '../../parts/use-loaded.tsx'
import { aboutMessage, messageName } from '../messages/message-about.ts'
import type { InspectorPartProps } from '../source/inspector-source.ts'
import { CategorySwatch } from '../window/category.tsx'

/** What the words about a request are told. */
export interface TimelineDetailProps extends InspectorPartProps {
  readonly spent: readonly number[]
  readonly selected: number
  readonly onSelect: (request: number) => void
}

/** Everything about one request in words, and where to go from it. */
export function TimelineDetail(props: TimelineDetailProps) {
  const { inspection, selected, onSelect, spent } = props
  const { strings, number } = useLanguage()
  const words = strings.requests.timeline.detail
  const request = inspection.requests[selected]
  if (request === undefined) return null
  return (
    <section className="card timeline-detail" aria-label={words.title(number(selected + 1), number(inspection.requests.length))}>
      <header className="timeline-detail-head">
        <h3>{words.title(number(selected + 1), number(inspection.requests.length))}</h3>
        <button
          type="button"
          className="button button-quiet"
          aria-label={words.previous}
          disabled={selected === 0}
          onClick={() => onSelect(selected - 1)}
        >
          <ChevronLeft size={16} aria-hidden />
        </button>
        <button
          type="button"
          className="button button-quiet"
          aria-label={words.next}
          disabled={selected >= inspection.requests.length - 1}
          onClick={() => onSelect(selected + 1)}
        >
          <ChevronRight size={16} aria-hidden />
        </button>
      </header>
      <div className="timeline-detail-body">
        <dl>
          <Facts request={request} spent={spent[selected] ?? 0} isSimulated={inspection.session.under !== undefined} />
          <div className="timeline-fact">
            <dt>{words.cache}</dt>
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
  const words = strings.requests.timeline.detail
  const { fill, usage, cost } = request
  const paidText = ({ parts, dollars: paid }: Cost) => {
    const parted = [parts.cacheRead, parts.cacheWrite, parts.input, parts.output].map(dollars) as [string, string, string, string]
    return `${words.paid(dollars(paid), ...parted)} · ${words.soFar(dollars(spent))}`
  }
  const marked = (text: string) => (isSimulated ? words.simulated(text) : text)
  const limit = fill.window - fill.reserve
  const limits = [number(limit), number(fill.window), number(fill.reserve)] as const
  const facts: readonly (readonly [string, string])[] = [
    [words.time, request.at === null ? words.notKnown : time(request.at)],
    [words.model, request.model ?? words.notKnown],
    [words.tokens, fill.source === 'usage' ? words.counted(number(fill.tokens)) : words.estimated(number(fill.tokens))],
    [
      words.limit,
      fill.tokens > limit
        ? words.over(number(fill.tokens - limit), ...limits)
        : words.below(number(limit - fill.tokens), ...limits),
    ],
    [
      words.usage,
      usage === null
        ? words.notReported
        : marked(words.reported(number(usage.cacheRead), number(usage.cacheWrite), number(usage.input), number(usage.output))),
    ],
    [words.money, cost === null ? words.noPrice : marked(paidText(cost))],
    [words.edits, request.edits === 0 ? words.noEdits : words.tookEffect(number(request.edits), number(request.saved))],
    [words.waiting, request.waiting > 0 ? words.waits(number(request.waiting)) : ''],
    [words.compaction, request.isCompacted ? words.compacted : ''],
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
  const words = strings.requests.timeline.detail
  const changed = request.broken?.message ?? null
  return (
    <div className="timeline-ways">
      {changed === null ? null : (
        <button type="button" className="button small" onClick={() => onOpenMessage(changed)}>
          <MessageSquareText size={14} aria-hidden />
          {words.openMessage(ordinal(changed))}
        </button>
      )}
      {request.last < 0 ? null : (
        <button type="button" className="button small" onClick={() => onOpenMessage(request.last)}>
          <MessageSquareText size={14} aria-hidden />
          {words.openLast}
        </button>
      )}
      {onOpenTab === undefined || selected === 0 ? null : (
        <button type="button" className="button small" onClick={() => onOpenTab('diff', { requests: [selected - 1, selected] })}>
          <GitCompare size={14} aria-hidden />
          {words.compare}
        </button>
      )}
      {onOpenTab === undefined || request.edits === 0 ? null : (
        <button type="button" className="button small" onClick={() => onOpenTab('ledger', { requests: [selected] })}>
          <NotebookText size={14} aria-hidden />
          {words.ledger}
        </button>
      )}
    </div>
  )
}

/** Whether a request could use the cache of the one before it, and where, by what and at what price that broke. */
function TimelineBreak(props: TimelineDetailProps & { readonly request: InspectedRequest }) {
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

import { type Cost, promptTotal, windowCategories } from '@plimsoll/core/bill'
import { GitCompare, MessageSquareText, NotebookText, X } from 'lucide-react'
import type { CacheBreak, InspectedRequest, RecordedSide } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button, StepButtons } from '../../parts/controls.tsx'
import { type Language, useLanguage } from '../../parts/language.tsx'
import { useLoaded } from '../../parts/use-loaded.tsx'
import { aboutMessage, messageName } from '../messages/message-about.ts'
import { useInspector } from '../source/inspector-source.ts'
import { CategorySwatch } from '../window/category.tsx'

interface TimelineDetailProps {
  /** Dollars of the session after each request. */
  readonly spent: readonly number[]
  readonly selected: number
  readonly onSelect: (request: number) => void
}

/** Everything about one request as text, with links to related views. */
export function TimelineDetail({ spent, selected, onSelect }: TimelineDetailProps) {
  const language = useLanguage()
  const { detail } = language.timeline
  const { requests, session, recorded } = useInspector().inspection
  const request = requests[selected]
  if (request === undefined) return null
  const title = detail.title(language.number(selected + 1), language.number(requests.length))
  const names = [detail.previous, detail.next] as const
  return (
    <section className="card timeline-detail" aria-label={title}>
      <header className="timeline-detail-head">
        <h3>{title}</h3>
        <StepButtons names={names} place={selected} last={requests.length - 1} onPlace={onSelect} />
      </header>
      <div className="timeline-detail-body">
        <dl>
          {factsOf(request, spent[selected] ?? 0, session.under === undefined ? null : sideOf(recorded, selected), language).map(
            ([name, text]) => (
              <div key={name} className="timeline-fact">
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ),
          )}
          <div className="timeline-fact">
            <dt>{detail.cache}</dt>
            <dd>
              {request.broken === null ? (
                selected === 0 ? (
                  detail.first
                ) : (
                  detail.goesOn
                )
              ) : (
                <>
                  <X size={13} aria-hidden className="timeline-break" /> <BreakText {...request.broken} />
                </>
              )}
            </dd>
          </div>
        </dl>
        <Categories request={request} />
      </div>
      <Ways request={request} selected={selected} />
    </section>
  )
}

/** A request as recorded; both are null if that is unknown. */
interface RecordedAmounts {
  readonly tokens: number | null
  readonly dollars: number | null
}

function sideOf(recorded: RecordedSide | undefined, place: number): RecordedAmounts {
  const usage = recorded?.usages[place]
  return { tokens: usage === undefined ? null : promptTotal(usage), dollars: recorded?.costs[place]?.dollars ?? null }
}

/** `recorded` is null if the session is not simulated. */
function factsOf(request: InspectedRequest, spent: number, recorded: RecordedAmounts | null, language: Language) {
  const { timeline, number, time, dollars, change } = language
  const { detail } = timeline
  const { fill, usage, cost, edits, saved, waiting } = request
  const marked = (text: string) => (recorded === null ? text : detail.simulated(text))
  const beside = (before: number | null | undefined, after: number, format: (value: number) => string) =>
    before === null || before === undefined ? '' : ` (${detail.recorded(format(before), change(before, after))})`
  const limit = fill.window - fill.reserve
  const limits = [number(limit), number(fill.window), number(fill.reserve)] as const
  const four = ({ cacheRead, cacheWrite, input, output }: Cost['parts'], format: (value: number) => string) =>
    [format(cacheRead), format(cacheWrite), format(input), format(output)] as const
  const facts: readonly (readonly [name: string, text: string])[] = [
    [detail.time, request.at === null ? detail.notKnown : time(request.at)],
    [detail.model, request.model ?? detail.notKnown],
    [
      detail.tokens,
      recorded !== null
        ? `${marked(number(fill.tokens))}${beside(recorded.tokens, usage === null ? fill.tokens : promptTotal(usage), number)}`
        : fill.source === 'usage'
          ? detail.counted(number(fill.tokens))
          : detail.estimated(number(fill.tokens)),
    ],
    [
      detail.limit,
      fill.tokens > limit
        ? detail.over(number(fill.tokens - limit), ...limits)
        : detail.below(number(limit - fill.tokens), ...limits),
    ],
    [detail.usage, usage === null ? detail.notReported : marked(detail.reported(...four(usage, number)))],
    [
      detail.money,
      cost === null
        ? usage === null
          ? detail.notReported
          : detail.noPrice
        : `${marked(`${detail.paid(dollars(cost.dollars), ...four(cost.parts, dollars))} · ${detail.soFar(dollars(spent))}`)}${beside(recorded?.dollars, cost.dollars, dollars)}`,
    ],
    [detail.edits, edits === 0 ? detail.noEdits : detail.tookEffect(number(edits), number(saved))],
    [detail.waiting, waiting > 0 ? detail.waits(number(waiting)) : ''],
    [detail.compaction, request.isCompacted ? detail.compacted : ''],
  ]
  return facts.filter(([, text]) => text !== '')
}

function Categories({ request: { fill } }: { readonly request: InspectedRequest }) {
  const { fill: names, timeline, number, percent } = useLanguage()
  return (
    <table className="table timeline-categories">
      <caption className="small muted">{timeline.detail.categories}</caption>
      <tbody>
        {windowCategories.map((category) => {
          const tokens = fill.categories[category] ?? 0
          if (tokens <= 0) return null
          return (
            <tr key={category}>
              <th scope="row">
                <CategorySwatch category={category} /> {names.categories[category]}
              </th>
              <td className="number">{number(tokens)}</td>
              <td className="number">{percent(fill.tokens > 0 ? tokens / fill.tokens : 0)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Ways({ request, selected }: { readonly request: InspectedRequest; readonly selected: number }) {
  const { timeline, ordinal } = useLanguage()
  const { onOpenMessage, onOpenTab } = useInspector()
  const { detail } = timeline
  const changed = request.broken?.message ?? null
  const ways = [
    changed !== null && ([MessageSquareText, detail.openMessage(ordinal(changed)), () => onOpenMessage(changed)] as const),
    request.last >= 0 && ([MessageSquareText, detail.openLast, () => onOpenMessage(request.last)] as const),
    selected > 0 && ([GitCompare, detail.compare, () => onOpenTab('diff', [selected - 1, selected])] as const),
    request.edits > 0 && ([NotebookText, detail.ledger, () => onOpenTab('ledger', [selected])] as const),
  ]
  return (
    <div className="timeline-ways">
      {ways.map((way) => way && <Button key={way[1]} isSmall icon={way[0]} onClick={way[2]} text={way[1]} />)}
    </div>
  )
}

/** A call may be a few messages before its result: several are made at once. */
const callsBefore = 12

/** Where the cache of the request before it broke, by what and at what cost. */
function BreakText({ message: place, policy, reason, tokens }: CacheBreak) {
  const language = useLanguage()
  const { timeline, requests, number, ordinal } = language
  const { inspection, source } = useInspector()
  const { detail } = timeline
  const [loaded] = useLoaded(
    (signal) => (place === null ? Promise.resolve([]) : source.messages(Math.max(0, place - callsBefore), place + 1, signal)),
    [source, place],
  )
  const paid = number(tokens)
  if (place === null) return detail.changedBefore(detail.reasons[reason], paid)
  const near = loaded.state === 'there' ? loaded.value : []
  const changed = near.find((known) => known.number === place)?.message
  const about =
    changed === undefined
      ? null
      : aboutMessage(
          changed,
          near.map((known) => known.message),
        )
  const message = requests.message(ordinal(place), messageName(inspection, place, language, about))
  return policy === null ? detail.changed(message, detail.reasons[reason], paid) : detail.changedBy(message, policy, paid)
}

import { FlaskConical, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { InspectedUnder, Inspection } from '../../../node/src/shared/inspection/inspection.ts'
import { Button } from '../parts/button.tsx'
import { type Language, useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import { useLoaded } from '../parts/use-loaded.tsx'
import type { Strings } from '../strings/strings-for.ts'
import type { InspectorSource } from './source/inspector-source.ts'
import { usualChoices } from './what-if/what-if-rows.ts'

type InspectorHeaderStrings = Strings['inspector']['header']

/** So many troubles are listed at once. */
const mostTroubles = 5

/** What the session is, and what of it could not be read. */
export function InspectorHeader({ inspection, links }: { readonly inspection: Inspection; readonly links?: ReactNode }) {
  const language = useLanguage()
  const { inspector } = language
  const { session, troubles, note } = inspection
  return (
    <header className="inspector-header">
      <div className="inspector-title">
        <h1>{session.title === null ? inspector.untitled : visibleLine(session.title, 160)}</h1>
        {links}
      </div>
      <dl className="inspector-facts">
        <div>
          <dt className="visually-hidden">{inspector.title}</dt>
          <dd>
            <span className="inspector-kind">
              {session.isOwn ? inspector.header.own : inspector.header.logOf(visibleLine(session.format, 40))}
            </span>
          </dd>
        </div>
        {factsOf(inspection, language).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {note === undefined ? null : <p className="notice">{note}</p>}
      {troubles.length === 0 ? null : <Troubles troubles={troubles} />}
    </header>
  )
}

function Troubles({ troubles }: { readonly troubles: readonly string[] }) {
  const { inspector, number } = useLanguage()
  const rest = troubles.slice(mostTroubles)
  return (
    <section className="notice notice-warn">
      <p className="inspector-warning">
        <TriangleAlert size={16} aria-hidden />
        {inspector.header.troubles(number(troubles.length))}
      </p>
      <TroubleList troubles={troubles.slice(0, mostTroubles)} />
      {rest.length === 0 ? null : (
        <details>
          <summary>{inspector.header.moreTroubles(number(rest.length))}</summary>
          <TroubleList troubles={rest.slice(0, 500)} />
        </details>
      )}
    </section>
  )
}

function TroubleList({ troubles }: { readonly troubles: readonly string[] }) {
  return (
    <ul className="inspector-troubles">
      {troubles.map((trouble, index) => (
        <li key={index}>{visibleLine(trouble, 400)}</li>
      ))}
    </ul>
  )
}

function factsOf(inspection: Inspection, { inspector, number, percent, dollars, time }: Language) {
  const { session, messages, fill } = inspection
  const { header } = inspector
  const share = fill.window > 0 ? ` · ${percent(fill.tokens / fill.window)}` : ''
  const facts = [
    { name: header.model, value: session.model === null ? null : visibleLine(session.model, 60) },
    { name: header.messages, value: number(messages.ids.length) },
    { name: header.requests, value: number(inspection.requestCount ?? inspection.requests.length) },
    { name: header.tokens, value: `${number(fill.tokens)}${share}` },
    {
      name: session.under === undefined ? header.cost : inspector.under.cost(session.under.price),
      value: costText(session.cost, header, { dollars, number }),
    },
    { name: header.time, value: spanText(session.first, session.last, time, header.span) },
  ]
  return facts.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]))
}

function costText(
  { dollars: sum, unpriced }: Inspection['session']['cost'],
  header: InspectorHeaderStrings,
  { dollars, number }: Pick<Language, 'dollars' | 'number'>,
): string {
  if (unpriced === 0) return dollars(sum)
  return sum === 0 ? header.unknown(number(unpriced)) : `${dollars(sum)} (${header.unpriced(number(unpriced))})`
}

function spanText(
  first: number | null,
  last: number | null,
  time: (at: number) => string,
  span: (first: string, last: string) => string,
): string | null {
  if (first === null || last === null) return first === null && last === null ? null : time((first ?? last) as number)
  const [from, to] = [time(first), time(last)]
  return from === to ? from : span(from, to)
}

interface UnderBannerProps {
  readonly under: InspectedUnder
  /** Shows the session as it was recorded again. Without it there is no button that does. */
  readonly onUnder?: (policies: null) => void
}

/** Says as long as a policy set is assumed that nothing of what is shown was sent, and what else is assumed. */
export function UnderBanner({ under, onUnder }: UnderBannerProps) {
  const { inspector, whatIf } = useLanguage()
  const [policies, price] = [visibleLine(under.policies, 60), visibleLine(under.price, 60)]
  const about = [
    `${policies}: ${whatIf.aboutPolicies[under.policies] ?? ''}`,
    `${price}: ${whatIf.aboutPrices[under.price] ?? whatIf.modelPrice}`,
  ]
  return (
    <div className="notice notice-warn under-banner" role="note">
      <FlaskConical size={16} aria-hidden />
      <div>
        <p>
          <strong>{inspector.under.simulated(policies, price)}</strong> {inspector.under.assumed}
        </p>
        <p className="small">{about.join(' · ')}</p>
      </div>
      {onUnder === undefined ? null : <Button isSmall onClick={() => onUnder(null)} text={inspector.under.back} />}
    </div>
  )
}

interface UnderChoiceProps {
  readonly source: InspectorSource
  /** The policy set that is chosen; null for the session as it was recorded. */
  readonly under: string | null
  readonly onUnder: (policies: string | null) => void
  /** Whether what was chosen is not there yet. */
  readonly isWorking: boolean
}

/** Chooses whether a session is shown as it was recorded, or as if a policy set had been in force. */
export function UnderChoice({ source, under, onUnder, isWorking }: UnderChoiceProps) {
  const { inspector } = useLanguage()
  const id = useId()
  const [loaded] = useLoaded(async (signal) => (await source.whatIfChoices?.(signal))?.under ?? [], [source])
  const known = loaded.state === 'there' ? loaded.value : []
  // What an address names is shown before it is known which there are.
  const all = under === null || known.includes(under) ? known : [...known, under]
  if (all.length === 0) return null
  const ours = all.filter((name) => usualChoices.policies.includes(name))
  const others = all.filter((name) => !usualChoices.policies.includes(name))
  const option = (name: string) => (
    <option key={name} value={name}>
      {inspector.under.set(visibleLine(name, 60))}
    </option>
  )
  return (
    <span className="under-choice">
      <label htmlFor={id}>{inspector.under.label}</label>
      <select
        id={id}
        className="field"
        value={under ?? ''}
        onChange={(event) => onUnder(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">{inspector.under.recorded}</option>
        {ours.map(option)}
        {others.length === 0 ? null : <optgroup label={inspector.under.others}>{others.map(option)}</optgroup>}
      </select>
      <span role="status" className="muted small">
        {!isWorking ? '' : under === null ? inspector.loading : inspector.under.working(visibleLine(under, 60))}
      </span>
    </span>
  )
}

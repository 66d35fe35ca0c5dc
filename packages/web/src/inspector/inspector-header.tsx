import { promptTotal, type Usage } from '@plimsoll/core/bill'
import { FlaskConical, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { agentName } from '../../../node/src/shared/agents.ts'
import type { InspectedUnder, Inspection, RecordedSide } from '../../../node/src/shared/inspection/inspection.ts'
import { Button, ColumnHeads, WorkProgress } from '../parts/controls.tsx'
import { type Language, useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import { useLoaded } from '../parts/use-loaded.tsx'
import { type InspectorSource, useInspector } from './source/inspector-source.ts'
import { usualChoices } from './what-if/what-if-rows.ts'

/** The session's title and facts, and which parts could not be read. The children are next to the title. */
export function InspectorHeader({ children }: { readonly children: ReactNode }) {
  const language = useLanguage()
  const { inspector } = language
  const { inspection } = useInspector()
  const { session, troubles, note } = inspection
  return (
    <header className="inspector-header">
      <div className="inspector-title">
        <h1 dir="auto">{session.title === null ? inspector.untitled : visibleLine(session.title, 160)}</h1>
        {children}
      </div>
      <dl className="inspector-facts">
        <div>
          <dt className="visually-hidden">{inspector.title}</dt>
          <dd>
            <span className="inspector-kind">
              {session.isOwn ? inspector.header.own : inspector.header.logOf(visibleLine(agentName(session.format), 40))}
            </span>
          </dd>
        </div>
        {factsOf(inspection, language).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {note === undefined ? null : <p className="inspector-note muted small">{note}</p>}
      {troubles.length === 0 ? null : <UnreadableParts troubles={troubles} />}
    </header>
  )
}

const firstProblems = 5
const maxProblems = 500

function UnreadableParts({ troubles }: { readonly troubles: readonly string[] }) {
  const { inspector, number } = useLanguage()
  const list = (some: readonly string[]) => (
    <ul className="inspector-troubles">
      {some.map((trouble, index) => (
        <li key={index}>{visibleLine(trouble, 400)}</li>
      ))}
    </ul>
  )
  const rest = troubles.slice(firstProblems)
  return (
    <section className="notice notice-warn">
      <p className="inspector-warning">
        <TriangleAlert size={16} aria-hidden />
        {inspector.header.troubles(number(troubles.length))}
      </p>
      {list(troubles.slice(0, firstProblems))}
      {rest.length === 0 ? null : (
        <details>
          <summary>{inspector.header.moreProblems(number(rest.length))}</summary>
          {list(rest.slice(0, maxProblems))}
        </details>
      )}
    </section>
  )
}

function factsOf(inspection: Inspection, { inspector, number, percent, dollars, shortTime }: Language) {
  const { session, messages, fill } = inspection
  const { header } = inspector
  const { dollars: sum, unpriced, unreported = 0, elsewhere = 0 } = session.cost
  const share = fill.window > 0 ? ` · ${percent(fill.tokens / fill.window)}` : ''
  const doubt = unpriced > unreported ? header.unpriced(number(unpriced)) : header.unreported(number(unreported))
  const known = unpriced === 0 ? dollars(sum) : `${dollars(sum)} (${doubt})`
  const unknown = unpriced > unreported ? header.unknown(number(unpriced)) : header.noUsage
  const cost = unpriced > 0 && sum === 0 ? unknown : known
  const times = [...new Set([session.first, session.last].filter((at) => at !== null).map(shortTime))]
  const facts: readonly (readonly [name: string, value: string])[] = [
    [header.model, session.model === null ? '' : visibleLine(session.model, 60)],
    [header.messages, number(messages.ids.length)],
    [header.requests, number(inspection.requestCount ?? inspection.requests.length)],
    [header.tokens, `${header.size(number(fill.tokens))}${share}`],
    [
      session.under === undefined ? header.cost : inspector.under.cost,
      elsewhere === 0 ? cost : header.elsewhere(cost, dollars(elsewhere)),
    ],
    [header.time, times[1] === undefined ? (times[0] ?? '') : header.span(times[0] ?? '', times[1])],
  ]
  return facts.filter(([, value]) => value !== '')
}

/** Explains that a simulated session was not sent, and what it assumes. */
export function UnderBanner({ under }: { readonly under: InspectedUnder }) {
  const { inspector, whatIf, labelled } = useLanguage()
  const { onUnder, inspection } = useInspector()
  const [policies, price] = [visibleLine(under.policies, 60), visibleLine(under.price, 60)]
  return (
    <div className="notice notice-warn under-banner" role="note">
      <FlaskConical size={16} aria-hidden />
      <div>
        <p>
          <strong>{inspector.under.simulated(policies)}</strong> {inspector.under.assumed}
        </p>
        <p className="small">
          {labelled(policies, whatIf.aboutPolicies[under.policies] ?? '')} ·{' '}
          {labelled(whatIf.priceNames[under.price] ?? price, whatIf.aboutPrices[under.price] ?? whatIf.modelPrice)}
        </p>
        {inspection.recorded === undefined ? null : <TwoSides inspection={inspection} recorded={inspection.recorded} />}
      </div>
      {onUnder === undefined ? null : <Button isSmall onClick={() => onUnder(null)} text={inspector.under.back} />}
    </div>
  )
}

/** Both sides of a simulated session, and their difference. */
function TwoSides({ inspection, recorded }: { readonly inspection: Inspection; readonly recorded: RecordedSide }) {
  const { inspector, number, dollars, change } = useLanguage()
  const { under } = inspector
  const { requests, session, fill } = inspection
  const sent = (usages: readonly (Usage | null)[]) =>
    usages.reduce((sum, usage) => sum + (usage === null ? 0 : promptTotal(usage)), 0)
  const rows = [
    ...(recorded.cost.dollars === 0
      ? []
      : ([[inspector.header.cost, recorded.cost.dollars, session.cost.dollars, dollars]] as const)),
    [under.lastRequest, recorded.fill.tokens, fill.tokens, number],
    [under.allRequests, sent(recorded.usages), sent(requests.map(({ usage }) => usage)), number],
  ] as const
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={under.compared}>
      <table className="table two-sides">
        <thead>
          <tr>
            <td />
            <ColumnHeads
              heads={[
                [under.recordedSide, 'number'],
                [under.simulatedSide, 'number'],
                [under.difference, 'number'],
              ]}
            />
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, before, after, format]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="number">{format(before)}</td>
              <td className="number">{format(after)}</td>
              <td className="number">{change(before, after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small muted">{under.sameScale}</p>
    </div>
  )
}

interface UnderChoiceProps {
  readonly source: InspectorSource
  /** The policy set that is chosen; null for the session as it was recorded. */
  readonly under: string | null
  readonly onUnder: (policies: string | null) => void
  readonly isWorking: boolean
  /** The share of the work that is done. */
  readonly share: number
}

/** Chooses between the session as recorded and the session with a policy set. */
export function UnderChoice({ source, under, onUnder, isWorking, share }: UnderChoiceProps) {
  const { inspector } = useLanguage()
  const id = useId()
  const [loaded] = useLoaded(async (signal) => (await source.whatIfChoices(signal)).under ?? [], [source])
  const known = loaded.state === 'there' ? loaded.value : []
  // A set that the address names is shown before it is known which there are.
  const all = under === null || known.includes(under) ? known : [...known, under]
  // Until it is known which there are, the room for them is kept: nothing moves.
  if (all.length === 0 && loaded.state !== 'loading') return null
  const others = all.filter((name) => !usualChoices.policies.includes(name))
  const option = (name: string) => (
    <option key={name} value={name}>
      {inspector.under.set(visibleLine(name, 60))}
    </option>
  )
  return (
    <span className="under-choice">
      <label htmlFor={id}>{inspector.under.label}</label>
      <select id={id} className="field" value={under ?? ''} onChange={(event) => onUnder(event.target.value || null)}>
        <option value="">{inspector.under.recorded}</option>
        {all.filter((name) => usualChoices.policies.includes(name)).map(option)}
        {others.length === 0 ? null : <optgroup label={inspector.under.others}>{others.map(option)}</optgroup>}
      </select>
      {isWorking && under !== null ? (
        <UnderWork under={under} share={share} onUnder={onUnder} />
      ) : (
        <span role="status" className="muted small">
          {isWorking ? inspector.loading : ''}
        </span>
      )}
    </span>
  )
}

interface UnderWorkProps {
  readonly under: string
  readonly share: number
  readonly onUnder: ((policies: string | null) => void) | undefined
}

/** How far a simulation is. Cancelling shows the session as recorded. */
export function UnderWork({ under, share, onUnder }: UnderWorkProps) {
  const { inspector } = useLanguage()
  const text = inspector.under.working(visibleLine(under, 60))
  return <WorkProgress text={text} share={share} {...(onUnder === undefined ? {} : { onCancel: () => onUnder(null) })} />
}

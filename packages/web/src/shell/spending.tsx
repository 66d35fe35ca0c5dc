import { TriangleAlert } from 'lucide-react'
import { useLocation } from 'wouter'
import { agentProgram } from '../../../node/src/shared/agents.ts'
import type { Finding, HomeFigures, Spending, SpentPeriod } from '../../../node/src/shared/spending.ts'
import { Sentence } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { inspectRoute, logsRoute } from '../parts/routes.ts'
import { visibleLine } from '../parts/safe-text.ts'
import { ErrorNotice, useApp, useWork } from '../parts/use-loaded.tsx'

/** What all agents on this machine spent, on which sessions, and what would have saved most. Nothing until something is known. */
export function SpendingCards({ figures }: { readonly figures: HomeFigures | null }) {
  if (figures === null) return null
  const { sessions = [], findings = [] } = figures
  return (
    <>
      {[figures.today, figures.week, figures.month].every(isEmpty) ? null : <SpendingFigures {...figures} />}
      {sessions.length === 0 ? null : <TopSessions sessions={sessions} />}
      {findings.length === 0 ? null : <Findings findings={findings} program={agentProgram(sessions[0]?.agent ?? '')} />}
    </>
  )
}

/** Opens the first session of a log in the inspector. */
function useOpenLog() {
  const { api } = useApp()
  const [, go] = useLocation()
  const { error, run } = useWork()
  const open = (id: string) =>
    void run(async () => {
      const [first] = (await api.log(id)).sessions
      go(first === undefined ? logsRoute : inspectRoute(first.id))
    })
  return { error, open }
}

function TopSessions({ sessions }: Required<Pick<HomeFigures, 'sessions'>>) {
  const { spending, sessions: texts, short, money, shortTime } = useLanguage()
  const { error, open } = useOpenLog()
  return (
    <section className="card cost-list" aria-label={spending.sessions}>
      <h2>{spending.sessions}</h2>
      {error === null ? null : <ErrorNotice error={error} />}
      <ul>
        {sessions.map(({ id, title, agent, model, project, tokens, dollars: cost, unpriced, last }) => (
          <li key={id}>
            <button type="button" onClick={() => open(id)}>
              <span className="cost-list-name" dir="auto">
                {visibleLine(title ?? texts.untitled, 160)}
              </span>
              <span className="number">{`${unpriced > 0 ? '≥ ' : ''}${money(cost ?? 0)}`}</span>
              <span className="cost-list-about muted small">
                {visibleLine([agent, model, project].filter((text) => text !== null).join(' · '), 200)}
              </span>
              <span className="cost-list-facts muted small number">
                {[texts.logScreen.tokens(short(tokens)), ...(last === null ? [] : [shortTime(last)])].join(' · ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** With the command for the agent that cost most. */
function Findings({ findings, program }: Required<Pick<HomeFigures, 'findings'>> & { readonly program: string }) {
  const { spending, sessions: texts, number, money } = useLanguage()
  const { error, open } = useOpenLog()
  const worstOf = ({ kind, worst }: Finding) => {
    if (worst === null) return ''
    const amount = number(worst.amount)
    const what = kind === 'reads' ? spending.worstRead(lastParts(worst.about), amount) : spending.worstLoss(amount)
    return `${what} · ${money(worst.dollars)} · ${worst.title ?? texts.untitled}`
  }
  return (
    <section className="card cost-list" aria-label={spending.findings}>
      <h2>{spending.findings}</h2>
      {error === null ? null : <ErrorNotice error={error} />}
      <ul>
        {findings.map((finding) => (
          <li key={finding.kind}>
            <button
              type="button"
              disabled={finding.worst === null}
              onClick={() => (finding.worst === null ? undefined : open(finding.worst.file))}
            >
              <span className="cost-list-name">{spending.found[finding.kind](finding.count, number(finding.count))}</span>
              <span className="number">{money(finding.dollars)}</span>
              <span className="cost-list-about muted small">{visibleLine(worstOf(finding), 200)}</span>
            </button>
            <p className="small">
              <Sentence text={finding.kind === 'reads' ? spending.helps.reads(program) : spending.helps[finding.kind]} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The end of a long path. */
function lastParts(path: string): string {
  const parts = path.split('/')
  return parts.length > 3 && !path.includes(' ') ? `…/${parts.slice(-2).join('/')}` : path
}

function isEmpty({ requests, budget }: SpentPeriod): boolean {
  return requests === 0 && budget === null
}

function SpendingFigures({ today, week, month, lastHour, block, days }: Spending & Pick<HomeFigures, 'days'>) {
  const { spending, money, short, duration } = useLanguage()
  const periods = [
    [spending.today, today],
    [spending.week, week],
    [spending.month, month],
  ] as const
  const warnings = periods.flatMap(([name, { state, budget }]) =>
    budget !== null && (state === 'near' || state === 'over') ? [[state, spending[state](name, money(budget))] as const] : [],
  )
  return (
    <section className="card home-spending" aria-label={spending.title}>
      <h2>{spending.title}</h2>
      {warnings.map(([state, text]) => (
        <p key={text} className={state === 'over' ? 'notice notice-danger' : 'notice notice-warn'} role="status">
          <TriangleAlert size={14} aria-hidden /> {text}
        </p>
      ))}
      <dl>
        {periods.map(([name, period]) => (
          <Period key={name} name={name} {...period} />
        ))}
        <div>
          <dt className="small muted">{spending.lastHour}</dt>
          <dd>{money(lastHour)}</dd>
        </div>
      </dl>
      <DaysChart days={days} />
      {block === null ? null : (
        <p className="small">
          {spending.block(
            `${block.unpriced > 0 ? '≥ ' : ''}${money(block.dollars)}`,
            short(block.tokens),
            duration(block.secondsLeft * 1000),
            money(block.dollarsPerHour),
          )}
        </p>
      )}
      <p className="small muted">
        <Sentence text={spending.about} />
      </p>
    </section>
  )
}

/** The height of the highest bar, in pixels. */
const barHeight = 64

/** Two weeks as bars, each with its cost and day, and a text for those who do not see them. */
function DaysChart({ days }: Pick<HomeFigures, 'days'>) {
  const { spending, money, region } = useLanguage()
  const most = Math.max(...days.map((day) => day.dollars))
  if (!(most > 0)) return null
  const texts = days.map(({ day, dollars: spent }) => `${day}: ${money(spent)}`)
  // Days have no time zone.
  const named = new Intl.DateTimeFormat(region, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  return (
    <div className="home-days" role="img" aria-label={`${spending.days} ${texts.join(', ')}`}>
      {days.map(({ day, dollars: spent }, index) => {
        const date = new Date(day)
        const isNamed = index === 0 || date.getUTCDate() === 1
        return (
          <span key={day} title={texts[index]} className={spent === most ? 'home-day home-day-most' : 'home-day'}>
            <span className="home-day-plot">
              <span className="home-day-cost">{spent === 0 ? '' : money(spent)}</span>
              <span className="home-day-bar" style={{ height: (spent / most) * barHeight }} />
            </span>
            <span className="home-day-name">
              {index === days.length - 1 ? spending.today : isNamed ? named.format(date) : date.getUTCDate()}
            </span>
          </span>
        )
      })}
    </div>
  )
}

function Period({ name, dollars: spent, unpriced, budget, share, state }: SpentPeriod & { readonly name: string }) {
  const { spending, money, percent } = useLanguage()
  const cost = `${unpriced > 0 ? '≥ ' : ''}${money(spent)}`
  return (
    <div>
      <dt className="small muted">{name}</dt>
      <dd>
        {cost}
        {budget === null || share === null ? null : (
          <>
            <span className="small muted"> {spending.ofBudget(money(budget), percent(Math.min(share, 99)))}</span>
            <span className={`home-spending-bar home-spending-${state}`} aria-hidden="true">
              <span style={{ width: `${Math.min(1, share) * 100}%` }} />
            </span>
          </>
        )}
      </dd>
    </div>
  )
}

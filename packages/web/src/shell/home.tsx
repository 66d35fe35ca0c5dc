import { ArrowRight, FileText, LifeBuoy } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { HomeFigures } from '../../../node/src/shared/spending.ts'
import { httpSource } from '../inspector/source/inspector-source.ts'
import { comparedRows, highestCost } from '../inspector/what-if/what-if-rows.ts'
import { LoadLine } from '../inspector/window/load-line.tsx'
import { isComposing } from '../parts/browser.ts'
import { Button } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { inspectRoute, logsRoute } from '../parts/routes.ts'
import { ErrorNotice, useApp, useLoaded, useOpenChat, useWork } from '../parts/use-loaded.tsx'
import type { Api } from '../server/api.ts'
import { SpendingCards } from './spending.tsx'

/** The first screen: what agents on this machine spent and on what, a field for a task, and the latest session; an example if there are no logs. */
export function Home() {
  const { shell, turn } = useLanguage()
  const { api, hello } = useApp()
  const [known, setKnown] = useState<HomeFigures | null>(null)
  const [loaded] = useLoaded((signal) => api.spending(signal, setKnown), [api])
  const figures = loaded.state === 'there' ? loaded.value : known
  const hasLogs = (figures?.sessions?.length ?? 0) > 0
  return (
    <div className="home">
      <header className="home-head">
        <h1>{shell.welcome}</h1>
        <p className="muted">{shell.what}</p>
      </header>
      {hello.isOfflineUnasked ? <p className="notice">{turn.offline}</p> : null}
      {hello.notices.map((notice) => (
        <p key={notice} className="notice">
          {notice}
        </p>
      ))}
      <FirstQuestion />
      <SpendingCards figures={figures} />
      {figures === null && loaded.state === 'loading' ? (
        <p className="muted small" role="status">
          {shell.loading}
        </p>
      ) : null}
      {loaded.state === 'loading' ? null : (
        <LatestLoad hasLogs={hasLogs}>
          <Ways />
        </LatestLoad>
      )}
    </div>
  )
}

/** Where else to go. */
function Ways() {
  const { shell } = useLanguage()
  const ways = [
    [inspectRoute('example', 'overview', null, 'economy'), LifeBuoy, shell.example, shell.exampleAbout],
    [logsRoute, FileText, shell.logs, shell.logsAbout],
  ] as const
  return (
    <div className="home-cards">
      {ways.map(([href, Icon, name, about]) => (
        <Link key={href} href={href} className="card home-card">
          <strong>
            <Icon size={16} aria-hidden /> {name}
          </strong>
          <span className="muted">{about}</span>
        </Link>
      ))}
      <div className="card home-card">
        <strong>
          <ArrowRight size={16} aria-hidden /> {shell.terminal}
        </strong>
        <code>plimsoll run -- claude</code>
        <code>plimsoll inspect --html report.html</code>
      </div>
    </div>
  )
}

function FirstQuestion() {
  const { api, hello } = useApp()
  const openChat = useOpenChat()
  const { shell, sentences } = useLanguage()
  const [text, setText] = useState('')
  const { isWorking: isStarting, error, run } = useWork()
  const start = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (isStarting) return
    void run(async () => {
      const { id } = await api.newSession()
      if (text.trim() !== '') await api.command(id, 'turn', { text })
      openChat(id)
    })
  }
  return (
    <form className="card home-question" onSubmit={start}>
      {error === null ? null : <ErrorNotice error={error} />}
      <textarea
        aria-label={shell.ask}
        placeholder={hello.model.isOffline ? shell.askOffline : shell.ask}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) start(event)
        }}
      />
      <div className="home-question-foot">
        <span className="muted small">
          {sentences(
            hello.model.isOffline ? shell.withOfflineModel : shell.withModel(hello.model.name),
            shell.workspace(hello.root),
          )}
        </span>
        <Button type="submit" look="primary" disabled={isStarting} text={shell.begin} />
      </div>
    </form>
  )
}

/** The load line of the latest session, or of the example if there is none worth showing. The children come with it: nothing moves. */
function LatestLoad({ hasLogs, children }: { readonly hasLogs: boolean; readonly children: ReactNode }) {
  const { shell, turn } = useLanguage()
  const { api, sessionsVersion } = useApp()
  const [, go] = useLocation()
  const [latest] = useLoaded((signal) => latestInspection(api, signal), [api, sessionsVersion])
  if (latest.state === 'loading') return null
  if (latest.state === 'failed') return children
  const { id, inspection } = latest.value
  if (id === 'example' && hasLogs) return children
  const { title } = inspection.session
  return (
    <>
      <section className="home-latest" aria-label={shell.latest}>
        <div className="home-latest-head">
          <h2>{id === 'example' ? shell.latestExample : shell.latestSession(title ?? turn.untitled)}</h2>
          <Link href={inspectRoute(id)}>{shell.openInspector}</Link>
        </div>
        <LoadLine
          inspection={inspection}
          onShowMessages={() => go(inspectRoute(id, 'messages'))}
          onCompare={() => go(inspectRoute(id, 'what-if'))}
        />
        {/* Simulated first, so it comes later than the drawing, which must not move. */}
        {id === 'example' ? <ExampleSavings /> : null}
      </section>
      {children}
    </>
  )
}

/** Sessions that were only opened have nothing to show, and the first screen does not wait for the largest. */
const minMessages = 2
const maxBytes = 4_000_000

async function latestInspection(api: Api, signal: AbortSignal) {
  const rows = await api.sessions('', signal)
  const id = rows.find(({ messages, bytes }) => messages >= minMessages && bytes <= maxBytes)?.id ?? 'example'
  return { id, inspection: await httpSource(api, id, true).inspection(signal) }
}

const price = 'r.10'
const question = { policies: ['raw', 'economy'], prices: [price] }

function ExampleSavings() {
  const { shell, whatIf, dollars, percent, number } = useLanguage()
  const { api } = useApp()
  const [answer] = useLoaded((signal) => httpSource(api, 'example', false).whatIf(question, signal), [api])
  if (answer.state !== 'there') return null
  const rows = comparedRows(answer.value, price)
  const trimmed = rows.find(({ verdict }) => verdict === 'cheaper')
  // Claims only what the replay found.
  if (trimmed === undefined) return null
  return (
    <div className="card home-savings">
      <p>
        <strong>{shell.exampleCheaper(percent(Math.abs(trimmed.change ?? 0)))}</strong>{' '}
        <Link href={inspectRoute('example', 'ledger', null, trimmed.row.policies)}>{shell.exampleTrimmed}</Link>
      </p>
      <dl>
        {rows.toReversed().map(({ row, isRaw }) => (
          <div key={row.policies}>
            <dt className="small">{isRaw ? shell.exampleUntrimmed : row.policies}</dt>
            <dd>
              <span
                className={isRaw ? 'home-savings-bar' : 'home-savings-bar home-savings-trimmed'}
                style={{ width: `${(row.effective / highestCost(rows)) * 100}%` }}
                aria-hidden
              />
              {dollars(row.effective)}
            </dd>
          </div>
        ))}
      </dl>
      <p className="muted small">{shell.exampleSimulated(number(answer.value.requests), whatIf.aboutPrices[price] ?? price)}</p>
    </div>
  )
}

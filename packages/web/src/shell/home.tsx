import { ArrowRight, FileText, LifeBuoy } from 'lucide-react'
import { Link } from 'wouter'
import { useApp } from '../parts/app-context.tsx'
import { useLanguage } from '../parts/language.tsx'
import { inspectRoute, logsRoute } from '../parts/routes.ts'
import { FirstQuestion } from './first-question.tsx'
import { LatestLoad } from './latest-load.tsx'
import './home.css'

/** The first screen: something to ask, and something to look at even where nothing was ever asked. */
export function Home() {
  const { strings } = useLanguage()
  const { hello } = useApp()
  const words = strings.shell
  return (
    <div className="home">
      <header className="home-head">
        <h1>{words.welcome}</h1>
        <p className="muted">{words.what}</p>
      </header>
      {hello.isOfflineUnasked ? <p className="notice">{strings.turn.offline}</p> : null}
      {hello.notices.map((notice) => (
        <p key={notice} className="notice">
          {notice}
        </p>
      ))}
      <FirstQuestion />
      <LatestLoad />
      <div className="home-cards">
        <Link href={inspectRoute('example', 'overview', null, 'economy')} className="card home-card">
          <strong>
            <LifeBuoy size={16} aria-hidden /> {words.example}
          </strong>
          <span className="muted">{words.exampleAbout}</span>
        </Link>
        <Link href={logsRoute} className="card home-card">
          <strong>
            <FileText size={16} aria-hidden /> {words.logs}
          </strong>
          <span className="muted">{words.logsAbout}</span>
        </Link>
        <div className="card home-card">
          <strong>
            <ArrowRight size={16} aria-hidden /> {words.terminal}
          </strong>
          <code>plimsoll run -- claude</code>
          <code>plimsoll inspect --html report.html</code>
        </div>
      </div>
    </div>
  )
}

import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useLanguage } from '../language.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { chatRoute, inspectRoute, logsRoute } from '../routes.ts'
import { useApp } from './app-context.tsx'

/** The first screen: what can be done here, with something to look at even where there is nothing yet. */
export function Home() {
  const { strings } = useLanguage()
  const { api, hello, refreshSessions } = useApp()
  const words = strings.web.shell
  const [, go] = useLocation()
  const [error, setError] = useState<unknown>(null)
  const start = async () => {
    try {
      const { id } = await api.newSession()
      refreshSessions()
      go(chatRoute(id))
    } catch (trouble) {
      setError(trouble)
    }
  }
  return (
    <div className="home">
      <header>
        <h1>{words.welcome}</h1>
        <p className="muted">{words.what}</p>
      </header>
      {error === null ? null : <Trouble error={error} />}
      {hello.notices.map((notice) => (
        <p key={notice} className="notice">
          {notice}
        </p>
      ))}
      <div className="home-cards">
        <button type="button" className="card home-card button-primary" onClick={() => void start()}>
          <strong>{words.newChat}</strong>
          <span>{hello.model.isOffline ? words.withOfflineModel : words.withModel(hello.model.name)}</span>
        </button>
        <Link href={inspectRoute('example')} className="card home-card">
          <strong>{words.example}</strong>
          <span className="muted">{words.exampleAbout}</span>
        </Link>
        <Link href={logsRoute} className="card home-card">
          <strong>{words.logs}</strong>
          <span className="muted">{words.logsAbout}</span>
        </Link>
      </div>
      <p className="muted small">{words.workspace(hello.root)}</p>
    </div>
  )
}

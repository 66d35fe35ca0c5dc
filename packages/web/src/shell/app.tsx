import { useCallback, useEffect, useMemo, useState } from 'react'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import type { Hello } from '../../../node/src/shared/server-api.ts'
import { Sentence } from '../parts/controls.tsx'
import { LanguageProvider, useLanguage } from '../parts/language.tsx'
import { AppContext, ErrorNotice, type Loaded, useLoaded } from '../parts/use-loaded.tsx'
import { ApiError, createApi } from '../server/api.ts'
import { preloadScreens, Shell, usePreference, useTheme } from './shell.tsx'

/** The web app. */
export function App() {
  const [token] = useState(takeToken)
  useEffect(watchForToken, [])
  const [chosen, chooseLocale] = usePreference('locale')
  const [theme, setTheme] = useTheme()
  const [sessionsVersion, setVersion] = useState(0)
  const refreshSessions = useCallback(() => setVersion((before) => before + 1), [])
  const api = useMemo(() => createApi(token ?? '', () => document.documentElement.lang), [token])
  const [hello, again] = useLoaded(
    async (signal) => {
      if (token === null) throw new Error('no token')
      const answer = await api.hello(signal)
      keepToken(token)
      return answer
    },
    [api, token],
  )
  const value = hello.state === 'there' ? hello.value : null
  const isThere = value !== null
  useEffect(() => (isThere ? preloadScreens() : undefined), [isThere])
  // A server's environment often sets English or nothing, regardless of the user's language.
  const locale = chosen ?? (value?.locale?.startsWith('zh') === true ? value.locale : navigator.language)
  return (
    <LanguageProvider locale={locale}>
      {token === null ? (
        <NoToken />
      ) : value === null ? (
        <Connecting hello={hello} onRetry={again} />
      ) : (
        <AppContext value={{ api, hello: value, refreshSessions, sessionsVersion }}>
          <Router hook={useHashLocation}>
            <Shell theme={theme} onTheme={setTheme} locale={locale} onLocale={chooseLocale} />
          </Router>
        </AppContext>
      )}
    </LanguageProvider>
  )
}

function Connecting({ hello, onRetry }: { readonly hello: Loaded<Hello>; readonly onRetry: () => void }) {
  const { shell } = useLanguage()
  // A server that is being restarted is found without a click.
  const isAway = hello.state === 'failed' && hello.error instanceof ApiError && hello.error.status === 0
  useEffect(() => {
    const timer = isAway ? setInterval(onRetry, retryMs) : undefined
    return () => clearInterval(timer)
  }, [isAway, onRetry])
  if (hello.state !== 'failed') return <p className="centered muted">{shell.connecting}</p>
  if (hello.error instanceof ApiError && hello.error.status === 401) return <NoToken />
  return (
    <main className="centered">
      <ErrorNotice error={hello.error} onRetry={onRetry} />
    </main>
  )
}

/** Shown if the page was opened without the address that the server printed. */
function NoToken() {
  const { shell } = useLanguage()
  return (
    <main className="centered">
      <h1>{shell.noTokenTitle}</h1>
      <p>
        <Sentence text={shell.noToken} />
      </p>
      <pre>http://127.0.0.1:{location.port}/#token=…</pre>
    </main>
  )
}

const retryMs = 2000

const stored = 'plimsoll-token'

/** The server's token from the fragment of the address that `plimsoll serve` prints, which no server ever sees, else the stored one. */
function takeToken(): string | null {
  return /^#token=([\w-]{16,200})/.exec(location.hash)?.[1] ?? localStorage.getItem(stored)
}

/** Stores a token for the tabs of this origin, once the server has accepted it: any page can lead here with a wrong one. */
function keepToken(token: string): void {
  localStorage.setItem(stored, token)
  if (location.hash.startsWith('#token=')) history.replaceState(null, '', `${location.pathname}#/`)
}

/** Reloads when an address with another token is pasted into an open tab, which changes only the fragment. */
function watchForToken(): () => void {
  const look = () => {
    if (location.hash.startsWith('#token=')) location.reload()
  }
  addEventListener('hashchange', look)
  return () => removeEventListener('hashchange', look)
}

import { useCallback, useEffect, useMemo, useState } from 'react'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { AppContext } from '../parts/app-context.tsx'
import { LanguageProvider } from '../parts/language.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { createApi } from '../server/api.ts'
import { keepToken, takeToken, watchForToken } from '../server/token.ts'
import { Connecting, NoToken } from './connecting.tsx'
import { usePreference, useTheme } from './preferences.ts'
import { preloadScreens } from './screens.ts'
import { Shell } from './shell.tsx'

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
  // A server's environment often says English, or nothing, whoever sits before the browser.
  const locale = chosen ?? (value?.locale?.startsWith('zh') === true ? value.locale : navigator.language)
  const context = useMemo(
    () => (value === null ? null : { api, hello: value, refreshSessions, sessionsVersion }),
    [api, value, refreshSessions, sessionsVersion],
  )
  return (
    <LanguageProvider locale={locale}>
      {token === null ? (
        <NoToken />
      ) : context === null ? (
        <Connecting hello={hello} onRetry={again} />
      ) : (
        <AppContext value={context}>
          <Router hook={useHashLocation}>
            <Shell theme={theme} onTheme={setTheme} locale={locale} onLocale={chooseLocale} />
          </Router>
        </AppContext>
      )}
    </LanguageProvider>
  )
}

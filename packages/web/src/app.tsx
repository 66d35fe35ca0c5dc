import { useCallback, useEffect, useMemo, useState } from 'react'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { LanguageProvider } from './language.tsx'
import { useLoaded } from './parts/use-loaded.ts'
import { createApi } from './server/api.ts'
import { keepToken, takeToken, watchForToken } from './server/token.ts'
import { AppContext } from './shell/app-context.tsx'
import { Connecting, NoToken } from './shell/connecting.tsx'
import { usePreference, useTheme } from './shell/preferences.ts'
import { preloadScreens } from './shell/screens.ts'
import { Shell } from './shell/shell.tsx'

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

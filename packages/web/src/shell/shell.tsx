import { Menu } from 'lucide-react'
import { type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { Button } from '../parts/button.tsx'
import { useLanguage } from '../parts/language.tsx'
import { homeRoute, inspectedName, namedSession } from '../parts/routes.ts'
import { type Theme, useShownTheme } from '../parts/theme.ts'
import { SessionSidebar } from '../sessions/session-sidebar.tsx'
import { Home } from './home.tsx'
import { ChatScreen, InspectorScreen, LogsScreen, ScreenGuard } from './screens.tsx'
import './shell.css'

interface ShellProps {
  readonly theme: Theme
  readonly onTheme: (theme: Theme) => void
  readonly locale: string
  readonly onLocale: (locale: string) => void
}

/** The frame around every screen: sessions at the side, the screen beside them. */
export function Shell(props: ShellProps) {
  const { shell } = useLanguage()
  const [location] = useLocation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [location])
  const main = useRef<HTMLElement>(null)
  useKeptFocus(location, main)
  // Another screen begins at its top, whatever was read of the one before.
  const [, screen, subject] = location.split('/')
  useEffect(() => {
    main.current?.scrollTo(0, 0)
  }, [screen, subject])
  return (
    <div className="shell" onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}>
      <a
        className="button shell-skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {shell.skip}
      </a>
      <header className="shell-bar">
        <Button
          look="quiet"
          icon={Menu}
          iconSize={18}
          aria-expanded={isOpen}
          aria-controls="side"
          onClick={() => setOpen(!isOpen)}
          text={shell.menu}
        />
        <strong>{shell.title}</strong>
      </header>
      <nav id="side" className={isOpen ? 'shell-side shell-side-open' : 'shell-side'} aria-label={shell.sessions}>
        <Link href={homeRoute} className="shell-brand">
          <Mark />
          {shell.title}
        </Link>
        <div className="shell-sessions">
          <SessionSidebar />
        </div>
        <Preferences {...props} />
      </nav>
      <main ref={main} id="main" className="shell-main" tabIndex={-1}>
        <ScreenGuard place={location}>
          <Suspense fallback={<p className="centered muted">{shell.loading}</p>}>
            <Switch>
              <Route path="/chat/:id">{({ id }) => <ChatScreen key={id} id={namedSession(id)} />}</Route>
              <Route<InspectAddress> path="/inspect/:id/:tab?/:message?">
                {({ id: name, tab, message }) => {
                  const { id, under } = inspectedName(name)
                  return <InspectorScreen key={id} id={id} under={under} tab={tab} message={message} />
                }}
              </Route>
              <Route path="/logs">
                <LogsScreen />
              </Route>
              <Route>
                <Home />
              </Route>
            </Switch>
          </Suspense>
        </ScreenGuard>
      </main>
    </div>
  )
}

type InspectAddress = { readonly id: string; readonly tab?: string; readonly message?: string }

/** The mark on a hull: a circle with a line through it. */
function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="10" fill="none" stroke="var(--accent)" strokeWidth="3" />
      <path d="M2 16h28" stroke="var(--accent)" strokeWidth="3" />
    </svg>
  )
}

function Preferences({ theme, onTheme, locale, onLocale }: ShellProps) {
  const { shell } = useLanguage()
  return (
    <div className="shell-foot">
      <select
        className="button small"
        aria-label={shell.theme}
        value={theme}
        onChange={(event) => onTheme(event.target.value as Theme)}
      >
        <option value="system">{shell.themeSystem}</option>
        <option value="light">{shell.themeLight}</option>
        <option value="dark">{shell.themeDark}</option>
      </select>
      <select
        className="button small"
        aria-label={shell.language}
        value={locale.startsWith('zh') ? 'zh' : 'en'}
        onChange={(event) => onLocale(event.target.value)}
      >
        <option value="en">English</option>
        <option value="zh">中文</option>
      </select>
    </div>
  )
}

/** A setting of this browser; null where nobody has chosen. */
export function usePreference(name: string): readonly [value: string | null, set: (value: string | null) => void] {
  const key = `plimsoll-${name}`
  const [value, setValue] = useState(() => localStorage.getItem(key))
  const set = useCallback(
    (next: string | null) => {
      if (next === null) localStorage.removeItem(key)
      else localStorage.setItem(key, next)
      setValue(next)
    },
    [key],
  )
  return [value, set]
}

/** The theme that was chosen, put into effect on the page. */
export function useTheme(): readonly [theme: Theme, set: (theme: Theme) => void] {
  const [chosen, choose] = usePreference('theme')
  const theme: Theme = chosen === 'light' || chosen === 'dark' ? chosen : 'system'
  useShownTheme(theme)
  return [theme, (next) => choose(next === 'system' ? null : next)]
}

/** Puts the keyboard on the new screen where the old one took with it what the keyboard was on. */
function useKeptFocus(place: string, main: RefObject<HTMLElement | null>): void {
  const before = useRef(place)
  useEffect(() => {
    if (before.current === place) return
    before.current = place
    const { activeElement: focused } = document
    // A screen that waits for its code hides the one before it, and only then takes it away.
    const isLost = focused === null || focused === document.body || !focused.checkVisibility()
    if (isLost) main.current?.focus({ preventScroll: true })
  }, [place, main])
}

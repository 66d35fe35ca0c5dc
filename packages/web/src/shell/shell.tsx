import { Menu } from 'lucide-react'
import {
  Component,
  type ComponentType,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { type Theme, usePageKey, useShownTheme } from '../parts/browser.ts'
import { Button, Select, Sentence } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { homeRoute, inspectedName, namedSession } from '../parts/routes.ts'
import { ErrorNotice, useApp } from '../parts/use-loaded.tsx'
import { SessionSidebar } from '../sessions/session-sidebar.tsx'
import { Home } from './home.tsx'
import './shell.css'

interface ShellProps {
  readonly theme: Theme
  readonly onTheme: (theme: Theme) => void
  readonly locale: string
  readonly onLocale: (locale: string) => void
}

/** The frame around every screen: sessions at the side, the screen next to them. */
export function Shell(props: ShellProps) {
  const { shell } = useLanguage()
  const [location] = useLocation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [location])
  const main = useRef<HTMLElement>(null)
  useKeptFocus(location, main)
  // Another screen starts at its top.
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
      <KeysDialog />
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
        <ConnectionBanner />
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

const shownKeys = [
  ['?', 'list'],
  ['/', 'search'],
  ['Enter', 'send'],
  ['Shift Enter', 'newLine'],
  ['@', 'file'],
  ['↑ ↓', 'previous'],
  ['Page ↑ ↓', 'scroll'],
  ['Esc', 'stop'],
  ['Y A N', 'permission'],
  ['T S', 'deny'],
  ['f', 'find'],
] as const

/** The keys of the app, on `?` wherever nothing is being typed. */
function KeysDialog() {
  const { shell } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  usePageKey((event) => {
    const { target, key, ctrlKey, metaKey, altKey, defaultPrevented } = event
    if (key !== '?' || ctrlKey || metaKey || altKey || defaultPrevented) return
    // In an empty field there is nothing that it could be part of.
    const isTyping = target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
    if ((isTyping && (target as HTMLInputElement).value !== '') || document.querySelector('dialog[open]') !== null) return
    event.preventDefault()
    setOpen(true)
  })
  if (!isOpen) return null
  return (
    <Dialog title={shell.keys.title} onClose={() => setOpen(false)} close={shell.keys.close}>
      <dl className="shell-keys">
        {shownKeys.map(([keys, about]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{shell.keys.all[about]}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Says that the server cannot be reached, and asks for it until it can. */
function ConnectionBanner() {
  const { shell } = useLanguage()
  const { api, refreshSessions } = useApp()
  const isLost = useSyncExternalStore(api.reach.watch, api.reach.isLost)
  useEffect(() => {
    if (!isLost) return undefined
    const timer = setInterval(() => void api.hello().then(refreshSessions, () => undefined), retryMs)
    return () => clearInterval(timer)
  }, [api, isLost, refreshSessions])
  return (
    <div role="status">
      {isLost ? (
        <p className="notice notice-warn shell-lost">
          <strong>{shell.connectionLost}</strong>{' '}
          <span className="muted">
            <Sentence text={shell.connectionLostAbout} />
          </span>
        </p>
      ) : null}
    </div>
  )
}

const retryMs = 1000

type InspectAddress = { readonly id: string; readonly tab?: string; readonly message?: string }

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
      <Select
        className="button small"
        aria-label={shell.theme}
        value={theme}
        options={[
          ['system', shell.themeSystem],
          ['light', shell.themeLight],
          ['dark', shell.themeDark],
        ]}
        onChoose={onTheme}
      />
      <Select
        className="button small"
        aria-label={shell.language}
        value={locale.startsWith('zh') ? 'zh' : 'en'}
        options={[
          ['en', 'English'],
          ['zh', '中文'],
        ]}
        onChoose={onLocale}
      />
    </div>
  )
}

/** A setting of this browser; null if the user has not chosen. */
export function usePreference(name: string) {
  const key = `plimsoll-${name}`
  const [value, setValue] = useState(() => localStorage.getItem(key))
  const set = (next: string | null) => {
    if (next === null) localStorage.removeItem(key)
    else localStorage.setItem(key, next)
    setValue(next)
  }
  return [value, set] as const
}

/** The theme that was chosen, shown on the page. */
export function useTheme() {
  const [chosen, choose] = usePreference('theme')
  const theme: Theme = chosen === 'light' || chosen === 'dark' ? chosen : 'system'
  useShownTheme(theme)
  return [theme, (next: Theme) => choose(next === 'system' ? null : next)] as const
}

/** Focuses the new screen if the element that had the focus went away with the old one. */
function useKeptFocus(place: string, main: RefObject<HTMLElement | null>): void {
  const before = useRef(place)
  useEffect(() => {
    if (before.current === place) return
    before.current = place
    const { activeElement: focused } = document
    // A screen that waits for its code first hides the one before it, and then removes it.
    const isLost = focused === null || focused === document.body || !focused.checkVisibility()
    if (isLost) main.current?.focus({ preventScroll: true })
  }, [place, main])
}

// The first screen does not wait for the others.

const ChatScreen = loadedLater(async () => (await import('../chat/chat-screen.tsx')).ChatScreen)
const InspectorScreen = loadedLater(async () => (await import('../inspector/inspector-screen.tsx')).InspectorScreen)
const LogsScreen = loadedLater(async () => (await import('../sessions/logs-screen.tsx')).LogsScreen)

/** Loads the screens that may be next, once the browser is idle. Returns how to stop. */
export function preloadScreens(): () => void {
  const load = () => {
    InspectorScreen.preload()
    ChatScreen.preload()
  }
  // Not every browser reports when it is idle.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(load, 1000)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(load, { timeout: 3000 })
  return () => cancelIdleCallback(request)
}

interface ScreenGuardProps {
  /** A screen that failed is tried again at another place. */
  readonly place: string
  readonly children: ReactNode
}

/** Shows an error with a retry instead of a screen that cannot be shown, and keeps the rest of the app working. */
class ScreenGuard extends Component<ScreenGuardProps, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override state = { hasFailed: false }

  override componentDidUpdate({ place }: ScreenGuardProps) {
    if (this.state.hasFailed && place !== this.props.place) this.setState({ hasFailed: false })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <div className="centered">
        {/* Only a reloaded page asks again for code that could not be loaded; drafts are kept. */}
        <ErrorNotice error={null} onRetry={() => location.reload()} />
      </div>
    )
  }
}

/**
 * A component whose code is loaded when it is shown, or by `preload`. Code that is there already is shown at once: React would show that
 * it waits, and then for a third of a second.
 */
function loadedLater<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let there: ComponentType<Props> | null = null
  const ask = async () => {
    there ??= await load()
    return there
  }
  const Waiting = lazy(async () => ({ default: await ask() })) as ComponentType<Props>
  function Later(props: Props) {
    // A component in sight stays the same, whenever the code came.
    const [Shown] = useState(() => there ?? Waiting)
    return <Shown {...props} />
  }
  // Never rejects: the component shows the error.
  return Object.assign(Later, { preload: () => void ask().catch(() => undefined) })
}

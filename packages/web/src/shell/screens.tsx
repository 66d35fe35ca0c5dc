import { Component, type ComponentType, lazy, type ReactNode, useState } from 'react'
import { Trouble } from '../parts/use-loaded.tsx'

// The first screen does not wait for the others.

/** A conversation. */
export const ChatScreen = loadedLater(async () => (await import('../chat/chat-screen.tsx')).ChatScreen)
/** A session in the inspector. */
export const InspectorScreen = loadedLater(async () => (await import('../inspector/inspector-screen.tsx')).InspectorScreen)
/** The logs of other agents. */
export const LogsScreen = loadedLater(async () => (await import('../sessions/logs-screen.tsx')).LogsScreen)

/** Loads the screens that may be next, once the browser has nothing better to do. Returns how to leave it. */
export function preloadScreens(): () => void {
  const load = () => {
    InspectorScreen.preload()
    ChatScreen.preload()
  }
  // Not every browser tells when it is idle.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(load, 1000)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(load, { timeout: 3000 })
  return () => cancelIdleCallback(request)
}

interface ScreenGuardProps {
  /** Where the user is: what failed in one place is tried again in another. */
  readonly place: string
  readonly children: ReactNode
}

/** Keeps the rest of the app alive where a screen cannot be shown, says so in its place, and lets it be tried again. */
export class ScreenGuard extends Component<ScreenGuardProps, { readonly hasFailed: boolean }> {
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
        {/* What could not be loaded is only asked for again by a page that begins anew; drafts are kept. */}
        <Trouble error={null} onRetry={() => location.reload()} />
      </div>
    )
  }
}

/** A component whose code comes when it is wanted, or before. */
type LoadedLater<Props> = ComponentType<Props> & {
  /** Gets its code now, so that nobody waits for it later. Never rejects: who shows it is told. */
  readonly preload: () => void
}

/** Makes one. Where its code is there already it is shown at once: React would show that it waits, and then for a third of a second. */
function loadedLater<Props extends object>(load: () => Promise<ComponentType<Props>>): LoadedLater<Props> {
  let there: ComponentType<Props> | null = null
  const ask = async () => {
    there ??= await load()
    return there
  }
  const Waiting = lazy(async () => ({ default: await ask() })) as ComponentType<Props>
  function Later(props: Props) {
    // One that is in sight stays the same one, whenever the code came.
    const [Shown] = useState(() => there ?? Waiting)
    return <Shown {...props} />
  }
  return Object.assign(Later, {
    preload: () => {
      ask().catch(() => undefined)
    },
  })
}

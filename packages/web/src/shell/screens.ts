import { loadedLater } from './loaded-later.tsx'

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

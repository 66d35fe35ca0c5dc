/** Loads the screens that may be next, once the browser has nothing better to do. Returns how to leave it. */
export function preloadScreens(): () => void {
  const load = () => {
    // What cannot be loaded now is asked for again by who opens it, and said then.
    import('../inspector/inspector-screen.tsx').catch(() => undefined)
    import('../chat/chat-screen.tsx').catch(() => undefined)
  }
  // Not every browser tells when it is idle.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(load, 1000)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(load, { timeout: 3000 })
  return () => cancelIdleCallback(request)
}

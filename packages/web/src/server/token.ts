const stored = 'plimsoll-token'

/**
 * The server's token: taken from the fragment of the address that `plimsoll serve` prints, which no server ever sees, and kept for the
 * tabs of this origin. Null where nobody brought one.
 */
export function takeToken(): string | null {
  const given = /^#token=([\w-]{16,200})/.exec(location.hash)?.[1]
  if (given === undefined) return localStorage.getItem(stored)
  localStorage.setItem(stored, given)
  history.replaceState(null, '', `${location.pathname}#/`)
  return given
}

/** Begins anew when an address with another token is pasted into an open tab, which changes nothing but the fragment. */
export function watchForToken(): () => void {
  const look = () => {
    if (location.hash.startsWith('#token=')) location.reload()
  }
  addEventListener('hashchange', look)
  return () => removeEventListener('hashchange', look)
}

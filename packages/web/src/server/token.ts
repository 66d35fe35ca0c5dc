const stored = 'plimsoll-token'

/**
 * The server's token: taken from the fragment of the address that `plimsoll serve` prints, which no server ever sees, else the one that
 * was kept. Null where nobody brought one.
 */
export function takeToken(): string | null {
  return /^#token=([\w-]{16,200})/.exec(location.hash)?.[1] ?? localStorage.getItem(stored)
}

/** Keeps a token for the tabs of this origin, once the server has taken it: any page can lead here with a wrong one. */
export function keepToken(token: string): void {
  localStorage.setItem(stored, token)
  if (location.hash.startsWith('#token=')) history.replaceState(null, '', `${location.pathname}#/`)
}

/** Begins anew when an address with another token is pasted into an open tab, which changes nothing but the fragment. */
export function watchForToken(): () => void {
  const look = () => {
    if (location.hash.startsWith('#token=')) location.reload()
  }
  addEventListener('hashchange', look)
  return () => removeEventListener('hashchange', look)
}

import { vi } from 'vitest'

/** A network that ends at this machine. */
export interface ClosedNetwork {
  /** Where requests were going, such as `https://api.openai.com`, oldest first. */
  readonly origins: readonly string[]
  /** The unexpected ones among them, which were refused. */
  readonly refused: readonly string[]
  /** Lets requests for this origin arrive at a server on this machine. */
  readonly lead: (origin: string, to: string) => void
}

/** Closes the network until `vi.unstubAllGlobals` is called: only 127.0.0.1 is reached, and what is led there. */
export function closeNetwork(): ClosedNetwork {
  const real = globalThis.fetch
  const led = new Map<string, string>()
  const origins: string[] = []
  const refused: string[] = []
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    origins.push(url.origin)
    const to = led.get(url.origin)
    if (to !== undefined) return real(`${to}${url.pathname}${url.search}`, init)
    if (url.hostname === '127.0.0.1') return real(input, init)
    refused.push(url.origin)
    return Promise.reject(new Error(`a test called ${url.origin}`))
  })
  return { origins, refused, lead: (origin, to) => void led.set(origin, to) }
}

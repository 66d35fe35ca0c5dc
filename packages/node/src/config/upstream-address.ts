import { isIP } from 'node:net'

/** Whether an address is http or https with a host, perhaps a port and a path, and nothing else. */
export function isUpstreamAddress(text: string): boolean {
  const url = text.length <= 2000 && !/[\s\\?#]/.test(text) ? URL.parse(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return url.username === '' && url.password === '' && url.host !== '' && !text.includes('@')
}

/** Whether requests could be read on their way to another machine. */
export function isInTheClear(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'http:') return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return !(host === 'localhost' || host.endsWith('.localhost') || host === '::1' || (isIP(host) === 4 && host.startsWith('127.')))
}

/** `HTTPS_PROXY` or `HTTP_PROXY`, lower case first, unless `NO_PROXY` names the host or it is this machine; else null. */
export function proxyFor(address: string, environment: Readonly<Record<string, string | undefined>>): string | null {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(url.hostname)) return null
  const given = readVariable(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', environment)
  return given === '' || isSpared(url, readVariable('NO_PROXY', environment)) ? null : usableProxy(given)
}

/** The variables that name a proxy of another kind, such as SOCKS, so that connections do without it. */
export function unusableProxies(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return ['HTTPS_PROXY', 'HTTP_PROXY'].filter((name) => {
    const given = readVariable(name, environment)
    return given !== '' && usableProxy(given) === null
  })
}

function readVariable(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  return (environment[name.toLowerCase()] ?? environment[name] ?? '').trim()
}

function usableProxy(given: string): string | null {
  const proxy = given.includes('://') ? given : `http://${given}`
  return URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol) ? proxy : null
}

/** Names separated by commas or spaces; each includes its subdomains, with a port only that port. */
function isSpared({ hostname, port, protocol }: URL, spared: string): boolean {
  const usual = protocol === 'https:' ? '443' : '80'
  return spared
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true
      const [, name = '', wanted = ''] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? []
      if (name === '' || (wanted !== '' && wanted !== (port === '' ? usual : port))) return false
      return hostname === name || hostname.endsWith(`.${name}`)
    })
}

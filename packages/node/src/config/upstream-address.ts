import { isIP } from 'node:net'

/** Whether an address can be an upstream's: http or https, a host, perhaps a port and a path, and nothing else. */
export function isUpstreamAddress(text: string): boolean {
  const url = text.length <= 2000 && !/[\s\\?#]/.test(text) ? URL.parse(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return url.username === '' && url.password === '' && url.host !== '' && !text.includes('@')
}

/** Whether what is sent to an address could be read on its way to another machine. */
export function isInTheClear(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'http:') return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return !(host === 'localhost' || host.endsWith('.localhost') || host === '::1' || (isIP(host) === 4 && host.startsWith('127.')))
}

/**
 * The variables by which an agent that uses a proxy reaches a gateway on this machine without it: a proxy elsewhere knows this machine by
 * another name, and would get to see every request. None where no proxy is set; what the user has left out already stays.
 */
export function loopbackPastProxies(environment: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  if (!proxyNames.some((name) => isSet(environment[name]) || isSet(environment[name.toLowerCase()]))) return {}
  const own = [environment['NO_PROXY'], environment['no_proxy']].find(isSet)?.trim()
  if (own === '*') return {}
  const value = [...(own === undefined ? [] : [own]), '127.0.0.1', 'localhost'].join(',')
  // Programs read the one or the other.
  return { NO_PROXY: value, no_proxy: value }
}

const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== ''
}

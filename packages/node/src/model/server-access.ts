export type Environment = Readonly<Record<string, string | undefined>>

/** The provider of a model at a given address. */
export const localProvider = 'local'

/** Holds neither key nor address: either may contain a password. */
export type ModelChoiceProblem =
  | { readonly kind: 'no-server' }
  | { readonly kind: 'no-key'; readonly variables: readonly string[] }
  | { readonly kind: 'bad-key'; readonly variable: string }
  /** `source` is a variable, or null for an address given by hand. */
  | { readonly kind: 'bad-address'; readonly source: string | null }

export class ModelChoiceError extends Error {
  override readonly name = 'ModelChoiceError'
  readonly problem: ModelChoiceProblem

  constructor(problem: ModelChoiceProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

/** Errors never repeat the address, which may hold a password. `source` is its variable, null if it was given by hand. */
export function checkAddress(address: string, source: string | null): string {
  const shown = source ?? 'the model’s URL'
  const parsed = URL.parse(address)
  const refuse = (expected: string) => new ModelChoiceError({ kind: 'bad-address', source }, `${shown}: expected ${expected}`)
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:'))
    throw refuse('an address such as http://127.0.0.1:8000/v1')
  if (parsed.username !== '' || parsed.password !== '')
    throw refuse('an address without user name or password; set the key in its own variable')
  return address
}

export function versioned(address: string, version: string): string {
  let end = address.length
  while (address[end - 1] === '/') end -= 1
  const bare = address.slice(0, end)
  return /\/v\d{1,9}[a-z0-9]{0,40}$/.test(bare) ? bare : `${bare}/${version}`
}

/** The address for OLLAMA_HOST, which may be a host, a port or both. An address to listen on cannot be called. */
export function ollamaAddress(host: string): string {
  const hasScheme = /^[a-z]+:\/\//i.test(host)
  const parsed = URL.parse(hasScheme ? host : `http://${host.startsWith(':') ? `127.0.0.1${host}` : host}`)
  if (parsed === null) return host
  if (parsed.hostname === '0.0.0.0' || parsed.hostname === '[::]') parsed.hostname = '127.0.0.1'
  // A scheme implies its own port.
  if (!hasScheme && parsed.port === '' && !/:\d+\/*$/.test(host)) parsed.port = '11434'
  return versioned(parsed.href, 'v1')
}

export function isOwnMachine(address: string): boolean {
  const hostname = URL.parse(address)?.hostname ?? ''
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
}

/** Returns null if none of these variables is set. Throws, without the key, when it cannot be sent. */
export function keyIn(environment: Environment, variables: readonly string[]): string | null {
  for (const variable of variables) {
    const key = environment[variable]?.trim() ?? ''
    if (key === '') continue
    // The error of sending it would repeat it.
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new ModelChoiceError(
        { kind: 'bad-key', variable },
        `${variable}: expected an API key of plain letters, digits and signs, without spaces`,
      )
    return key
  }
  return null
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The name of whoever runs a model behind an address that was given. */
export const localProvider = 'local'

/** Why no model can be called by a name. No key and no address is part of it: there may be a password in either. */
export type ModelChoiceProblem =
  | { readonly kind: 'no-server' }
  | { readonly kind: 'no-key'; readonly variables: readonly string[] }
  | { readonly kind: 'bad-key'; readonly variable: string }
  /** What was given as an address is none that can be used; `source` is a variable, or null for an address given by hand. */
  | { readonly kind: 'bad-address'; readonly source: string | null }

export class ModelChoiceError extends Error {
  override readonly name = 'ModelChoiceError'
  readonly problem: ModelChoiceProblem

  constructor(problem: ModelChoiceProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

/**
 * Checks the address of a model's server and gives it back. `source` is the variable it comes from, null when it was given by hand.
 * The address is never repeated in an error: somebody may have put a password into it.
 */
export function checkAddress(address: string, source: string | null): string {
  const shown = source ?? 'the model’s URL'
  const parsed = URL.parse(address)
  const refuse = (expected: string) => new ModelChoiceError({ kind: 'bad-address', source }, `${shown}: expected ${expected}`)
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:'))
    throw refuse('an address such as http://127.0.0.1:8000/v1')
  if (parsed.username !== '' || parsed.password !== '')
    throw refuse('an address without a user name or password; a key belongs into its own variable')
  return address
}

/** Adds the version to an address that names none, as programs of the same provider want it with and without. */
export function versioned(address: string, version: string): string {
  let end = address.length
  while (address[end - 1] === '/') end -= 1
  const bare = address.slice(0, end)
  return /\/v\d+[a-z0-9]*$/.test(bare) ? bare : `${bare}/${version}`
}

/** The address for OLLAMA_HOST, which may be a host alone, a port alone or both; what the server listens on may not be called. */
export function ollamaAddress(host: string): string {
  const hasScheme = /^[a-z]+:\/\//i.test(host)
  const parsed = URL.parse(hasScheme ? host : `http://${host.startsWith(':') ? `127.0.0.1${host}` : host}`)
  if (parsed === null) return host
  if (parsed.hostname === '0.0.0.0' || parsed.hostname === '[::]') parsed.hostname = '127.0.0.1'
  // A scheme brings its own port along, and so does what stands behind the host.
  if (!hasScheme && parsed.port === '' && !/:\d+\/*$/.test(host)) parsed.port = '11434'
  return versioned(parsed.href, 'v1')
}

/** Whether an address is of this machine itself. */
export function isOwnMachine(address: string): boolean {
  const hostname = URL.parse(address)?.hostname ?? ''
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
}

/** The key in the first of these variables that is set; null where none is. Throws, without the key, when it cannot be sent. */
export function keyIn(environment: Environment, variables: readonly string[]): string | null {
  for (const variable of variables) {
    const key = environment[variable]?.trim() ?? ''
    if (key === '') continue
    // Sending it would fail, and that error repeats it.
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new ModelChoiceError(
        { kind: 'bad-key', variable },
        `${variable}: expected a key, in one word of plain letters and signs`,
      )
    return key
  }
  return null
}

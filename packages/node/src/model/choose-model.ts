import { createBoundedFetch } from './bounded-fetch.ts'
import {
  type CallableModel,
  type ChooseModelOptions,
  compatibleModel,
  isHome,
  localAccess,
  mostBytesByDefault,
  type Provider,
  providers,
} from './providers.ts'
import { checkAddress, type Environment, keyIn, localProvider, ModelChoiceError } from './server-access.ts'

export interface FoundModel {
  /** Who runs it; `local` for a server at an address that was given. */
  readonly provider: string
  readonly model: string
  readonly callable: CallableModel
  /** Where its server is; null for one that is built in. */
  readonly server: { readonly url: string; readonly apiKey: string | null } | null
}

/**
 * The model of that name. An address is taken at its word. Else `provider/model` names a provider, and what follows the slash is
 * what the provider is asked for. A name alone goes to the server of OPENAI_BASE_URL where that is set, else to the provider whose
 * models are called so. Keys come from the environment alone. Throws `ModelChoiceError` when something is missing.
 */
export function chooseModel(name: string, options: ChooseModelOptions = {}): CallableModel {
  return findModel(name, options).callable
}

/** The same, with the provider that the name leads to. */
export function findModel(name: string, options: ChooseModelOptions = {}): FoundModel {
  const { url, environment = process.env } = options
  const named = url === undefined ? providerIn(name) : null
  if (named !== null) return modelOf(named.provider, named.model, options)
  const known = url === undefined && !hasOwnServer(environment) ? providers.find(({ knows }) => knows?.test(name)) : undefined
  if (known !== undefined) return modelOf(known, name, options)
  if (url === undefined && !hasOwnServer(environment)) throw noServer(name)
  const access = localAccess(options)
  const server = { url: access.baseURL, apiKey: access.apiKey }
  return { provider: localProvider, model: name, callable: compatibleModel(access, name), server }
}

/** The keys that a request may carry, so that they can be blanked wherever a server repeats them. */
export function keysIn(environment: Environment): readonly string[] {
  const keys = providers.flatMap((provider) => provider.keys.map((variable) => environment[variable]?.trim() ?? ''))
  return keys.filter((key) => key !== '')
}

function providerIn(name: string): { readonly provider: Provider; readonly model: string } | null {
  const slash = name.indexOf('/')
  const provider = slash < 0 ? undefined : providers.find((candidate) => candidate.name === name.slice(0, slash))
  const model = name.slice(slash + 1)
  return provider === undefined || model === '' ? null : { provider, model }
}

/** Whether OPENAI_BASE_URL names a server that is not OpenAI's, and so may have models by any name. */
function hasOwnServer(environment: Environment): boolean {
  const address = environment['OPENAI_BASE_URL'] ?? ''
  const openai = providers.find(({ name }) => name === 'openai') as Provider
  return address !== '' && !isHome(openai, address)
}

function modelOf(provider: Provider, model: string, options: ChooseModelOptions): FoundModel {
  const { environment = process.env, mostBytes = mostBytesByDefault, fetch, watch } = options
  const { keys, needsKey, create } = provider
  const baseURL = addressOf(provider, environment)
  const apiKey = keyIn(environment, keys)
  if (apiKey === null && (needsKey === 'always' || (needsKey === 'at-home' && isHome(provider, baseURL))))
    throw new ModelChoiceError({ kind: 'no-key', variables: keys }, `${keys.join(' or ')}: expected the key for ${provider.name}`)
  const callable = create({ baseURL, apiKey, fetch: createBoundedFetch({ mostBytes, fetch, watch }) }, model)
  return { provider: provider.name, model, callable, server: { url: baseURL, apiKey } }
}

function addressOf({ home, elsewhere }: Provider, environment: Environment): string {
  const { variable, complete } = elsewhere
  const address = environment[variable]?.trim() ?? ''
  if (address === '') return home
  return checkAddress(complete === undefined ? address : complete(address), variable)
}

function noServer(name: string): ModelChoiceError {
  const known = providers.map((provider) => provider.name).join(', ')
  const message = `no server is known for ${name}: expected one of ${known} and a slash before it`
  return new ModelChoiceError({ kind: 'no-server' }, message)
}

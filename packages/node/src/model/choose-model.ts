import { createBoundedFetch } from './bounded-fetch.ts'
import {
  type CallableModel,
  type ChooseModelOptions,
  compatibleModel,
  isHome,
  localAccess,
  maxBytesByDefault,
  type Provider,
  providers,
} from './providers.ts'
import { checkAddress, type Environment, keyIn, localProvider, ModelChoiceError } from './server-access.ts'

export interface FoundModel {
  /** `local` for a server at a given address. */
  readonly provider: string
  readonly model: string
  readonly callable: CallableModel
  /** Null for the built-in model. */
  readonly server: { readonly url: string; readonly apiKey: string | null } | null
}

/**
 * Finds the model of that name. A given address always counts. Otherwise `provider/model` names a provider; a name alone goes to
 * the server of OPENAI_BASE_URL if that is set, else to the provider that has such names. Keys come only from the environment.
 * Throws `ModelChoiceError` when something is missing.
 */
export function chooseModel(name: string, options: ChooseModelOptions = {}): CallableModel {
  return findModel(name, options).callable
}

export function findModel(name: string, options: ChooseModelOptions = {}): FoundModel {
  const { url, environment = process.env } = options
  const named = url === undefined ? providerIn(name) : null
  if (named !== null) return modelOf(named.provider, named.model, options)
  const known = url === undefined && !hasOwnServer(environment) ? providers.find(({ knows }) => knows?.test(name)) : undefined
  if (known !== undefined) return modelOf(known, name, options)
  if (url === undefined && !hasOwnServer(environment)) {
    const all = providers.map((provider) => provider.name).join(', ')
    const message = `no server is known for ${name}: expected PROVIDER/MODEL, where PROVIDER is one of ${all}`
    throw new ModelChoiceError({ kind: 'no-server' }, message)
  }
  const access = localAccess(options)
  const server = { url: access.baseURL, apiKey: access.apiKey }
  return { provider: localProvider, model: name, callable: compatibleModel(access, name), server }
}

/** The keys that a request may carry, to blank them if a server repeats them. */
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

/** Whether OPENAI_BASE_URL names another server than OpenAI’s, which may have models of any name. */
function hasOwnServer(environment: Environment): boolean {
  const address = environment['OPENAI_BASE_URL'] ?? ''
  const openai = providers.find(({ name }) => name === 'openai') as Provider
  return address !== '' && !isHome(openai, address)
}

function modelOf(provider: Provider, model: string, options: ChooseModelOptions): FoundModel {
  const { environment = process.env, maxBytes = maxBytesByDefault, fetch, watch } = options
  const { name, keys, needsKey, create = (access, id) => compatibleModel(access, id, name) } = provider
  const { variable, complete } = provider.elsewhere
  const address = environment[variable]?.trim() ?? ''
  const baseURL = address === '' ? provider.home : checkAddress(complete?.(address) ?? address, variable)
  const apiKey = keyIn(environment, keys)
  if (apiKey === null && (needsKey === 'always' || (needsKey === 'at-home' && isHome(provider, baseURL))))
    throw new ModelChoiceError({ kind: 'no-key', variables: keys }, `${keys.join(' or ')}: expected the key for ${provider.name}`)
  const callable = create({ baseURL, apiKey, fetch: createBoundedFetch({ maxBytes, fetch, watch }) }, model)
  return { provider: provider.name, model, callable, server: { url: baseURL, apiKey } }
}

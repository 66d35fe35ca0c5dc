import type { Config } from '@plimsoll/core'
import { findModel } from './choose-model.ts'
import { choices, type DefaultModelOptions, ownServer, talkingModels } from './default-model.ts'
import { offlineModelName } from './offline/offline-model.ts'
import { providers } from './providers.ts'

/** Where models are looked for. */
export interface AvailableModelsOptions extends Omit<DefaultModelOptions, 'config'> {
  readonly config: Pick<Config, 'models'>
  /** The model that is used where nobody names one: it comes first. */
  readonly first: string
}

/**
 * Models that can be had as things are, by name, to choose from: those of the settings, those of a server that was named, one for each
 * key, and the offline one. Only servers that were named are asked, for two seconds at most.
 */
export async function availableModels(options: AvailableModelsOptions): Promise<readonly string[]> {
  const { first, config, environment, url } = options
  const openai = providers.find(({ name }) => name === 'openai')
  const address = url ?? (openai === undefined ? null : ownServer(openai, environment))
  const served = address === null ? [] : await talkingModels(address, options)
  // Whoever names a server in an option means that server for every name.
  const known = url === undefined ? choices.map(({ provider, model }) => `${provider}/${model}`) : []
  const named = [...Object.keys(config.models), ...known].filter((name) => canBeHad(name, options))
  return [...new Set([first, ...named, ...served, offlineModelName])].slice(0, mostModels)
}

/** A list that a person chooses from. */
const mostModels = 100

function canBeHad(name: string, { environment, url }: AvailableModelsOptions): boolean {
  try {
    return findModel(name, { environment, url }).model !== ''
  } catch {
    return false
  }
}

import { findModel } from './choose-model.ts'
import { createModelClient, type ModelClientOptions } from './create-client.ts'
import { localProvider } from './local-model.ts'
import type { ModelClient } from './model-client.ts'
import { overrideOf } from './model-knowledge.ts'
import { offlineModelName } from './offline/offline-model.ts'
import { probeServer, type ServerFacts } from './probe-server.ts'

/** Which model to talk to, and who is told about its server. */
export interface OpenClientOptions extends ModelClientOptions {
  /** Told where the server gives the model little room, or less than it could have and cuts what is longer in silence. */
  readonly onSmallWindow?: (told: SmallWindow) => void
  readonly signal?: AbortSignal | undefined
}

/** A window that is smaller than it has to be. */
export interface SmallWindow {
  readonly window: number
  /** Tokens the model could have; null where its server does not say. */
  readonly most: number | null
  /** Whether a longer prompt is cut without a word. */
  readonly clips: boolean
}

/**
 * A client for the model of that name. A server of one's own is asked first how much room it gives the model, for two seconds at
 * most, unless the configuration says it. Rejects with `ModelChoiceError` when something is missing to call the model.
 */
export async function openModelClient(options: OpenClientOptions): Promise<ModelClient> {
  const told = await askServer(options)
  const window = told?.loaded ?? told?.window ?? null
  if (told !== null && window !== null && isSmall(window, told))
    options.onSmallWindow?.({ window, most: told.window, clips: told.clips })
  return createModelClient(window === null ? options : { ...options, serverWindow: window })
}

/** With less than this an agent's own prompt and tools take most of the room. */
const littleRoom = 16_384

function isSmall(window: number, { window: most, clips }: ServerFacts): boolean {
  return window < littleRoom || (clips && most !== null && window < most)
}

/** What runs on machines of one's own; others have the windows that they publish. */
const ownServers: readonly string[] = [localProvider, 'ollama', 'llamacpp']

async function askServer(options: OpenClientOptions): Promise<ServerFacts | null> {
  const { name, url, config, fetch, signal } = options
  if (name === offlineModelName && url === undefined) return null
  const { provider, model, server } = findModel(name, options)
  const isSet = (overrideOf(name, config) ?? overrideOf(model, config))?.window !== undefined
  if (isSet || server === null || !ownServers.includes(provider)) return null
  return probeServer({ ...server, provider, model, fetch, signal })
}

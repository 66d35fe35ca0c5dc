import { fileURLToPath } from 'node:url'
import { availableModels } from '../../model/default-model.ts'
import type { AgentStarter } from '../../server/agent-starter.ts'
import { ApiError } from '../../server/api-error.ts'
import { createServer, type PlimsollServer } from '../../server/create-server.ts'
import type { ServerOptions } from '../../server/server-options.ts'
import { storeLocation } from '../../store/store-location.ts'
import { CommandError } from '../command-error.ts'
import { writing } from '../session-context.ts'
import { cleanText } from '../terminal/clean-text.ts'
import type { AgentHost } from './agent-host.ts'
import { isOfflineUnasked } from './is-offline-unasked.ts'
import { packageVersion } from './package-version.ts'
import type { ServeCommandOptions, ServePlace } from './serve-options.ts'

/** The web app of an agent's host, which does not listen yet. */
export async function createWebApp(
  host: AgentHost,
  place: ServePlace,
  options: ServeCommandOptions,
  onFault: (where: string) => void,
): Promise<PlimsollServer> {
  return createServer({
    ...(await settingsOf(host, options)),
    isOfflineUnasked: isOfflineUnasked(host, options),
    notices: webAppNotices(host),
    token: place.token,
    host: place.host,
    port: place.ports[0] ?? 0,
    allowPublic: place.isPublic,
    onFault,
  })
}

/** What whoever opens the web app should know of the settings and the model, in the language of who started it. */
export function webAppNotices({ context, notices }: AgentHost): readonly string[] {
  return [...context.settings.warnings, ...notices.map(({ message, details }) => `${message} (${details})`)].map(cleanText)
}

async function settingsOf(host: AgentHost, { baseUrl }: ServeCommandOptions) {
  const { context, root, defaultModel } = host
  const { io, settings, sessions, strings } = context
  const { environment, platform, now } = io
  const { config, policies, windowSetBy } = settings
  return {
    version: packageVersion(),
    sessions,
    root,
    config,
    strings,
    policies,
    isWindowSet: windowSetBy !== null,
    environment,
    platform,
    now,
    writing: writing(context),
    agents: starterOf(host),
    models: await availableModels({ first: defaultModel.name, config, environment, url: baseUrl }),
    gatewayStore: storeLocation(config.gateway.store, environment),
    webFolder: fileURLToPath(new URL('../../web/', import.meta.url)),
  } satisfies Partial<ServerOptions>
}

/** What a command would end with is an answer here. */
function starterOf(host: AgentHost): AgentStarter {
  const { defaultModel, notices, start, leave } = host
  return {
    defaultModel,
    notices,
    start,
    leave,
    async model(name, onNotice) {
      try {
        return await host.model(name, onNotice)
      } catch (error) {
        if (!(error instanceof CommandError)) throw error
        throw new ApiError(422, 'MODEL_UNAVAILABLE', () => ({ message: error.message }))
      }
    },
  }
}

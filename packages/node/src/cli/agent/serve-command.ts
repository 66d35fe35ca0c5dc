import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { thrownText } from '../../files/problem.ts'
import { availableModels } from '../../model/default-model.ts'
import { createServer, type PlimsollServer } from '../../server/create-server.ts'
import { urlHost } from '../../server/host-names.ts'
import { ApiError } from '../../server/refusal.ts'
import type { AgentStarter } from '../../server/server-options.ts'
import { storeLocation } from '../../store/store-location.ts'
import { CommandError, type CommandIo, packageVersion, untilAborted } from '../command-io.ts'
import { sayNotices, writing } from '../settings.ts'
import type { ColourOptions } from '../terminal/screen.ts'
import { cleanText } from '../terminal/text.ts'
import { openPage, writeJson } from '../terminal/write-out.ts'
import { type AgentHost, isOfflineUnasked, openAgentHost } from './open-agent-host.ts'
import { listenNearby, type ServeCommandOptions, type ServePlace, servePlace, tokenVariable, userToken } from './serve-options.ts'

/** Serves the web app until it is stopped; then everything that was acknowledged is stored. */
export async function serveCommand(options: ServeCommandOptions, io: CommandIo): Promise<void> {
  const stopped = (io.stopped ?? io.interrupted)?.() ?? new AbortController().signal
  // Commands of the agent must not see the token. `--json` is only about the printed address, not about the pages.
  const { [tokenVariable]: _token, ...environment } = io.environment
  const host = await openAgentHost({ ...options, json: false }, { ...io, environment })
  try {
    const { strings } = host.context
    const { serve } = strings.server
    const place = servePlace(options, io.environment, strings, () => userToken(environment))
    const say = (...notices: readonly string[]) => sayNotices(io, notices, options)
    const server = await createWebApp(host, place, options, (fault) => say(serve.fault(fault)))
    try {
      const port = await listenNearby(server, place, strings)
      const address = `http://${urlHost(shownHost(place.host))}:${port}/#token=${place.token}`
      say(
        ...(isOfflineUnasked(host, options) ? [strings.agent.offline] : []),
        ...webAppNotices(host),
        ...(place.ports.includes(port) && port !== place.ports[0] ? [serve.otherPort(String(place.ports[0]), String(port))] : []),
      )
      if (options.json === true) writeJson({ address, port, token: place.token }, address, strings, io.stdout)
      else io.stdout.write(`${[serve.ready(address), serve.howToStop, ...(place.isPublic ? [serve.isPublic] : [])].join('\n')}\n`)
      const close = options.open === true ? await openPage(address, io) : undefined
      if (close === null) say(serve.notOpened)
      await untilAborted(stopped)
      await close?.()
      say(serve.closing)
    } finally {
      await server.close()
    }
  } finally {
    await host.close()
  }
}

function shownHost(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}

async function createWebApp(host: AgentHost, place: ServePlace, options: ServeCommandOptions, onFault: (where: string) => void) {
  const { context, root, defaultModel } = host
  const { io, settings, sessions, strings } = context
  const { environment, platform, now } = io
  const { config, policies, windowSetBy } = settings
  return createServer({
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
    models: await availableModels({ first: defaultModel.name, config, environment, url: options.baseUrl }),
    gatewayStore: storeLocation(config.gateway.store, environment),
    webFolder: fileURLToPath(new URL('../../web/', import.meta.url)),
    isOfflineUnasked: isOfflineUnasked(host, options),
    notices: webAppNotices(host),
    token: place.token,
    host: place.host,
    port: place.ports[0] ?? 0,
    allowPublic: place.isPublic,
    onFault,
  })
}

function webAppNotices({ context, notices }: AgentHost): readonly string[] {
  return [...context.settings.warnings, ...notices.map(({ message, details }) => `${message} (${details})`)].map(cleanText)
}

/** Lets the server report a `CommandError` to the client instead of exiting. */
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

/** A web app next to something else: its address, or why it could not be started. */
export type OpenInspector = Readonly<Awaited<ReturnType<typeof openInspector>>>

/** Starts the web app on any free port to show what goes through a gateway. Never throws: nothing depends on it. */
export async function openInspector(options: ColourOptions & { readonly open?: boolean; readonly store: string }, io: CommandIo) {
  let host: AgentHost | null = null
  let server: PlimsollServer | null = null
  let removePage: (() => Promise<void>) | null = null
  const close = async () => {
    await removePage?.()
    await server?.close()
    await host?.close()
  }
  try {
    const environment = { ...io.environment, PLIMSOLL_GATEWAY__STORE: JSON.stringify(options.store) }
    host = await openAgentHost({ json: false, model: 'offline' }, { ...io, environment })
    const { strings } = host.context
    const place = servePlace({ port: '0' }, {}, strings)
    server = await createWebApp(host, place, {}, () => undefined)
    const port = await listenNearby(server, place, strings)
    const address = `http://127.0.0.1:${port}/#token=${place.token}`
    if (options.open === true) removePage = await openPage(address, io)
    return { address, close }
  } catch (error) {
    await close()
    return { address: null, problem: cleanText(thrownText(error)), close: async () => undefined }
  }
}

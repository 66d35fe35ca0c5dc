import { networkInterfaces } from 'node:os'
import { urlHost } from '../../server/host-names.ts'
import { type CommandIo, untilAborted } from '../command-io.ts'
import { sayNotices } from '../settings.ts'
import { openPage } from '../terminal/open-page.ts'
import { writeJson } from '../terminal/write-out.ts'
import { isOfflineUnasked, openAgentHost } from './open-agent-host.ts'
import { listenNearby, type ServeCommandOptions, servePlace, tokenVariable } from './serve-options.ts'
import { createWebApp, webAppNotices } from './web-app.ts'

/** Serves the web app until somebody wants it to end; then everything that was acknowledged is stored. */
export async function serveCommand(options: ServeCommandOptions, io: CommandIo): Promise<void> {
  const stopped = (io.stopped ?? io.interrupted)?.() ?? new AbortController().signal
  // Whatever the agent runs has no business with the token. And people look at the pages, whoever reads the address.
  const host = await openAgentHost({ ...options, json: false }, { ...io, environment: withoutToken(io.environment) })
  try {
    const { strings } = host.context
    const { serve } = strings.server
    const place = servePlace(options, io.environment, strings)
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
      const close = options.open === true ? await openPage(address, io.platform) : undefined
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

/** Whoever listens everywhere is reached from elsewhere by one of the machine's addresses. */
function shownHost(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}

function withoutToken(environment: CommandIo['environment']): CommandIo['environment'] {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name !== tokenVariable))
}

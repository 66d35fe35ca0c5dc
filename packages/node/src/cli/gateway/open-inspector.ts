import { thrownText } from '../../files/trouble.ts'
import type { PlimsollServer } from '../../server/create-server.ts'
import type { AgentHost } from '../agent/agent-host.ts'
import { listenNearby } from '../agent/listen-nearby.ts'
import { openAgentHost } from '../agent/open-agent-host.ts'
import { servePlace } from '../agent/serve-options.ts'
import { createWebApp } from '../agent/web-app.ts'
import type { CommandIo } from '../command-io.ts'
import type { Speak } from '../session-context.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { openPage } from '../terminal/open-page.ts'
import type { ColourOptions } from '../terminal/paint.ts'

/** A web app that stands beside something else: where it is, or why it is not there. */
export type OpenInspector = { readonly close: () => Promise<void> } & (
  | { readonly address: string }
  | { readonly address: null; readonly trouble: string }
)

/** Starts the web app at any port that is free, to look at what goes through a gateway. Never throws: nothing depends on it. */
export async function openInspector(
  options: ColourOptions & { readonly open?: boolean; readonly store: string },
  io: CommandIo,
  speak: Speak,
): Promise<OpenInspector> {
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
    host = await openAgentHost({ json: false, model: 'offline' }, { ...io, environment }, speak)
    const { strings } = host.context
    const place = servePlace({ port: '0' }, {}, strings)
    server = await createWebApp(host, place, {}, () => undefined)
    const port = await listenNearby(server, place, strings)
    const address = `http://127.0.0.1:${port}/#token=${place.token}`
    if (options.open === true) removePage = await openPage(address, io.platform)
    return { address, close }
  } catch (error) {
    await close()
    return { address: null, trouble: cleanText(thrownText(error)), close: async () => undefined }
  }
}

import { isSharedStore } from '../../store/gateway-store.ts'
import { openGatewayStore } from '../../store/open-gateway-store.ts'
import { tenantsOf } from '../../store/tenants.ts'
import { type CommandIo, packageVersion } from '../command-io.ts'
import { readSettings } from '../settings.ts'
import type { ColourOptions } from '../terminal/screen.ts'
import { gatewayPlace } from './gateway-place.ts'
import { storeProblem } from './open-gateway.ts'

/** Serves recall over standard input and output until the client leaves. Nothing else is written there. */
export async function mcpCommand(options: ColourOptions & { readonly store?: string }, io: CommandIo): Promise<void> {
  // A program reads the output.
  const { strings, config } = await readSettings({ json: true }, io)
  const { store: location } = gatewayPlace(options, { ...config.gateway, host: '127.0.0.1' }, io, strings)
  const [{ serveStdio }, { createRecallServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../../mcp/recall-server.ts'),
  ])
  const store = await openGatewayStore(location, { now: io.now, isReading: true }).catch((error: unknown) => {
    throw storeProblem(error, location, io, strings)
  })
  try {
    const since = io.now()
    const tenants = () => tenantsOf(store, isSharedStore(location), io.environment)
    const server = serveStdio(() => createRecallServer({ version: packageVersion(), store, tenants, config, since }))
    await ended(io)
    await server.close()
  } finally {
    await store.close()
  }
}

function ended(io: CommandIo): Promise<void> {
  const stopped = (io.stopped ?? io.interrupted)?.()
  return new Promise((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    if (stopped?.aborted === true) resolve()
    stopped?.addEventListener('abort', () => resolve(), { once: true })
  })
}

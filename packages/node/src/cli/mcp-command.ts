import type { GatewayStore } from '../store/gateway-store.ts'
import { openGatewayStore } from '../store/open-gateway-store.ts'
import { isShared } from '../store/store-location.ts'
import { credentialHash, tenantOf } from '../store/tenant.ts'
import type { CommandIo } from './command-io.ts'
import { gatewayPlace } from './gateway-place.ts'
import { storeTrouble } from './open-gateway.ts'
import { packageVersion } from './package-version.ts'
import type { ColourOptions } from './paint.ts'
import type { Speak } from './session-context.ts'
import { readSettings } from './settings.ts'

/** The options of `plimsoll mcp` as they were written. */
export interface McpOptions extends ColourOptions {
  readonly store?: string
}

/** Serves recall over standard input and output until the other side leaves. Nothing else is written there. */
export async function mcpCommand(options: McpOptions, io: CommandIo, speak: Speak): Promise<void> {
  // What is read here is read by a program.
  const { strings, config } = readSettings({ json: true }, io, speak)
  const { store: location } = gatewayPlace(options, { ...config.gateway, host: '127.0.0.1' }, io, strings)
  const [{ serveStdio }, { createRecallServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../mcp/recall-server.ts'),
  ])
  const store = await openGatewayStore(location, { now: io.now }).catch((error: unknown) => {
    throw storeTrouble(error, strings)
  })
  try {
    const tenants = () => tenantsOf(store, isShared(location), io.environment)
    const server = serveStdio(() => createRecallServer({ version: packageVersion(), store, tenants, config }))
    await ended(io)
    await server.close()
  } finally {
    await store.close()
  }
}

/**
 * Whose originals are given back: in a file of this user's, everybody's; in a database that others use, too, only those of whoever has
 * the keys in the environment.
 */
export async function tenantsOf(
  store: Pick<GatewayStore, 'tenants' | 'secret'>,
  isOthersToo: boolean,
  environment: CommandIo['environment'],
): Promise<readonly string[]> {
  if (!isOthersToo) return store.tenants()
  const secret = await store.secret()
  const keys = [...new Set(keyVariables.map((name) => (environment[name] ?? '').trim()).filter((key) => key !== ''))]
  // Some clients send a key by itself, some as a bearer.
  return keys.flatMap((key) => [key, `Bearer ${key}`].map((credential) => tenantOf(secret, credentialHash(credential))))
}

const keyVariables = [
  'PLIMSOLL_TENANT_KEY',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
]

function ended(io: CommandIo): Promise<void> {
  const stopped = (io.stopped ?? io.interrupted)?.()
  return new Promise((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    if (stopped?.aborted === true) resolve()
    stopped?.addEventListener('abort', () => resolve(), { once: true })
  })
}

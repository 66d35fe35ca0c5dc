import { Hono } from 'hono'
import { inspectInWorker } from '../inspect/inspect-in-worker.ts'
import type { GatewayStore } from '../store/gateway-store.ts'
import { createGatewayShelf } from './gateway-shelf.ts'
import { inspectRoutes } from './inspect-routes.ts'
import { logRoutes } from './log-routes.ts'
import { createLogShelf } from './log-shelf.ts'
import type { RouteOptions } from './server-options.ts'

/**
 * Everything that is only looked at: `/inspect` and `/logs`, read by one thread beside the server's own. What is simulated takes
 * longer and has another one, so that nobody waits for it who only reads.
 */
export function lookingRoutes(options: RouteOptions): Hono {
  const { config, isWindowSet, now, atClose, atHello } = options
  const day = new Date(now()).toISOString().slice(0, 10)
  const inspector = inspectInWorker({ config, isWindowSet, day })
  const simulator = inspectInWorker({ config, isWindowSet, day })
  const shelf = createLogShelf(options)
  const gateways = options.gatewayStore === undefined ? null : createGatewayShelf(options.gatewayStore, openStore)
  atHello(() => inspector.warmUp?.())
  atClose(async () => {
    await inspector.close()
    await simulator.close()
    await shelf.close()
    await gateways?.close()
  })
  return new Hono()
    .route('/inspect', inspectRoutes(options, { shelf, gateways }, inspector, simulator))
    .route('/logs', logRoutes(options, { shelf, gateways }, inspector))
}

/** Most people who look at sessions have no gateway, and what opens its store takes a while to load. */
async function openStore(location: string): Promise<GatewayStore> {
  const { openGatewayStore } = await import('../store/open-gateway-store.ts')
  return openGatewayStore(location, { now: Date.now })
}

import { join } from 'node:path'
import { type Config, type GatewaySettings, type TrimMode, toolRules } from '@plimsoll/core/policies'
import { proxyFor } from '../../config/upstream-address.ts'
import { createLogger } from '../../files/logger.ts'
import type { TrimLog } from '../../files/trim-log.ts'
import { createGateway } from '../../gateway/create-gateway.ts'
import { createGatewayOperations } from '../../gateway/gateway-operations.ts'
import type { Gateway, GatewayEvent, GatewayLimits, GatewayOptions, Upstream } from '../../gateway/gateway-options.ts'
import { createPlannerThread, type PlannerThread } from '../../gateway/planner/create-planner-thread.ts'
import type { Measured } from '../../gateway/planner.ts'
import { urlHost } from '../../server/host-names.ts'
import { type WireDialect, wireDialects } from '../../store/gateway-record.ts'
import { StoreError } from '../../store/gateway-store.ts'
import { gatewayFolder } from '../../store/store-location.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { listenNearby } from '../agent/serve-options.ts'
import { CommandError, type CommandIo, packageVersion } from '../command-io.ts'
import { cleanText, grouped, moneyText } from '../terminal/text.ts'
import { type GatewayPlace, reachedAt, storeName } from './gateway-place.ts'

/** Milliseconds at shutdown to record what was measured, if the answers took all of the time. */
const recordMs = 2000

/**
 * The configuration for other agents' requests. Our limits for file reads are for our own tools, which page through a file; another agent's tool of the
 * same name returns it whole. `limited` are the file reads that the user's own limits cut.
 */
export function forOtherAgents(
  config: Config,
  origins: Readonly<Record<string, string>>,
): { readonly config: Config; readonly limited: readonly string[] } {
  const { tools } = config.tool_output_limits
  const isOwn = (tool: string, limit: string) => (origins[`tool_output_limits.tools.${tool}.${limit}`] ?? 'default') !== 'default'
  const reads = Object.entries(tools).filter(([tool]) => toolRules(tool)?.kind === 'file-read')
  const limits = reads.map(([tool, own]) => {
    const max_chars = isOwn(tool, 'max_chars') ? own.max_chars : undefined
    const max_lines = isOwn(tool, 'max_lines') ? own.max_lines : undefined
    return [tool, { ...own, max_chars: max_chars ?? noLimit, max_lines: max_lines ?? noLimit }] as const
  })
  const tool_output_limits = { ...config.tool_output_limits, tools: { ...tools, ...Object.fromEntries(limits) } }
  const limited = limits.filter(([, { max_chars, max_lines }]) => Math.min(max_chars, max_lines) < noLimit)
  return { config: { ...config, tool_output_limits }, limited: limited.map(([tool]) => tool) }
}

// A missing limit would be completed by our own.
const noLimit = Number.MAX_SAFE_INTEGER

/** `safe` never cuts what was read of a file. */
export function cutsReads(mode: TrimMode): boolean {
  return mode === 'spec' || mode === 'economy'
}

interface OpenGatewayOptions {
  readonly place: GatewayPlace
  readonly config: Config
  /** Whether the user set `context_window`. */
  readonly isWindowSet: boolean
  readonly io: Pick<CommandIo, 'environment' | 'now' | 'stderr'>
  readonly strings: Strings
  /** Default: no log of what requests trim. */
  readonly trimLog?: TrimLog | undefined
}

/** `address` is for clients on this machine; `close` waits for running answers and writes pending records. */
export type OpenGateway = Readonly<Awaited<ReturnType<typeof openGateway>>>

/** Opens the store, the planner and the relay. Throws `CommandError` if one of them cannot be opened. */
export async function openGateway({ place, config, isWindowSet, io, strings, trimLog }: OpenGatewayOptions) {
  const settings = config.gateway
  const { now } = io
  let thread: PlannerThread | null = null
  const operations = await createGatewayOperations({
    log: createLogger({ level: place.log, write: io.stderr.write }),
    logLevel: place.log,
    tracesEndpoint: settings.telemetry.otlp_endpoint,
    version: packageVersion(),
    now,
    remembered: () => thread?.remembered() ?? { conversations: 0, bytes: 0, heapBytes: 0 },
  })
  const planner = await createPlannerThread({
    store: place.store,
    settings: {
      config,
      isWindowSet,
      keepText: place.keepText,
      holdout: settings.holdout,
      recall: settings.recall === 'file' ? { file: join(gatewayFolder(io.environment), 'originals') } : 'handle',
      keepDays: settings.keep_days,
      isLogged: trimLog !== undefined,
      keepsCacheAlive: place.keepsCacheAlive,
    },
    isPatient: place.mode === 'observe',
    onStore: operations.onStore,
  }).catch(async (error: unknown) => {
    await operations.close()
    throw storeProblem(error, place.store, io, strings)
  })
  thread = planner
  const tally = createTally()
  planner.onMeasured((measured) => {
    tally.onMeasured(measured)
    operations.onMeasured(measured)
    trimLog?.decided(measured.trims, { id: measured.id })
    trimLog?.accepted(measured.trims)
  })
  const options: Omit<GatewayOptions, 'port'> = {
    host: place.host,
    allowPublic: place.isPublic,
    token: place.token,
    upstreams: upstreamsOf(place, settings, io.environment),
    mode: place.mode,
    planner,
    limits: limitsOf(settings.limits),
    keepAliveSeconds: settings.keep_alive_seconds,
    keepsCacheAlive: place.keepsCacheAlive,
    now,
    onEvent: (event) => {
      tally.onEvent(event)
      operations.onEvent(event)
    },
    operations: operations.operations,
  }
  let gateway: Gateway | null = null
  const close = async () => {
    const until = Date.now() + settings.limits.shutdown_seconds * 1000
    await gateway?.close()
    // What was measured is recorded, unless the planner is busy with a plan that no one waits for any more.
    await planner.close(Math.max(recordMs, until - Date.now()))
    await operations.close()
    trimLog?.close()
  }
  try {
    const listen = async (port = 0) => {
      const attempt = createGateway({ ...options, port })
      const taken = await attempt.listen()
      gateway = attempt
      return { port: taken }
    }
    const port = await listenNearby({ listen }, place, strings)
    return {
      port,
      address: `http://${urlHost(reachedAt(place.host))}:${port}`,
      tally: tally.tally,
      hasArrived: tally.hasArrived,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Turns the error of a store into one that ends a command. */
export function storeProblem(error: unknown, store: string, io: Pick<CommandIo, 'environment'>, strings: Strings): unknown {
  if (!(error instanceof StoreError)) return error
  const name = cleanText(storeName(store, io, strings))
  return new CommandError(strings.gateway.storeProblem(name, cleanText(error.message)), 1)
}

function upstreamsOf({ upstreams }: GatewayPlace, settings: GatewaySettings, environment: CommandIo['environment']) {
  const entries = wireDialects.map((dialect) => {
    const url = upstreams[dialect]
    const proxy = proxyFor(url, environment)
    const managed = managesContext(dialect, url, settings.context_management)
    return [dialect, { url, managesContext: managed, ...(proxy === null ? {} : { proxy }) }]
  })
  return Object.fromEntries(entries) as Record<WireDialect, Upstream>
}

/** Only requests in these two formats ask for it, and only these hosts are known to do it. */
export function managesContext(dialect: WireDialect, url: string, setting: GatewaySettings['context_management']): boolean {
  if ((dialect !== 'anthropic' && dialect !== 'openai-responses') || setting === 'pass') return true
  return setting === 'auto' && managing[dialect].test(URL.parse(url)?.host ?? '')
}

const managing = {
  anthropic: /^api\.anthropic\.com$/,
  'openai-responses': /^(?:(?:eu\.|us\.)?api\.openai\.com|chatgpt\.com|[\w-]{1,100}\.openai\.azure\.com|api\.x\.ai)$/,
} as const

function limitsOf(limits: GatewaySettings['limits']): GatewayLimits {
  return {
    maxBodyBytes: Math.floor(limits.max_body_mb * 1_000_000),
    maxReadBytes: Math.floor(limits.max_read_mb * 1_000_000),
    maxHeaderBytes: Math.floor(limits.max_header_kb * 1000),
    headersSeconds: limits.headers_seconds,
    bodySeconds: limits.body_seconds,
    connectSeconds: limits.connect_seconds,
    planMilliseconds: limits.plan_milliseconds,
    maxConnections: limits.max_connections,
    maxConnectionsPerClient: limits.max_connections_per_client,
    maxBufferedBytes: Math.floor(limits.max_buffered_mb * 1_000_000),
    shutdownSeconds: limits.shutdown_seconds,
  }
}

/** `requests` are those to models, measured or not; `paid` and `untrimmed` are dollars of those with a known price. */
type GatewayTally = typeof nothingYet

const nothingYet = { requests: 0, changed: 0, tokensBefore: 0, tokensAfter: 0, paid: 0, untrimmed: 0, unpriced: 0 }

/** Adds up the events of a gateway. */
export function createTally() {
  let tally: Readonly<GatewayTally> = nothingYet
  let hasArrived = false
  return {
    onEvent: (event: GatewayEvent) => {
      hasArrived ||= event.type === 'answered'
      if (event.type !== 'answered' || event.mode === undefined || event.end === 'refused') return
      tally = { ...tally, requests: tally.requests + 1, changed: tally.changed + (event.isChanged ? 1 : 0) }
    },
    onMeasured: ({ tokensBefore, tokensAfter, dollars, untrimmedDollars }: Measured) => {
      tally = {
        ...tally,
        tokensBefore: tally.tokensBefore + tokensBefore,
        tokensAfter: tally.tokensAfter + tokensAfter,
        paid: tally.paid + (dollars ?? 0),
        // No saving is claimed if the untrimmed cost is unknown.
        untrimmed: tally.untrimmed + (dollars === null ? 0 : (untrimmedDollars ?? dollars)),
        unpriced: tally.unpriced + (dollars === null ? 1 : 0),
      }
    },
    tally: () => tally,
    /** Whether any request arrived, also one that is not to a model or was rejected. */
    hasArrived: () => hasArrived,
  }
}

export function tallyText(tally: GatewayTally, strings: Strings['gateway']): string {
  const { requests, changed, tokensBefore, tokensAfter, paid, untrimmed, unpriced } = tally
  const hasPrices = requests > unpriced && (paid > 0 || untrimmed > 0)
  return [
    strings.summary(grouped(requests), grouped(tokensAfter)),
    changed === 0 ? strings.bytesUnchanged : strings.changed(grouped(changed), grouped(Math.max(0, tokensBefore - tokensAfter))),
    ...(hasPrices ? [strings.money(moneyText(paid), moneyText(untrimmed)), netText(untrimmed - paid, strings)] : []),
    ...(unpriced > 0 ? [strings.unpriced(grouped(unpriced))] : []),
  ].join(strings.summaryBetween)
}

/** Says in words whether the cost went down or up, so that a sign cannot be misread. */
export function netText(net: number, strings: Strings['gateway']): string {
  if (Math.abs(net) < 0.000_05) return strings.even
  return net > 0 ? strings.saved(moneyText(net)) : strings.lost(moneyText(-net))
}

import type { OfferedServer } from '../agent/request/record-request.ts'
import type { InspectedRequest, SessionFinding } from '../shared/inspection/inspection.ts'
import type { OfferedTool } from '../store/gateway-record.ts'

/** What a request cost, as far as it is known. */
type PaidRequest = Pick<InspectedRequest, 'usage' | 'cost'>

interface OfferedWith<Request extends PaidRequest> {
  readonly requests: readonly Request[]
  /** The MCP servers that were offered with a request. */
  readonly serversOf: (request: Request) => readonly OfferedServer[]
  readonly called: ReadonlySet<string>
}

/** MCP servers none of whose tools was called, and single tools of others, with what sending their definitions cost. */
export function unusedServers<Request extends PaidRequest>(offered: OfferedWith<Request>): readonly SessionFinding[] {
  const { requests, serversOf, called } = offered
  const unused = new Map<string, { tokens: number; dollars: number; requests: number; readonly request: number }>()
  const used = new Set<string>()
  for (const [place, request] of requests.entries())
    for (const { server, tools, tokens } of serversOf(request)) {
      if (tools.some((tool) => called.has(tool))) used.add(server)
      const sum = unused.get(server) ?? { tokens: 0, dollars: 0, requests: 0, request: place }
      unused.set(server, sum)
      sum.tokens = Math.max(sum.tokens, tokens)
      sum.dollars += tokens * startRate(request, tokens)
      sum.requests += 1
    }
  const servers = [...unused].flatMap(([about, sum]) => (used.has(about) ? [] : [{ kind: 'mcp', about, ...sum } as const]))
  const single = unusedTools({
    requests,
    called,
    toolsOf: (request) =>
      serversOf(request).flatMap(({ server, tools, each = [] }) =>
        used.has(server) ? tools.map((name, index) => ({ name, tokens: each[index] ?? 0 })) : [],
      ),
  })
  return single === null ? servers : [...servers, single.finding]
}

/** The same for requests whose tools are all known, as in the gateway. */
export function unusedOffers(
  requests: readonly PaidRequest[],
  offered: readonly OfferedTool[],
  called: ReadonlySet<string>,
): readonly SessionFinding[] {
  const { others, servers } = byServer(offered)
  const serverNames = servers.filter(({ tools }) => tools.some((tool) => called.has(tool))).map(({ server }) => server)
  const used = new Set(serverNames)
  const whole = unusedServers({ requests, called, serversOf: () => servers.filter(({ server }) => !used.has(server)) })
  const partly = servers.flatMap(({ server, tools, each }) =>
    used.has(server) ? tools.map((name, index) => ({ name, tokens: each[index] ?? 0 })) : [],
  )
  const single = unusedTools({ requests, called, toolsOf: () => [...others, ...partly] })
  return single === null ? whole : [...whole, single.finding]
}

interface UnusedTools {
  readonly finding: Extract<SessionFinding, { readonly kind: 'tools' }>
  /** Dollars by name. */
  readonly costs: ReadonlyMap<string, number>
}

/** Tools that were never called; null if there are none, or their sizes are unknown. */
export function unusedTools<Request extends PaidRequest>({
  requests,
  toolsOf,
  called,
}: {
  readonly requests: readonly Request[]
  readonly toolsOf: (request: Request) => readonly OfferedTool[]
  readonly called: ReadonlySet<string>
}): UnusedTools | null {
  const sizes = new Map<string, number>()
  const costs = new Map<string, number>()
  const all = new Set<string>()
  let count = 0
  let first = -1
  for (const [place, request] of requests.entries()) {
    const tools = toolsOf(request)
    const idle = tools.filter(({ name, tokens }) => tokens > 0 && !called.has(name))
    for (const { name } of tools) all.add(name)
    const rate = startRate(
      request,
      idle.reduce((sum, { tokens }) => sum + tokens, 0),
    )
    for (const { name, tokens } of idle) {
      sizes.set(name, Math.max(sizes.get(name) ?? 0, tokens))
      costs.set(name, (costs.get(name) ?? 0) + tokens * rate)
    }
    if (idle.length > 0) count += 1
    if (idle.length > 0 && first < 0) first = place
  }
  if (sizes.size === 0) return null
  const names = [...sizes].toSorted(([, one], [, other]) => other - one).map(([name]) => name)
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0)
  const about = `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ', …' : ''}`
  const tokens = sum(sizes.values())
  const dollars = sum(costs.values())
  return {
    finding: { kind: 'tools', about, count: names.length, of: all.size, tokens, dollars, requests: count, request: first },
    costs,
  }
}

const maxNamed = 4

function byServer(offered: readonly OfferedTool[]) {
  const groups = Map.groupBy(offered, ({ name }) => /^mcp__(.+?)__/.exec(name)?.[1] ?? null)
  const servers = [...groups].flatMap(([server, tools]) =>
    server === null
      ? []
      : [
          {
            server,
            tools: tools.map(({ name }) => name),
            tokens: tools.reduce((sum, { tokens }) => sum + tokens, 0),
            each: tools.map(({ tokens }) => tokens),
          },
        ],
  )
  return { servers, others: groups.get(null) ?? [] }
}

/** Dollars for a token at the start of a prompt, where the definitions of tools are: what is cached begins there. */
function startRate({ usage, cost }: PaidRequest, tokens: number): number {
  if (usage === null || cost === null) return 0
  const part = usage.cacheRead >= tokens ? 'cacheRead' : usage.cacheWrite >= tokens ? 'cacheWrite' : 'input'
  return usage[part] === 0 ? 0 : cost.parts[part] / usage[part]
}

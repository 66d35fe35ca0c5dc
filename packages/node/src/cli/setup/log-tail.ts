import { open } from 'node:fs/promises'
import { cacheTermsOf, costOfTurn, normaliseUsage, sumCosts, type Usage } from '@plimsoll/core/bill'
import { isRecord } from '@plimsoll/core/text'
import { type OwnPrices, priceDay, priceOfModel } from '../../model/price-of-model.ts'

export type LogTail = Readonly<NonNullable<Awaited<ReturnType<typeof readTail>>>>

/** Reads at most `most` bytes from the end of a file, cut to whole lines; null if it cannot be read. */
export async function readTail(path: string, maxBytes: number) {
  try {
    const handle = await open(path, 'r')
    try {
      const { size } = await handle.stat()
      const start = Math.max(0, size - maxBytes)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
      const text = buffer.toString('utf8', 0, bytesRead)
      const lines = text.split('\n')
      // The first line is cut.
      return { lines: (start === 0 ? lines : lines.slice(1)).filter((line) => line !== ''), isWhole: start === 0, bytes: size }
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}

/** Reads the facts from the last lines of a Claude Code or Plimsoll log. */
export function tailFacts({ lines, isWhole }: LogTail, prices: OwnPrices = {}) {
  const responses = new Map<string, Response>()
  let model: string | null = null
  lines.forEach((line, index) => {
    // Most lines are long and not about it.
    if (!line.includes('"usage"') && !line.includes('"request"')) return
    const entry = parseFields(line)
    if (entry['type'] === 'request' && typeof entry['model'] === 'string') model = entry['model']
    const found = claudeResponse(entry) ?? ownResponse(entry, model)
    if (found !== null) responses.set(found.id ?? `line-${index}`, found)
  })
  const last = [...responses.values()].at(-1)
  if (last === undefined) return { model, used: null, hotUntil: null, dollars: null }
  const { input, cacheRead, cacheWrite } = last.usage
  return {
    model: last.model ?? model,
    used: input + cacheRead + cacheWrite,
    hotUntil: hotUntil(last),
    dollars: isWhole ? dollarsOf([...responses.values()], prices) : null,
  }
}

interface Response {
  readonly id: string | null
  readonly model: string | null
  readonly usage: Usage
  readonly at: number | null
  /** In seconds, if the log has it. */
  readonly cacheLifetime: number | null
}

export type Fields = Readonly<Record<string, unknown>>

/** Parses a JSON object; returns an empty one for anything else. */
export function parseFields(line: string): Fields {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function claudeResponse({ message, timestamp, isSidechain }: Fields): Response | null {
  if (!isRecord(message) || isSidechain === true || message['model'] === '<synthetic>') return null
  const raw = message['usage']
  const usage = normaliseUsage(raw)
  if (usage === null || !isRecord(raw)) return null
  const written = raw['cache_creation']
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  return {
    id: typeof message['id'] === 'string' ? message['id'] : null,
    model: typeof message['model'] === 'string' ? message['model'] : null,
    usage,
    at: Number.isNaN(at) ? null : at,
    cacheLifetime: isRecord(written) && Number(written['ephemeral_1h_input_tokens']) > 0 ? 3600 : 300,
  }
}

function ownResponse(entry: Fields, model: string | null): Response | null {
  const usage = entry['type'] === 'usage' ? normaliseUsage(entry['usage']) : null
  if (usage === null) return null
  return { id: null, model, usage, at: typeof entry['at'] === 'number' ? entry['at'] : null, cacheLifetime: null }
}

/** Nothing was cached if the provider neither read nor wrote a cache. */
function hotUntil(response: Response): number | null {
  const { usage, at } = response
  const seconds = usage.cacheRead + usage.cacheWrite === 0 ? null : lifetimeSeconds(response)
  return at === null || seconds === null ? null : at + seconds * 1000
}

/** Claude Code asks for five minutes or an hour, and its log says which; otherwise it is the provider's default. */
function lifetimeSeconds({ model, cacheLifetime }: Response): number | null {
  if (cacheLifetime !== null) return cacheLifetime
  const price = model === null ? null : priceOfModel(model)
  return price === null ? null : cacheTermsOf(price).lifetimeSeconds
}

function dollarsOf(responses: readonly Response[], prices: OwnPrices): number | null {
  const priceFor = ({ model, at }: Response) => (model === null ? null : priceOfModel(model, priceDay(at), prices))
  const { dollars, unpriced } = sumCosts(responses.map((response) => costOfTurn(response.usage, priceFor(response))))
  return unpriced > 0 ? null : dollars
}

import type { ServedTimes, Usage } from '../facts.ts'
import { isRecord } from '../message.ts'

/**
 * Reads the usage of any provider or library: OpenAI chat and responses, Anthropic, Gemini, DeepSeek, Bedrock, OpenRouter, Ollama, the AI SDK,
 * LangChain, agents' logs, and its own output. Null if it has no input count. Never throws.
 */
export function normaliseUsage(raw: unknown): Usage | null {
  let current = raw
  for (let depth = 0; depth < 3 && isRecord(current); depth += 1) {
    for (const read of readers) {
      const usage = read(current)
      if (usage !== null) return withTimes(usage, current, raw)
    }
    current = wrappers.map((name) => (current as Fields)[name]).find(isRecord)
  }
  return null
}

/** Servers write their times next to the usage, the AI SDK what it got under `raw`, and Plimsoll into it. */
function withTimes(usage: Usage, ...places: readonly unknown[]): Usage {
  for (const place of places) {
    if (!isRecord(place)) continue
    const times = timesIn(place, usage) ?? (isRecord(place['raw']) ? timesIn(place['raw'], usage) : undefined)
    if (times !== undefined) return { ...usage, times }
  }
  return usage
}

/** The times that llama.cpp reports next to the usage (`timings`), and vLLM with `--enable-per-request-metrics` (`metrics`). */
function timesIn(fields: Fields, { input, cacheRead }: Usage): ServedTimes | undefined {
  const [timings, metrics, own] = [fields['timings'], fields['metrics'], fields['times']].map(
    (value): Fields => (isRecord(value) ? value : {}),
  ) as [Fields, Fields, Fields]
  const from = (prefilled: unknown, prefillMs: unknown, decodeMs: unknown) =>
    [prefilled, prefillMs, decodeMs].every(isTime) ? ({ prefilled, prefillMs, decodeMs } as ServedTimes) : undefined
  return (
    from(timings['prompt_n'], timings['prompt_ms'], timings['predicted_ms']) ??
    // It may not report what it read from its cache; then it is unknown how much it prefilled.
    (cacheRead > 0 ? from(input, metrics['time_to_first_token_ms'], metrics['generation_time_ms']) : undefined) ??
    from(own['prefilled'], own['prefillMs'], own['decodeMs'])
  )
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= maxTime
}

const maxTime = 1e9

export function promptTotal({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite
}

/** All input, cached or not, and output. */
export function usageTotal(usage: Usage): number {
  return promptTotal(usage) + usage.output
}

/** No request has more; a larger number is a mistake or an attack. */
export const maxTokens = 1_000_000_000

type Fields = Readonly<Record<string, unknown>>

const wrappers = ['usage', 'usageMetadata', 'usage_metadata', 'tokens', 'response', 'message']

const readers: readonly ((fields: Fields) => Usage | null)[] = [
  readOwn,
  readModelLayer,
  readAiSdk,
  readBedrock,
  readOpenAiChat,
  readLangChain,
  readResponses,
  readAnthropic,
  readGemini,
  readGeminiLog,
  readOlderAiSdk,
  readOllama,
]

function readOwn(fields: Fields): Usage | null {
  if (!('cacheRead' in fields || 'cacheWrite' in fields)) return null
  return beside(fields['input'], fields['cacheRead'], fields['cacheWrite'], fields['output'], fields['cacheWriteHour'])
}

/** A provider under the AI SDK: `inputTokens: { total, noCache, cacheRead, cacheWrite }`. */
function readModelLayer({ inputTokens, outputTokens, raw }: Fields): Usage | null {
  if (!isRecord(inputTokens)) return null
  const output = isRecord(outputTokens) ? (count(outputTokens['total']) ?? sum(outputTokens, 'text', 'reasoning')) : outputTokens
  const { total, noCache, cacheRead, cacheWrite } = inputTokens
  const hour = isRecord(raw) ? hourIn(raw) : null
  return count(noCache) === null
    ? within(total, cacheRead, cacheWrite, output)
    : beside(noCache, cacheRead, cacheWrite, output, hour)
}

function readAiSdk({ inputTokens, inputTokenDetails, cachedInputTokens, outputTokens }: Fields): Usage | null {
  if (!isRecord(inputTokenDetails))
    return count(cachedInputTokens) === null ? null : within(inputTokens, cachedInputTokens, 0, outputTokens)
  const { noCacheTokens, cacheReadTokens, cacheWriteTokens } = inputTokenDetails
  return count(noCacheTokens) === null
    ? within(inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens)
    : beside(noCacheTokens, cacheReadTokens, cacheWriteTokens, outputTokens)
}

function readBedrock(fields: Fields): Usage | null {
  const read = fields['cacheReadInputTokens'] ?? fields['cacheReadInputTokenCount']
  const write = fields['cacheWriteInputTokens'] ?? fields['cacheWriteInputTokenCount']
  return beside(fields['inputTokens'], read, write, fields['outputTokens'])
}

/** All providers of this format include cached tokens in `prompt_tokens`, and name them in one of several places. */
function readOpenAiChat(fields: Fields): Usage | null {
  const details = isRecord(fields['prompt_tokens_details']) ? fields['prompt_tokens_details'] : {}
  const read = firstCount(
    details['cached_tokens'],
    fields['prompt_cache_hit_tokens'],
    fields['cached_tokens'],
    fields['cache_read_input_tokens'],
  )
  const write = firstCount(details['cache_write_tokens'], details['cache_creation_tokens'], fields['cache_creation_input_tokens'])
  const prompt = count(fields['prompt_tokens']) ?? sum(fields, 'prompt_cache_hit_tokens', 'prompt_cache_miss_tokens')
  return within(prompt, read, write, fields['completion_tokens'])
}

/** LangChain's `usage_metadata` for any provider: input includes cached tokens. */
function readLangChain({ input_tokens, output_tokens, input_token_details }: Fields): Usage | null {
  if (!isRecord(input_token_details)) return null
  return within(input_tokens, input_token_details['cache_read'], input_token_details['cache_creation'], output_tokens)
}

/** OpenAI's responses and the logs of agents built on them: input includes cached tokens. */
function readResponses(fields: Fields): Usage | null {
  const details = fields['input_tokens_details']
  const read = firstCount(isRecord(details) ? details['cached_tokens'] : null, fields['cached_input_tokens'])
  if (!isRecord(details) && read === null) return null
  const write = firstCount(isRecord(details) ? details['cache_write_tokens'] : null, fields['cache_write_input_tokens'])
  return within(fields['input_tokens'], read, write, fields['output_tokens'])
}

/** Anthropic: input excludes cached tokens. */
function readAnthropic(fields: Fields): Usage | null {
  const written = fields['cache_creation']
  const write =
    count(fields['cache_creation_input_tokens']) ??
    (isRecord(written) ? sum(written, 'ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens') : null)
  return beside(fields['input_tokens'], fields['cache_read_input_tokens'], write, fields['output_tokens'], hourIn(fields))
}

function hourIn({ cache_creation: written }: Fields): unknown {
  return isRecord(written) ? written['ephemeral_1h_input_tokens'] : null
}

/** Gemini: the answer excludes reasoning, and the prompt excludes what its own tools read. */
function readGemini(fields: Fields): Usage | null {
  const prompt = sum(fields, 'promptTokenCount', 'toolUsePromptTokenCount')
  if (count(fields['promptTokenCount']) === null) return null
  return within(prompt, fields['cachedContentTokenCount'], 0, sum(fields, 'candidatesTokenCount', 'thoughtsTokenCount'))
}

function readGeminiLog(fields: Fields): Usage | null {
  if (count(fields['input']) === null) return null
  return within(sum(fields, 'input', 'tool'), fields['cached'], 0, sum(fields, 'output', 'thoughts'))
}

function readOlderAiSdk(fields: Fields): Usage | null {
  return within(fields['promptTokens'], fields['cachedPromptTokens'], 0, fields['completionTokens'])
}

function readOllama(fields: Fields): Usage | null {
  return beside(fields['prompt_eval_count'], 0, 0, fields['eval_count'])
}

function beside(input: unknown, read: unknown, write: unknown, output: unknown, hour?: unknown): Usage | null {
  const fresh = count(input)
  if (fresh === null) return null
  const cacheWrite = count(write) ?? 0
  const cacheWriteHour = Math.min(count(hour) ?? 0, cacheWrite)
  return {
    input: fresh,
    cacheRead: count(read) ?? 0,
    cacheWrite,
    ...(cacheWriteHour === 0 ? {} : { cacheWriteHour }),
    output: count(output) ?? 0,
  }
}

/** Input includes cached tokens; if they exceed it, a relay has already subtracted them. */
function within(total: unknown, read: unknown, write: unknown, output: unknown): Usage | null {
  const whole = count(total)
  if (whole === null) return null
  const cached = (count(read) ?? 0) + (count(write) ?? 0)
  return beside(cached > whole ? whole : whole - cached, read, write, output)
}

/** Null for anything that cannot be a token count. Some relays write numbers as text. */
function count(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number >= 0 && number <= maxTokens ? Math.round(number) : null
}

function firstCount(...values: readonly unknown[]): number | null {
  for (const value of values) {
    const number = count(value)
    if (number !== null) return number
  }
  return null
}

function sum(fields: Fields, ...names: readonly string[]): number | null {
  const counts = names.flatMap((name) => count(fields[name]) ?? [])
  return counts.length === 0 ? null : counts.reduce((total, number) => total + number, 0)
}

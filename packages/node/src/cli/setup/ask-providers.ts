import type { Config } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import type { WireDialect } from '../../store/gateway-record.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import type { GatewayPlace } from '../gateway/gateway-place.ts'
import { openGateway } from '../gateway/open-gateway.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { grouped } from '../terminal/format.ts'
import { type DoctorCheck, note, well, wrong } from './check-machine.ts'

/** Sends one real request of a few tokens through a gateway of its own to each provider whose key is in the environment. */
export async function askProviders(
  { place, config, model }: { readonly place: GatewayPlace; readonly config: Config; readonly model: string | null },
  io: CommandIo,
  strings: Strings,
): Promise<readonly DoctorCheck[]> {
  const { doctor } = strings.gateway
  const providers = asked.flatMap((provider) => {
    const key = provider.variables.map((name) => (io.environment[name] ?? '').trim()).find((value) => value !== '')
    const meant = model !== null && provider.names.test(model) ? model : provider.model
    return key === undefined || (model !== null && meant !== model) ? [] : [{ ...provider, key, model: meant }]
  })
  if (providers.length === 0) return [note('live', doctor.noKey)]
  const gateway = await openGateway({
    place: { ...place, host: '127.0.0.1', ports: [0], isPublic: false, token: null, mode: 'observe', log: 'silent' },
    config,
    isWindowSet: false,
    io,
    strings,
  })
  try {
    const checks: DoctorCheck[] = []
    for (const provider of providers) checks.push(await ask(provider, gateway.address, doctor))
    return checks
  } finally {
    await gateway.close()
  }
}

interface Asked {
  readonly dialect: WireDialect
  readonly variables: readonly string[]
  /** The cheapest that is known, where nobody names one. */
  readonly model: string
  /** What its models are called. */
  readonly names: RegExp
  readonly headers: (key: string) => Readonly<Record<string, string>>
  readonly path: (model: string) => string
  readonly body: (model: string) => unknown
  readonly usage: (answer: Readonly<Record<string, unknown>>) => readonly [input: unknown, output: unknown]
}

const asked: readonly Asked[] = [
  {
    dialect: 'anthropic',
    variables: ['ANTHROPIC_API_KEY'],
    model: 'claude-haiku-4-5',
    names: /^claude/,
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    path: () => '/v1/messages',
    body: (model) => ({ model, max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] }),
    usage: ({ usage }) => (isRecord(usage) ? [usage['input_tokens'], usage['output_tokens']] : [null, null]),
  },
  {
    dialect: 'openai-chat',
    variables: ['OPENAI_API_KEY'],
    model: 'gpt-4.1-nano',
    names: /^(?!claude|gemini)/,
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    path: () => '/v1/chat/completions',
    body: (model) => ({ model, max_completion_tokens: 1, messages: [{ role: 'user', content: 'hi' }] }),
    usage: ({ usage }) => (isRecord(usage) ? [usage['prompt_tokens'], usage['completion_tokens']] : [null, null]),
  },
  {
    dialect: 'gemini',
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    model: 'gemini-2.5-flash-lite',
    names: /^gemini/,
    headers: (key) => ({ 'x-goog-api-key': key }),
    path: (model) => `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 1 } }),
    usage: ({ usageMetadata }) =>
      isRecord(usageMetadata) ? [usageMetadata['promptTokenCount'], usageMetadata['candidatesTokenCount'] ?? 0] : [null, null],
  },
]

async function ask(
  provider: Asked & { readonly key: string },
  address: string,
  strings: Strings['gateway']['doctor'],
): Promise<DoctorCheck> {
  const { dialect, model } = provider
  const name = `live:${dialect}`
  try {
    const answer = await fetch(`${address}${provider.path(model)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...provider.headers(provider.key) },
      body: JSON.stringify(provider.body(model)),
      signal: AbortSignal.timeout(60_000),
    })
    const text = (await answer.text()).slice(0, 1_000_000)
    if (answer.status !== 200) return wrong(name, strings.liveFailed(dialect, String(answer.status)), strings.checkKey)
    const value: unknown = JSON.parse(text)
    const [input, output] = isRecord(value) ? provider.usage(value) : [null, null]
    return well(name, strings.live(dialect, cleanText(model), count(input), count(output)))
  } catch (error) {
    return wrong(name, strings.liveFailed(dialect, error instanceof Error ? error.name : '?'), strings.checkKey)
  }
}

function count(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value) ? grouped(value) : '?'
}

import { type Config, defaultConfig } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import { isUpstreamAddress } from '../../config/upstream-address.ts'
import { redactSecrets } from '../../shared/redact/redact.ts'
import { type Strings, stringsFor } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo, EndedWith, environmentLocale } from '../command-io.ts'
import { type GatewayPlace, gatewayPlace } from '../gateway/gateway-place.ts'
import { openGateway } from '../gateway/open-gateway.ts'
import { readSettings } from '../settings.ts'
import { type ColourOptions, type Paint, paintFor } from '../terminal/screen.ts'
import { cleanText, grouped, quotedText } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'
import {
  checkFolder,
  checkNode,
  checkPort,
  checkStore,
  checkWindows,
  type DoctorCheck,
  note,
  well,
  wrong,
} from './check-machine.ts'
import { proveBytes } from './prove-bytes.ts'

export interface DoctorOptions extends ColourOptions {
  readonly url?: string
  readonly upstream?: readonly string[]
  readonly unencrypted?: boolean
  readonly store?: string
  readonly model?: string
  readonly live?: boolean
  readonly json?: boolean
}

/**
 * Checks everything that a gateway needs, proves what it does to requests, and gives advice. Throws `EndedWith` if something is
 * wrong.
 */
export async function doctorCommand(options: DoctorOptions, io: CommandIo): Promise<void> {
  const { checks, strings } = await examine(options, io)
  const problems = checks.filter(({ state }) => state === 'problem').length
  if (options.json === true) writeJson({ isWell: problems === 0, checks }, 'doctor', strings, io.stdout)
  else {
    const { doctor } = strings.gateway
    const paint = paintFor(io.stdout, options, io)
    for (const check of checks) io.stdout.write(`${lineOf(check, doctor, paint)}\n`)
    io.stdout.write(`${problems === 0 ? doctor.allWell : doctor.problems(String(problems))}\n`)
  }
  if (problems > 0) throw new EndedWith(1)
}

async function examine(options: DoctorOptions, io: CommandIo) {
  const { settings, problem } = await settingsOf(options, io)
  const strings = settings?.strings ?? stringsFor(options.json === true ? null : environmentLocale(io.environment))
  const { doctor } = strings.gateway
  const config = settings?.config ?? defaultConfig
  const url = options.url?.replace(/(?<!\/)\/+$/, '')
  if (url !== undefined && !isUpstreamAddress(url))
    throw new CommandError(strings.gateway.badUpstream(quotedText(options.url)).replace('--upstream', '--url'), 2)
  const { upstream, unencrypted, store } = options
  const flags = {
    public: true,
    token: 'x'.repeat(16),
    ...(upstream === undefined ? {} : { upstream }),
    ...(unencrypted === undefined ? {} : { unencrypted }),
    ...(store === undefined ? {} : { store }),
  }
  const place = gatewayPlace(flags, config.gateway, io, strings)
  const model = options.model ?? null
  const checks = [
    checkNode(process.versions.node, strings),
    problem === null ? well('config', doctor.config) : wrong('config', `${doctor.badConfig}\n${problem}`, doctor.fixConfig),
    checkFolder(io, strings),
    await checkStore(place.store, io, strings),
    await checkPort(place, url, strings),
    ...(await proveBytes(config, io, strings)),
    ...(options.live === true ? await askProviders({ place, config, model }, io, strings) : []),
    ...(await checkWindows({ model, location: place.store, config }, io, strings)),
  ]
  return { checks: checks.map(withoutSecrets), strings }
}

/** What doctor says is pasted into reports. */
function withoutSecrets({ text, advice, ...check }: DoctorCheck): DoctorCheck {
  return { ...check, text: redactSecrets(text), advice: advice === null ? null : redactSecrets(advice) }
}

/** An invalid configuration is one more problem, and the rest is checked nevertheless. */
async function settingsOf(options: DoctorOptions, io: CommandIo) {
  try {
    return { settings: await readSettings({ json: options.json === true }, io), problem: null }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { settings: null, problem: error.message }
  }
}

function lineOf({ state, text, advice }: DoctorCheck, strings: Strings['gateway']['doctor'], paint: Paint): string {
  const marks = { ok: paint('good', strings.ok), problem: paint('error', strings.problem), note: paint('dim', strings.note) }
  const [first = '', ...more] = text.split('\n')
  return [`${marks[state]}  ${first}`, ...[...more, ...(advice === null ? [] : [advice])].map((line) => `    ${line}`)].join('\n')
}

/** Sends one real request of a few tokens through its own gateway to each provider whose key is in the environment. */
async function askProviders(
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

type Fields = Readonly<Record<string, unknown>>

const asked = [
  {
    dialect: 'anthropic',
    variables: ['ANTHROPIC_API_KEY'],
    model: 'claude-haiku-4-5',
    names: /^claude/,
    headers: (key: string) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    path: () => '/v1/messages',
    body: (model: string) => ({ model, max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] }),
    usage: ({ usage }: Fields) => (isRecord(usage) ? [usage['input_tokens'], usage['output_tokens']] : [null, null]),
  },
  {
    dialect: 'openai-chat',
    variables: ['OPENAI_API_KEY'],
    model: 'gpt-4.1-nano',
    names: /^(?!claude|gemini)/,
    headers: (key: string) => ({ authorization: `Bearer ${key}` }),
    path: () => '/v1/chat/completions',
    body: (model: string) => ({ model, max_completion_tokens: 1, messages: [{ role: 'user', content: 'hi' }] }),
    usage: ({ usage }: Fields) => (isRecord(usage) ? [usage['prompt_tokens'], usage['completion_tokens']] : [null, null]),
  },
  {
    dialect: 'gemini',
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    model: 'gemini-2.5-flash-lite',
    names: /^gemini/,
    headers: (key: string) => ({ 'x-goog-api-key': key }),
    path: (model: string) => `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 1 } }),
    usage: ({ usageMetadata }: Fields) =>
      isRecord(usageMetadata) ? [usageMetadata['promptTokenCount'], usageMetadata['candidatesTokenCount'] ?? 0] : [null, null],
  },
]

async function ask(
  provider: (typeof asked)[number] & { readonly key: string },
  address: string,
  strings: Strings['gateway']['doctor'],
) {
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

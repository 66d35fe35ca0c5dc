import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { GatewaySettings } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import { homeFolder } from '../../config/home-folder.ts'
import { isUpstreamAddress } from '../../config/upstream-address.ts'
import type { CommandIo } from '../command-io.ts'
import { parseAgentJson } from './agent-json.ts'
import { isCopilotAnthropic, type WiredAgent } from './agent-wiring.ts'

export interface ChosenUpstream {
  /** Without the version that its paths begin with. */
  readonly url: string
  /** The path between the gateway's address and the paths that a client adds itself. */
  readonly path: string
  /** The user's variable that sets it; null for the settings. */
  readonly variable: string | null
}

export type ChosenUpstreams = Readonly<Record<keyof GatewaySettings['upstreams'], ChosenUpstream>>

/** Finds where an agent's requests would go without a gateway: the usual variables count if they hold a valid address, and before them the agent's own. */
export function ownUpstreams(
  settings: GatewaySettings['upstreams'],
  environment: Readonly<Record<string, string | undefined>>,
  agent: WiredAgent | null = null,
): ChosenUpstreams {
  const copilot = agent !== 'copilot' ? null : isCopilotAnthropic(environment) ? 'anthropic' : 'openai'
  const own = (company: string) => (company === copilot ? ['COPILOT_PROVIDER_BASE_URL'] : [])
  const chosen = (configured: string, path: string, variables: readonly string[]): ChosenUpstream => {
    for (const variable of variables) {
      const address = (environment[variable] ?? '').trim().replace(/(?<!\/)\/+$/, '')
      if (address === '' || !isUpstreamAddress(address)) continue
      // A client adds the same paths to the gateway's address as to this one.
      const version = /\/v1(?:beta)?$/.exec(address)?.[0] ?? ''
      return { url: address.slice(0, address.length - version.length), path: version, variable }
    }
    return { url: configured, path, variable: null }
  }
  return {
    anthropic: chosen(settings.anthropic, '', [...own('anthropic'), 'ANTHROPIC_BASE_URL', 'ANTHROPIC_API_BASE']),
    openai: chosen(settings.openai, '/v1', [...own('openai'), 'OPENAI_BASE_URL', 'OPENAI_API_BASE']),
    gemini: chosen(settings.gemini, '', ['GOOGLE_GEMINI_BASE_URL']),
  }
}

/** An account of ChatGPT uses another service than a key for OpenAI's API. */
type CodexLogin = 'none' | 'key' | 'chatgpt'

/** Looks up which kind of login Codex has. Nothing else is read from its file. */
export function codexLogin(environment: Readonly<Record<string, string | undefined>>): CodexLogin {
  const given = environment['CODEX_HOME'] ?? ''
  const home = homeFolder(environment)
  const folder = isAbsolute(given) ? given : home === null ? null : join(home, '.codex')
  if (folder === null) return 'none'
  try {
    const login = parseAgentJson(readAgentSettings(join(folder, 'auth.json')))
    if (!isRecord(login)) return 'none'
    const mode = typeof login['auth_mode'] === 'string' ? login['auth_mode'].toLowerCase() : ''
    if (mode === 'chatgpt' || (mode === '' && isRecord(login['tokens']))) return 'chatgpt'
    return (login['OPENAI_API_KEY'] ?? '') === '' ? 'none' : 'key'
  } catch {
    return 'none'
  }
}

const largest = 1_000_000

/**
 * The text of a file of an agent's settings; empty if it is no file or too large. Throws if it cannot be read. A cloned repository may have a link to a
 * device there, or a pipe, which would never end.
 */
export function readAgentSettings(path: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = fstatSync(file)
    return found.isFile() && found.size <= largest ? readFileSync(file, 'utf8') : ''
  } finally {
    closeSync(file)
  }
}

/** Whether a login was ever chosen in Gemini CLI. Before that, it takes the address of a gateway for an unknown way to log in. */
export function hasGeminiLogin(io: Pick<CommandIo, 'environment' | 'folder'>): boolean {
  return geminiSettings(io).some((text) => /"selectedType"\s{0,100}:\s{0,100}"/.test(text))
}

/** Whether Gemini CLI has the tool server for recall: it takes servers from its settings alone. */
export function hasGeminiRecall(io: Pick<CommandIo, 'environment' | 'folder'>): boolean {
  return geminiSettings(io).some((text) => text.includes('"mcpServers"') && text.includes('plimsoll'))
}

/** Users write comments into these files, which JSON does not allow; single words of them are enough. */
function geminiSettings({ environment, folder }: Pick<CommandIo, 'environment' | 'folder'>): readonly string[] {
  const home = homeFolder(environment)
  return [folder, ...(home === null ? [] : [home])].flatMap((place) => {
    try {
      return [readAgentSettings(join(place, '.gemini', 'settings.json'))]
    } catch {
      return []
    }
  })
}

/** Copilot CLI uses a provider of one's own only if a model is named. */
export function hasCopilotModel(environment: Readonly<Record<string, string | undefined>>): boolean {
  return [environment['COPILOT_MODEL'], environment['COPILOT_PROVIDER_MODEL_ID']].some(isSet)
}

/**
 * The variables by which an agent behind a proxy reaches a gateway on this machine directly: a proxy elsewhere could not reach it,
 * and would see every request. Empty if no proxy is set; the user's own exceptions stay.
 */
export function loopbackPastProxies(environment: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  if (!proxyNames.some((name) => isSet(environment[name]) || isSet(environment[name.toLowerCase()]))) return {}
  const own = [environment['NO_PROXY'], environment['no_proxy']].find(isSet)?.trim()
  if (own === '*') return {}
  const value = [...(own === undefined ? [] : [own]), '127.0.0.1', 'localhost'].join(',')
  // Programs read the one or the other.
  return { NO_PROXY: value, no_proxy: value }
}

const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== ''
}

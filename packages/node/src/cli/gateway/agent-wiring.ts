import { fileURLToPath } from 'node:url'
import { isRecord } from '@plimsoll/core/text'
import { parseAgentJson } from './agent-json.ts'

/** An agent, or everything that uses one company's library. */
export type WiredAgent = (typeof wiredAgents)[number]

export const wiredAgents = [
  'claude',
  'codex',
  'gemini',
  'opencode',
  'copilot',
  'qwen',
  'pi',
  'aider',
  'openai',
  'anthropic',
] as const

/** The settings by which an agent talks to a gateway. */
export interface Wiring {
  readonly variables: Readonly<Record<string, string>>
  /** Arguments before its own. */
  readonly arguments: readonly string[]
}

export interface WiringFacts {
  readonly address: string
  /** The path between the address and the paths that a client adds itself, by company. */
  readonly paths: { readonly anthropic: string; readonly openai: string; readonly gemini: string }
  /** Whether requests of Claude Code reach Anthropic itself; and if so, byte for byte. */
  readonly isAnthropic: boolean
  readonly isAnthropicUnchanged: boolean
  /** Whether Codex has its own login; otherwise it takes the key from `OPENAI_API_KEY`. */
  readonly hasCodexLogin: boolean
  /** The command that serves recall to the agent's model. Default: none, and nothing is trimmed, or the user adds it. */
  readonly recall?: readonly [command: string, ...args: readonly string[]]
  /** The file of the extension by which pi takes the gateway's address. */
  readonly piExtension: string
  /** `OPENCODE_CONFIG_CONTENT` and `ENABLE_TOOL_SEARCH` are kept, and `COPILOT_PROVIDER_TYPE` obeyed. Nothing else is read. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Wires one agent; null sets all variables that any of them reads. */
export function wireAgent(agent: WiredAgent | null, facts: WiringFacts): Wiring {
  if (agent === 'codex') return { variables: {}, arguments: codexArguments(facts) }
  const args = agent === 'pi' ? ['--extension', facts.piExtension] : agent === null ? [] : recallArguments(agent, facts)
  return { variables: variablesOf(agent, facts), arguments: args }
}

/** Options for more MCP servers. In one word with its value: some take several, and would take the prompt for one. */
const recallOptions: Partial<Record<WiredAgent, string>> = {
  claude: '--mcp-config',
  qwen: '--mcp-config',
  copilot: '--additional-mcp-config',
}

function recallArguments(agent: WiredAgent, { recall }: WiringFacts): readonly string[] {
  const option = recallOptions[agent]
  if (recall === undefined || option === undefined) return []
  const [command, ...args] = recall
  // Copilot offers the model only the tools that are named.
  const tools = agent === 'copilot' ? { tools: ['*'] } : {}
  return [`${option}=${JSON.stringify({ mcpServers: { plimsoll: { command, args, ...tools } } })}`]
}

function variablesOf(agent: Exclude<WiredAgent, 'codex'> | null, facts: WiringFacts): Wiring['variables'] {
  const { address, paths, recall } = facts
  const anthropic = `${address}${paths.anthropic}`
  const openai = `${address}${paths.openai}`
  const variables = {
    claude: claudeVariables(facts),
    gemini: { GOOGLE_GEMINI_BASE_URL: `${address}${paths.gemini}` },
    opencode: { OPENCODE_CONFIG_CONTENT: opencodeSettings(facts) },
    copilot: { COPILOT_PROVIDER_BASE_URL: isCopilotAnthropic(facts.environment) ? anthropic : openai },
    qwen: { OPENAI_BASE_URL: openai, ANTHROPIC_BASE_URL: anthropic },
    pi: { [piVariable]: address, ...(recall === undefined ? {} : { [piRecall]: JSON.stringify(recall) }) },
    // Its library takes the newer names first.
    aider: {
      OPENAI_API_BASE: openai,
      OPENAI_BASE_URL: openai,
      ANTHROPIC_API_BASE: anthropic,
      ANTHROPIC_BASE_URL: anthropic,
    },
    openai: { OPENAI_BASE_URL: openai },
    anthropic: { ANTHROPIC_BASE_URL: anthropic },
  }
  if (agent !== null) return variables[agent]
  // Copilot leaves its subscription for the address, and pi's variable is for our extension.
  const { claude: _claude, copilot: _copilot, pi: _pi, ...all } = variables
  return Object.assign({}, ...Object.values(all)) as Wiring['variables']
}

/** Read by the extension of pi that this package has. */
const piVariable = 'PLIMSOLL_GATEWAY_URL'
const piRecall = 'PLIMSOLL_RECALL'

/** In the built package, also for sources. */
export const piExtension = fileURLToPath(new URL('../../../dist/bundled/pi-gateway.js', import.meta.url))

/** Copilot CLI talks to one provider, in OpenAI's format unless the user has chosen another. */
export function isCopilotAnthropic(environment: WiringFacts['environment']): boolean {
  return environment['COPILOT_PROVIDER_TYPE']?.trim().toLowerCase() === 'anthropic'
}

/** Finds the agent by the name of its program; null for an unknown one. */
export function agentOf(command: string): WiredAgent | null {
  const name = programName(command)
  return agentPrograms.find((agent) => agent === name) ?? null
}

/** The name of a program without its folder and ending, in small letters: Windows and macOS find it by any. */
export function programName(command: string): string {
  const name = command.split(/[/\\]/).at(-1) ?? ''
  return name.toLowerCase().replace(/\.(?:exe|cmd|bat|js|mjs)$/, '')
}

const agentPrograms: readonly WiredAgent[] = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen', 'pi', 'aider']

/**
 * At an unknown address, Claude Code assumes smaller windows and omits features. The variable makes it treat the address as
 * Anthropic's. It is not set if requests may be changed, because Claude Code then adds a checksum that would be wrong. Then it would send the definitions of all MCP tools with
 * each request, instead of those that the model asks for; the second variable keeps that. An upstream that is not Anthropic may not know `tool_reference`.
 */
function claudeVariables(facts: WiringFacts): Wiring['variables'] {
  const { address, paths, isAnthropic, isAnthropicUnchanged, environment } = facts
  const own = environment['ENABLE_TOOL_SEARCH']
  return {
    ANTHROPIC_BASE_URL: `${address}${paths.anthropic}`,
    ...(isAnthropicUnchanged ? { _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL: '1' } : {}),
    ...(isAnthropic && !isAnthropicUnchanged && own === undefined ? { ENABLE_TOOL_SEARCH: 'true' } : {}),
  }
}

/** Codex reads no variable for the address of its model; a provider on its command line changes no file. */
function codexArguments({ address, paths, hasCodexLogin, recall }: WiringFacts): readonly string[] {
  const key = hasCodexLogin ? 'requires_openai_auth=true' : 'env_key="OPENAI_API_KEY"'
  const provider = `{name="Plimsoll",base_url="${address}${paths.openai}",wire_api="responses",${key}}`
  const wired = ['-c', 'model_provider="plimsoll"', '-c', `model_providers.plimsoll=${provider}`]
  if (recall === undefined) return wired
  const [command, ...args] = recall
  // A text of JSON is one of TOML.
  return [...wired, '-c', `mcp_servers.plimsoll={command=${JSON.stringify(command)},args=${JSON.stringify(args)}}`]
}

/** Adds the addresses of all providers, and recall, to the user's own variable. */
function opencodeSettings({ address, paths, environment, recall }: WiringFacts): string {
  const own = parsed(environment['OPENCODE_CONFIG_CONTENT'] ?? '')
  const providers = isRecord(own['provider']) ? own['provider'] : {}
  const addresses = { anthropic: `${address}/v1`, openai: `${address}${paths.openai}`, google: `${address}/v1beta` }
  const wired = Object.entries(addresses).map(([name, baseURL]) => {
    const provider = isRecord(providers[name]) ? providers[name] : {}
    const options = isRecord(provider['options']) ? provider['options'] : {}
    return [name, { ...provider, options: { ...options, baseURL } }]
  })
  const servers = isRecord(own['mcp']) ? own['mcp'] : {}
  const mcp = recall === undefined ? {} : { mcp: { ...servers, plimsoll: { type: 'local', command: recall } } }
  return JSON.stringify({ ...own, provider: { ...providers, ...Object.fromEntries(wired) }, ...mcp })
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseAgentJson(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** `sh` stands for bash, zsh and all that understand it. */
export type Shell = (typeof shells)[number]

export const shells = ['sh', 'fish', 'powershell'] as const

export function exportLine(shell: Shell, name: string, value: string): string {
  const quoted = quote(shell, value)
  if (shell === 'fish') return `set -gx ${name} ${quoted}`
  return shell === 'powershell' ? `$env:${name} = ${quoted}` : `export ${name}=${quoted}`
}

export function unsetLine(shell: Shell, name: string): string {
  if (shell === 'fish') return `set -e ${name}`
  return shell === 'powershell' ? `Remove-Item -ErrorAction SilentlyContinue Env:${name}` : `unset ${name}`
}

/** Defines a function that runs a command with some arguments before its own. */
export function functionLine(shell: Shell, name: string, args: readonly string[]): string {
  const words = shell === 'powershell' ? args.map(singleQuoted) : args
  const quoted = words.map((word) => quote(shell, word)).join(' ')
  if (shell === 'fish') return `function ${name}; command ${name} ${quoted} $argv; end`
  if (shell === 'powershell')
    return `function ${name} { & (Get-Command -CommandType Application,ExternalScript ${name} | Select-Object -First 1) ${quoted} @args }`
  return `${name}() { command ${name} ${quoted} "$@"; }`
}

/** Windows PowerShell drops the double quotes inside an argument. TOML, the only one here that has some, takes single ones as well. */
function singleQuoted(word: string): string {
  return /['\\]/.test(word) ? word : word.replaceAll('"', "'")
}

export function unsetFunctionLine(shell: Shell, name: string): string {
  if (shell === 'fish') return `functions -e ${name}`
  return shell === 'powershell' ? `Remove-Item -ErrorAction SilentlyContinue Function:${name}` : `unset -f ${name}`
}

function quote(shell: Shell, text: string): string {
  if (shell !== 'powershell' && /^[\w./:@%+=,-]+$/.test(text)) return text
  if (shell === 'fish') return `'${text.replace(/[\\']/g, '\\$&')}'`
  return `'${text.replaceAll("'", shell === 'powershell' ? "''" : `'\\''`)}'`
}

export const shellNames = ['bash', 'zsh', 'fish'] as const

import { isRecord } from '@plimsoll/core/text'

/** What somebody points at a gateway: an agent, or everything that uses one company's library. */
export type WiredAgent = 'claude' | 'codex' | 'gemini' | 'opencode' | 'aider' | 'openai' | 'anthropic'

/** All of them. */
export const wiredAgents: readonly WiredAgent[] = ['claude', 'codex', 'gemini', 'opencode', 'aider', 'openai', 'anthropic']

/** What has to be said to an agent so that it talks to a gateway. */
export interface Wiring {
  readonly variables: Readonly<Record<string, string>>
  /** What has to stand in front of its own arguments. */
  readonly arguments: readonly string[]
}

/** What the wiring depends on. */
export interface WiringFacts {
  /** The gateway's, such as `http://127.0.0.1:7478`. */
  readonly address: string
  /** What stands between that and the paths that a client adds itself, by company. */
  readonly paths: { readonly anthropic: string; readonly openai: string; readonly gemini: string }
  /** Whether requests of Claude Code reach Anthropic itself, byte for byte. */
  readonly isAnthropicUnchanged: boolean
  /** Whether Codex brings its own login; else it takes the key from `OPENAI_API_KEY`. */
  readonly hasCodexLogin: boolean
  /** What the user has set already: only `OPENCODE_CONFIG_CONTENT` is read, and kept. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** How one agent is wired; null for all variables that any of them reads. */
export function wireAgent(agent: WiredAgent | null, facts: WiringFacts): Wiring {
  if (agent === 'codex') return { variables: {}, arguments: codexArguments(facts) }
  return { variables: variablesOf(agent, facts), arguments: [] }
}

function variablesOf(agent: Exclude<WiredAgent, 'codex'> | null, facts: WiringFacts): Wiring['variables'] {
  const { address, paths } = facts
  const anthropic = `${address}${paths.anthropic}`
  const openai = `${address}${paths.openai}`
  const gemini = { GOOGLE_GEMINI_BASE_URL: `${address}${paths.gemini}` }
  const opencode = () => ({ OPENCODE_CONFIG_CONTENT: opencodeSettings(facts) })
  switch (agent) {
    case 'claude':
      return claudeVariables(facts)
    case 'gemini':
      return gemini
    case 'opencode':
      return opencode()
    case 'aider':
      return { OPENAI_API_BASE: openai, ANTHROPIC_API_BASE: anthropic }
    case 'openai':
      return { OPENAI_BASE_URL: openai }
    case 'anthropic':
      return { ANTHROPIC_BASE_URL: anthropic }
    case null:
      return {
        ANTHROPIC_BASE_URL: anthropic,
        ANTHROPIC_API_BASE: anthropic,
        OPENAI_BASE_URL: openai,
        OPENAI_API_BASE: openai,
        ...gemini,
        ...opencode(),
      }
  }
}

/** The agent that a command is, by the name of its program; null for one that nothing is known about. */
export function agentOf(command: string): WiredAgent | null {
  const name = command.replace(/^.*[/\\]/s, '').replace(/\.(?:exe|cmd|bat|js|mjs)$/i, '')
  return agentPrograms.find((agent) => agent === name) ?? null
}

const agentPrograms: readonly WiredAgent[] = ['claude', 'codex', 'gemini', 'opencode', 'aider']

/**
 * At an address that it does not know, Claude Code takes windows for smaller than they are and leaves out features. It can be told that
 * Anthropic stands behind it. Where requests may be changed it is not told so: it then adds a checksum that would no longer be right.
 */
function claudeVariables({ address, paths, isAnthropicUnchanged }: WiringFacts): Wiring['variables'] {
  return {
    ANTHROPIC_BASE_URL: `${address}${paths.anthropic}`,
    ...(isAnthropicUnchanged ? { _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL: '1' } : {}),
  }
}

/** Codex reads no variable for the address of its model; a provider of our own, on its command line, changes no file. */
function codexArguments({ address, paths, hasCodexLogin }: WiringFacts): readonly string[] {
  const key = hasCodexLogin ? 'requires_openai_auth=true' : 'env_key="OPENAI_API_KEY"'
  const provider = `{name="Plimsoll",base_url="${address}${paths.openai}",wire_api="responses",${key}}`
  return ['-c', 'model_provider="plimsoll"', '-c', `model_providers.plimsoll=${provider}`]
}

/** The addresses of all providers that opencode has, over whatever the user's own variable says. */
function opencodeSettings({ address, paths, environment }: WiringFacts): string {
  const own = parsed(environment['OPENCODE_CONFIG_CONTENT'] ?? '')
  const providers = isRecord(own['provider']) ? own['provider'] : {}
  const addresses = { anthropic: `${address}/v1`, openai: `${address}${paths.openai}`, google: `${address}/v1beta` }
  const wired = Object.entries(addresses).map(([name, baseURL]) => {
    const provider = isRecord(providers[name]) ? providers[name] : {}
    const options = isRecord(provider['options']) ? provider['options'] : {}
    return [name, { ...provider, options: { ...options, baseURL } }]
  })
  return JSON.stringify({ ...own, provider: { ...providers, ...Object.fromEntries(wired) } })
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** The shells whose language is spoken here; `sh` stands for bash, zsh and all that understand it. */
export type Shell = 'sh' | 'fish' | 'powershell'

/** All of them. */
export const shells: readonly Shell[] = ['sh', 'fish', 'powershell']

/** Sets a variable for everything that is started from here on. */
export function exportLine(shell: Shell, name: string, value: string): string {
  const quoted = quote(shell, value)
  if (shell === 'fish') return `set -gx ${name} ${quoted}`
  return shell === 'powershell' ? `$env:${name} = ${quoted}` : `export ${name}=${quoted}`
}

/** Takes a variable away. */
export function unsetLine(shell: Shell, name: string): string {
  if (shell === 'fish') return `set -e ${name}`
  return shell === 'powershell' ? `Remove-Item -ErrorAction SilentlyContinue Env:${name}` : `unset ${name}`
}

/** Makes a command say some words before its own. */
export function functionLine(shell: Shell, name: string, words: readonly string[]): string {
  const quoted = words.map((word) => quote(shell, word)).join(' ')
  if (shell === 'fish') return `function ${name}; command ${name} ${quoted} $argv; end`
  // The command itself, not this function once more.
  if (shell === 'powershell')
    return `function ${name} { & (Get-Command -CommandType Application,ExternalScript ${name} | Select-Object -First 1) ${quoted} @args }`
  return `${name}() { command ${name} ${quoted} "$@"; }`
}

/** Takes such a function away. */
export function unsetFunctionLine(shell: Shell, name: string): string {
  if (shell === 'fish') return `functions -e ${name}`
  return shell === 'powershell' ? `Remove-Item -ErrorAction SilentlyContinue Function:${name}` : `unset -f ${name}`
}

/** A text that a shell takes as it is, whatever is in it. */
function quote(shell: Shell, text: string): string {
  if (shell !== 'powershell' && /^[\w./:@%+=,-]+$/.test(text)) return text
  if (shell === 'fish') return `'${text.replace(/[\\']/g, '\\$&')}'`
  return `'${text.replaceAll("'", shell === 'powershell' ? "''" : `'\\''`)}'`
}

/** The shells that completion is written for. */
export const shellNames = ['bash', 'zsh', 'fish'] as const

/** One of them. */
export type CompletionShell = (typeof shellNames)[number]

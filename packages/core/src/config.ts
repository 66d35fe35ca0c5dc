import { perPair } from './derive.ts'
import { isRecord } from './message.ts'
import type { StringsName } from './strings/strings-for.ts'
import { describeValue } from './text/json.ts'

/** When edits take effect: at once, once they are worth rewriting the cache, or (`auto`) the latter if there is a cache. */
/** How long Anthropic keeps a prompt: five minutes, or an hour at a higher price. */
export type CacheLifetime = '5m' | '1h'

export type TimingName = 'immediate' | 'economic' | 'auto'

/** Settings of the gateway. Keys as in the YAML file. */
export interface GatewaySettings {
  readonly port: number
  readonly host: string
  readonly trim: TrimMode
  /** Where to send requests, by API format. */
  readonly upstreams: { readonly anthropic: string; readonly openai: string; readonly gemini: string }
  /** PostgreSQL URL or path of an SQLite file; null for a file in the state folder. */
  readonly store: string | null
  /** Whether to store all message texts, not only trimmed content. */
  readonly keep_text: boolean
  readonly keep_days: number
  /** How a model recalls trimmed content: with a tool, or by reading a file named in the shortened result. */
  readonly recall: 'handle' | 'file'
  /** Share of conversations left untouched for comparison. */
  readonly holdout: number
  /** Where `context_management` is handled: by the upstream (`pass`) or by the gateway; `auto` passes it only to providers known to do it. */
  readonly context_management: 'auto' | 'pass' | 'emulate'
  /** Whether prompts are sent again in pauses, with the keys of their clients, so that they stay cached. */
  readonly keep_cache_alive: boolean
  /** Seconds of silence in a response before a comment is sent; null for never. */
  readonly keep_alive_seconds: number | null
  readonly limits: {
    readonly max_body_mb: number
    readonly max_read_mb: number
    readonly max_header_kb: number
    readonly headers_seconds: number
    readonly body_seconds: number
    readonly connect_seconds: number
    readonly plan_milliseconds: number
    readonly max_connections: number
    readonly max_connections_per_client: number
    readonly max_buffered_mb: number
    readonly shutdown_seconds: number
  }
  readonly telemetry: {
    /** Where to send traces; null for nowhere. */
    readonly otlp_endpoint: string | null
  }
  readonly log: 'debug' | 'info' | 'warn' | 'silent'
}

export const defaultGatewaySettings: GatewaySettings = {
  port: 7478,
  host: '127.0.0.1',
  trim: 'observe',
  upstreams: {
    anthropic: 'https://api.anthropic.com',
    openai: 'https://api.openai.com',
    gemini: 'https://generativelanguage.googleapis.com',
  },
  store: null,
  keep_text: false,
  keep_days: 30,
  recall: 'handle',
  holdout: 0,
  context_management: 'auto',
  keep_cache_alive: false,
  keep_alive_seconds: null,
  limits: {
    max_body_mb: 64,
    max_read_mb: 32,
    max_header_kb: 64,
    headers_seconds: 30,
    body_seconds: 300,
    connect_seconds: 15,
    plan_milliseconds: 2000,
    max_connections: 1000,
    max_connections_per_client: 250,
    max_buffered_mb: 512,
    shutdown_seconds: 30,
  },
  telemetry: { otlp_endpoint: null },
  log: 'warn',
}

/** How an oversized result is shortened. `collapse` and `structured` go beyond the specification. */
export type TruncationStrategy = 'head_tail' | 'head_only' | 'summarize' | 'collapse' | 'structured'

/** Limits of one tool's output; missing ones come from `default`. */
export interface ToolLimits {
  readonly max_chars?: number
  /** Lines, or matches for search tools. */
  readonly max_lines?: number
  readonly truncation_strategy?: TruncationStrategy
  /** Lines of context after the last match shown, for search tools. */
  readonly show_context?: number
  /** Folder levels, for tools that list a repository. */
  readonly max_depth?: number
  readonly max_files?: number
}

/** Actions the agent takes without asking: read only (refusing or asking about the rest), edit files, or everything. */
export type PermissionMode = 'read-only' | 'ask' | 'accept-edits' | 'auto'

/** An MCP server: a command to run, or a URL. */
export interface McpServer {
  readonly command?: string
  readonly args?: readonly string[]
  /** Variables for the command, in addition to the basic ones every program gets. */
  readonly env?: Readonly<Record<string, string>>
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Tools that run without asking. Default: none. */
  readonly allow?: readonly string[]
  /** Default: 60. */
  readonly timeout_seconds?: number
  /** How much of the definitions of its tools is in every request. Default: `auto`. */
  readonly definitions?: 'auto' | 'short' | 'full'
}

export type ReasoningLevel = 'none' | 'low' | 'medium' | 'high'

/** User-provided facts about a model, which override the catalogue. */
export interface ModelOverride {
  readonly window?: number
  readonly output_limit?: number
  /** Whether to use tools through plain text, for models without tool calls. Default: false. */
  readonly text_tools?: boolean
  /** Default: the provider's own. */
  readonly reasoning?: ReasoningLevel
}

/** A price that the user sets, in dollars per million tokens. */
export interface OwnPrice {
  readonly input: number
  readonly cache_read?: number
  readonly cache_write?: number
  readonly cache_write_hour?: number
  readonly output: number
  /** In dollars per thousand searches. */
  readonly web_search?: number
}

/** The complete configuration. Keys as in the YAML file. */
export interface Config {
  /** A named set, or policy names in order. */
  readonly policies: 'spec' | 'digests' | 'economy' | readonly string[]
  /** The agent's model; null for one with an API key, else the offline model. */
  readonly model: string | null
  readonly models: Readonly<Record<string, ModelOverride>>
  /** By the name of a model, or a pattern of names with `*`. */
  readonly prices: Readonly<Record<string, OwnPrice>>
  readonly agent: {
    readonly mode: PermissionMode
    /** Maximum requests per turn. */
    readonly max_steps: number
    /** Maximum dollars per session; null for no limit. */
    readonly max_cost: number | null
  }
  readonly shell: {
    /** Default timeout of a command. */
    readonly timeout_seconds: number
    /** Maximum timeout a call may ask for. */
    readonly max_timeout_seconds: number
  }
  readonly images: {
    /** The model that generates images; null disables the tool. */
    readonly model: string | null
    /** The address of its service; null for that of the model's provider. */
    readonly url: string | null
    /** The model that expands a short description; null for the agent's own. */
    readonly expand_model: string | null
    /** Timeouts: through a proxy, directly, and for expanding the description. */
    readonly proxy_seconds: number
    readonly direct_seconds: number
    readonly expand_seconds: number
  }
  readonly mcp_servers: Readonly<Record<string, McpServer>>
  /** When edits to cached content take effect; null for the default: at once for a single view, `auto` for the agent. */
  readonly timing: TimingName | null
  /** How long the provider should keep the agent's prompts where that can be chosen; `auto` goes by earlier sessions. */
  readonly cache_lifetime: 'auto' | CacheLifetime
  /** Whether the agent repeats the last prompt while waiting for the user, to keep it cached. */
  readonly keep_alive: { readonly enabled: boolean; readonly max_cost: number }
  /** Dollars of all agents on this machine to warn at; null for no warning. */
  readonly budget: { readonly day: number | null; readonly week: number | null; readonly month: number | null }
  /** Tokens of the model's window, input and answer together. If it is not set, that of the model is used, if known. */
  readonly context_window: number
  /** Tokens kept free for the answer; null for the default of `outputReserve`. */
  readonly output_reserve: number | null
  /** Successful command output becomes one line once it is older than this and not among the latest results. Used by `trim-outdated-commands`. */
  readonly outdated_commands: { readonly after_minutes: number; readonly keep_recent: number; readonly stderr_is_error: boolean }
  /** How many of the latest reads of one file stay in full. Used by `trim-repeated-reads`. */
  readonly repeated_reads: {
    readonly keep_latest: number
    /** A file whose latest read is longer keeps proportionally fewer reads; null treats all files alike. */
    readonly large_file_chars: number | null
  }
  /** Text in place of a trimmed result: the specification's exactly, or with a hint of what it was and how to recall it (`actionable`). */
  readonly placeholder_style: 'exact' | 'actionable'
  /** Older rounds become a summary once this share of the window (`threshold`) is in use. `model` writes it; null is the conversation's own model. */
  readonly compaction: {
    readonly keep_rounds: number
    readonly threshold: number
    readonly min_messages: number
    readonly timeout_seconds: number
    readonly model: string | null
    readonly fallback: 'deterministic' | 'none'
    /** Tokens of user messages quoted in a summary; older ones are named by handle. */
    readonly instruction_tokens: number
    /** Tokens of all summaries together; beyond that the oldest are hidden. Null for no limit. */
    readonly max_summary_tokens: number | null
  }
  /** How much of an old result its digest shows. */
  readonly compression: {
    readonly list_entries: number
    readonly glob_entries: number
    readonly search_matches: number
    readonly read_lines: number
    readonly edit_lines: number
    readonly write_lines: number
    readonly stdout_head_lines: number
    readonly stdout_tail_lines: number
    readonly stdout_chars: number
    readonly stderr_lines: number
    readonly other_chars: number
  }
  /** Limits of a request besides tokens; null for none. */
  readonly request_limits: { readonly max_bytes: number | null; readonly max_images: number | null }
  readonly sessions: {
    /** Whether keys, tokens and passwords are redacted before storing. This cannot be undone. */
    readonly redact_secrets: boolean
  }
  readonly overflow: { readonly auto_recover: boolean }
  /** Files of the project with rules for the agent, placed at the start of every conversation. */
  readonly rules_files: readonly string[]
  readonly prompts: {
    /** Project folders whose own prompt files are used. */
    readonly projects: readonly string[]
  }
  /** UI language: `en`, `zh`, or null for the environment's. */
  readonly locale: string | null
  /** Language of the text inserted for the model; `auto` is the specification's in a Chinese locale, else English. Core itself uses `facts.strings`. */
  readonly strings: 'auto' | StringsName
  /** Longer results are cut when first sent. A row under a tool's name overrides `default`. Used by `limit-tool-output`. */
  readonly tool_output_limits: {
    readonly default: { readonly max_chars: number; readonly max_lines: number; readonly truncation_strategy: TruncationStrategy }
    readonly tools: Readonly<Record<string, ToolLimits>>
  }
  readonly summarization: {
    readonly enabled: boolean
    readonly model: string
    readonly max_input_chars: number
    readonly trigger_threshold: number
  }
  readonly gateway: GatewaySettings
}

/** A configuration with any keys missing. */
export type PartialConfig = DeepPartial<Config>
type DeepPartial<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: DeepPartial<Value[Key]> }
    : Value

/** The default of every setting. */
export const defaultConfig: Config = {
  policies: 'spec',
  model: null,
  models: {},
  prices: {},
  agent: { mode: 'ask', max_steps: 100, max_cost: null },
  shell: { timeout_seconds: 120, max_timeout_seconds: 600 },
  images: { model: null, url: null, expand_model: null, proxy_seconds: 60, direct_seconds: 90, expand_seconds: 30 },
  mcp_servers: {},
  timing: null,
  cache_lifetime: 'auto',
  keep_alive: { enabled: false, max_cost: 0.5 },
  budget: { day: null, week: null, month: null },
  context_window: 200_000,
  output_reserve: null,
  outdated_commands: { after_minutes: 15, keep_recent: 5, stderr_is_error: true },
  repeated_reads: { keep_latest: 5, large_file_chars: null },
  placeholder_style: 'exact',
  compaction: {
    keep_rounds: 10,
    threshold: 0.8,
    min_messages: 3,
    timeout_seconds: 120,
    model: null,
    fallback: 'deterministic',
    instruction_tokens: 8000,
    max_summary_tokens: null,
  },
  compression: {
    list_entries: 10,
    glob_entries: 10,
    search_matches: 5,
    read_lines: 500,
    edit_lines: 20,
    write_lines: 50,
    stdout_head_lines: 3,
    stdout_tail_lines: 5,
    stdout_chars: 500,
    stderr_lines: 20,
    other_chars: 1000,
  },
  request_limits: { max_bytes: 30_000_000, max_images: 100 },
  sessions: { redact_secrets: false },
  overflow: { auto_recover: true },
  rules_files: ['CODE_LAW.md'],
  prompts: { projects: [] },
  locale: null,
  strings: 'auto',
  tool_output_limits: {
    default: { max_chars: 8000, max_lines: 500, truncation_strategy: 'head_tail' },
    tools: {
      repo_map: { max_chars: 10_000, max_lines: 1000 },
      read_file: { max_chars: 5000, max_lines: 200 },
      grep_search: { max_lines: 100, show_context: 2 },
      get_repo_structure: { max_depth: 3, max_files: 500 },
    },
  },
  summarization: { enabled: false, model: 'qwen-turbo', max_input_chars: 50_000, trigger_threshold: 20_000 },
  gateway: defaultGatewaySettings,
}

/** Merges a partial configuration into the defaults, level by level; lists and single values replace. */
export function completeConfig(partial: PartialConfig | null | undefined): Config {
  if (partial === undefined || partial === null) return defaultConfig
  if (!isRecord(partial)) throw new TypeError(`config: expected an object, got ${describeValue(partial)}`)
  return overlay(defaultConfig, partial) as Config
}

/** Tokens kept free for the answer: the setting, else 8,192; at most a quarter of the window. */
export function outputReserve({ output_reserve, context_window }: Config): number {
  return Math.min(output_reserve ?? 8192, Math.floor(context_window / 4))
}

function overlay(base: unknown, over: unknown): unknown {
  // An empty section in YAML is null and changes nothing.
  if (over === undefined || (over === null && isRecord(base))) return base
  if (!isRecord(base) || !isRecord(over)) return over
  return overlaySection(over, base)
}

const overlaySection = perPair((over: Readonly<Record<string, unknown>>, base: Readonly<Record<string, unknown>>) => {
  const result: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    if (key !== '__proto__') result[key] = overlay(base[key], value)
  }
  return result
})

/** Changes a gateway may make: nothing, only new tool results except file reads (`safe`), or what the policy set proposes. */
export type TrimMode = 'observe' | 'safe' | 'spec' | 'economy'

/** Every mode, the most careful first. */
export const trimModes: readonly TrimMode[] = ['observe', 'safe', 'spec', 'economy']

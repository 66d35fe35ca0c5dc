import type { TrimMode } from './trim-mode.ts'

/** What is set about the gateway. Key names are those of the YAML file. */
export interface GatewaySettings {
  readonly port: number
  readonly host: string
  readonly trim: TrimMode
  /** Where requests go, by the company whose format they have. */
  readonly upstreams: {
    readonly anthropic: string
    readonly openai: string
    readonly gemini: string
  }
  /** The address of a PostgreSQL database or the path of an SQLite file; null takes a file in the state folder. */
  readonly store: string | null
  /** Whether the texts of messages are kept, and not only what is hidden from view. */
  readonly keep_text: boolean
  readonly keep_days: number
  /** How a model gets back what it does not see: by asking for it, or from a file that the shortened result names. */
  readonly recall: 'handle' | 'file'
  /** The share of conversations that are left untouched, so that there is something to compare with. */
  readonly holdout: number
  /** Whether `context_management` is left to the upstream or done here; `auto` leaves it to Anthropic alone. */
  readonly context_management: 'auto' | 'pass' | 'emulate'
  /** Seconds of silence in an answer after which a comment is sent; null relays silence as it is. */
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
    readonly shutdown_seconds: number
  }
  readonly telemetry: {
    /** Where traces are sent; null sends none. */
    readonly otlp_endpoint: string | null
  }
  /** The least level of what is logged. */
  readonly log: 'debug' | 'info' | 'warn' | 'silent'
}

/** The settings of a gateway about which nobody said anything. */
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
    shutdown_seconds: 30,
  },
  telemetry: { otlp_endpoint: null },
  log: 'warn',
}

import { z } from 'zod'
import { choice, flag, name, numberFrom, section, wholeNumber } from './schema-parts.ts'
import { isUpstreamAddress } from './upstream-address.ts'

const shareError = 'a number from 0 to 1'
const upstreamError = 'an address that begins with https:// or http://, without a name, a password or a query'
const endpointError = 'an address that begins with https:// or http://, or null'

const upstream = (company: string) =>
  z
    .string({ error: upstreamError })
    .refine((text) => isUpstreamAddress(text), { error: upstreamError })
    .describe(`Where requests in the format of ${company} go.`)
    .exactOptional()

/** What may be set about the gateway. */
export const gatewaySchema = section(
  {
    port: wholeNumber(0, 65_535).describe('The port the gateway listens at.').exactOptional(),
    host: name('an address of this machine')
      .describe('The address the gateway listens at; one that other machines reach needs `--public` and a token.')
      .exactOptional(),
    trim: choice(['observe', 'safe', 'spec', 'economy'])
      .describe(
        'How much the gateway may change: `observe` nothing, `safe` what a tool has just answered and never a file that was read, `spec` and `economy` what those sets of policies propose for tool results.',
      )
      .exactOptional(),
    upstreams: section(
      { anthropic: upstream('Anthropic'), openai: upstream('OpenAI'), gemini: upstream('Gemini') },
      'Where requests go.',
    ),
    store: name('the address of a PostgreSQL database, the path of a file, or null')
      .nullable()
      .describe(
        'Where what the gateway remembers lies: a PostgreSQL database (`postgres://…`) that several gateways can share, or an SQLite file; null takes a file in the state folder.',
      )
      .exactOptional(),
    keep_text: flag()
      .describe('Whether the texts of all messages are kept for the inspector; what is hidden from view is always kept.')
      .exactOptional(),
    keep_days: numberFrom(0.01).describe('Days after its last use until something that is kept is forgotten.').exactOptional(),
    recall: choice(['handle', 'file'])
      .describe(
        "How a model gets back what it does not see: by `plimsoll mcp` (`handle`), or because the shortened result names a file that the agent's own tools can read (`file`).",
      )
      .exactOptional(),
    holdout: z
      .number({ error: shareError })
      .min(0, { error: shareError })
      .max(1, { error: shareError })
      .describe('Share of conversations that are left untouched, so that there is something to compare with.')
      .exactOptional(),
    context_management: choice(['auto', 'pass', 'emulate'])
      .describe(
        'Who does what a request asks for with `context_management`: `pass` the upstream, `emulate` the gateway, `auto` the upstream where that is api.anthropic.com.',
      )
      .exactOptional(),
    keep_alive_seconds: numberFrom(1)
      .nullable()
      .describe('Seconds of silence in a streamed answer after which a comment is sent; null relays silence as it is.')
      .exactOptional(),
    limits: section(
      {
        max_body_mb: numberFrom(0.001).describe('Megabytes the body of a request may have.').exactOptional(),
        max_read_mb: numberFrom(0.001)
          .describe('Megabytes of an unpacked body that are looked at; a longer one is relayed unread.')
          .exactOptional(),
        max_header_kb: numberFrom(1).describe('Kilobytes all headers of a request may have.').exactOptional(),
        headers_seconds: numberFrom(0.1).describe('How long a client may take for its headers.').exactOptional(),
        body_seconds: numberFrom(0.1).describe('How long a client may take for its body.').exactOptional(),
        connect_seconds: numberFrom(0.1).describe('How long connecting to the upstream may take.').exactOptional(),
        plan_milliseconds: numberFrom(0)
          .describe('How long deciding about a request may take before it goes out as it came.')
          .exactOptional(),
        max_connections: wholeNumber(1).describe('Connections of clients at a time.').exactOptional(),
        shutdown_seconds: numberFrom(0)
          .describe('How long answers that are on their way are waited for at the end.')
          .exactOptional(),
      },
      'What clients may ask of it.',
    ),
    telemetry: section(
      {
        otlp_endpoint: z
          .string({ error: endpointError })
          .refine((text) => isUpstreamAddress(text), { error: endpointError })
          .nullable()
          .describe('Where OpenTelemetry traces are sent (OTLP over HTTP); null sends none.')
          .exactOptional(),
      },
      'What it tells others; without a setting here, nothing.',
    ),
    log: choice(['debug', 'info', 'warn', 'silent'])
      .describe('The least level of what is logged, as lines of JSON on standard error, without texts and keys.')
      .exactOptional(),
  },
  'The gateway: what it relays to where, how much it may change, what it remembers.',
)

import { z } from 'zod'
import { isUpstreamAddress } from './upstream-address.ts'

// The error of each schema is the end of a sentence that starts with "expected".

export const wholeNumber = (min: number, max?: number) => {
  const error = max === undefined ? `a whole number, ${min} or more` : `a whole number from ${min} to ${max}`
  return z
    .int({ error })
    .min(min, { error })
    .max(max ?? Number.MAX_SAFE_INTEGER, { error })
}

export const numberFrom = (min: number) => {
  const error = `a number, ${min} or more`
  return z.number({ error }).min(min, { error })
}

export const flag = () => z.boolean({ error: 'true or false' })

export const name = (error: string) => z.string({ error }).min(1, { error })

export const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: oneOf(values) })

/** A mapping in which every key is optional, and no other key is allowed. */
export function section<Shape extends Fields>(description: string | null, shape: Shape, error = 'a mapping of settings') {
  const fields = Object.entries(shape).map(([key, schema]) => [key, schema.exactOptional()])
  type Optional = { [Key in keyof Shape]: z.ZodExactOptional<Shape[Key]> }
  const mapping = z.strictObject(Object.fromEntries(fields) as Optional, { error })
  return description === null ? mapping : mapping.describe(description)
}

type Fields = Readonly<Record<string, z.ZodType>>

export function oneOf(values: readonly string[]): string {
  const quoted = values.map((value) => `"${value}"`)
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

export const modelSchema = section('Properties of one model.', {
  window: wholeNumber(1).describe('Tokens of a request and its answer together.'),
  output_limit: wholeNumber(1).describe('Maximum tokens of one answer.'),
  text_tools: flag().describe('Whether tools are described in text, for models without tool calls.'),
  reasoning: choice(['none', 'low', 'medium', 'high']).describe(
    "Reasoning effort before the answer; if not set, the provider's default.",
  ),
})

const dollars = () => numberFrom(0).max(1_000_000, { error: 'a number from 0 to 1000000' })

export const priceSchema = z.strictObject(
  {
    input: dollars().describe('Dollars for a million input tokens.'),
    cache_read: dollars().describe('Dollars for a million cached input tokens; default: the price of input.').exactOptional(),
    cache_write: dollars()
      .describe('Dollars for a million input tokens written to the cache; default: the price of input.')
      .exactOptional(),
    cache_write_hour: dollars()
      .describe('Dollars for a million input tokens written to the cache for an hour; default: `cache_write`.')
      .exactOptional(),
    output: dollars().describe('Dollars for a million output tokens, reasoning included.'),
    web_search: dollars()
      .describe("Dollars for a thousand web searches by the provider's own tool; default: the built-in or listed price.")
      .exactOptional(),
  },
  { error: 'a mapping of prices' },
)

const texts = (error: string, description: string) =>
  z.record(z.string(), z.string({ error: 'text' }).describe(description), { error })

export const mcpServerSchema = section('One server: a command or an address.', {
  command: name('a command').describe('Program to start; it speaks the protocol on standard input and output.'),
  args: z.array(z.string({ error: 'text' }), { error: 'a list of texts' }).describe("The program's arguments."),
  env: texts(
    'a mapping of variables',
    'Environment variable for the program, added to a few basic ones; `${NAME}` inserts one of yours.',
  ),
  url: name('an address').describe('Address of a server that is already running.'),
  headers: texts(
    'a mapping of headers',
    'Header of every request to the server; `${NAME}` inserts one of your environment variables.',
  ),
  allow: z
    .array(name("a tool's name"), { error: 'a list of tool names' })
    .describe('Tools of the server that run without asking.'),
  timeout_seconds: numberFrom(0.1).describe('Timeout of one tool call; default: 60.'),
  definitions: choice(['auto', 'short', 'full']).describe(
    'How its tools are defined in every request: `full`, `short` without explanations, which the model can ask for, or `auto`, short if that saves 2,000 tokens or more; default: `auto`.',
  ),
})

const strategies = ['head_tail', 'head_only', 'summarize', 'collapse', 'structured'] as const

export const outputLimits = {
  max_chars: wholeNumber(1).describe('Maximum characters of a result; the middle of a longer one is omitted.'),
  max_lines: wholeNumber(1).describe('Maximum lines of a result; the middle of a longer one is omitted.'),
  truncation_strategy: choice(strategies).describe(
    'How a result over its limit is shortened: `collapse` folds noise first, `structured` keeps JSON, CSV and diffs readable, `summarize` asks a model if `summarization` is enabled and otherwise cuts like `head_tail`.',
  ),
}

export const toolLimitsSchema = section(
  'Limits of the tool with exactly this name; missing ones come from `default`.',
  {
    ...outputLimits,
    max_lines: wholeNumber(1).describe(
      'Maximum lines of a result; the middle of a longer one is omitted. For a search tool: number of first matches shown.',
    ),
    show_context: wholeNumber(0).describe(
      'Lines of context kept after the last match shown, for search tools with their own `max_lines`.',
    ),
    max_depth: wholeNumber(1).describe('Levels of folders shown, for tools that list a repository.'),
    max_files: wholeNumber(1).describe('Entries shown, for tools that list a repository.'),
  },
  'a mapping of limits',
)

export const toolLimitKeys: readonly string[] = Object.keys(toolLimitsSchema.shape)

const shareError = 'a number from 0 to 1'
const upstreamError = 'an address that begins with https:// or http://, without a name, a password or a query'
const endpointError = 'an address that begins with https:// or http://, or null'

const upstream = (company: string) =>
  z
    .string({ error: upstreamError })
    .refine((text) => isUpstreamAddress(text), { error: upstreamError })
    .describe(`Upstream address for requests in ${company}'s API format.`)

export const gatewaySchema = section('The gateway: upstreams, trimming, storage and limits.', {
  port: wholeNumber(0, 65_535).describe('Port the gateway listens on.'),
  host: name('an address of this machine').describe(
    'Address the gateway listens on; one that other machines can reach needs `--public` and a token.',
  ),
  trim: choice(['observe', 'safe', 'spec', 'economy']).describe(
    'How much the gateway may change: `observe` nothing, `safe` only new tool results and never a file that was read, `spec` and `economy` the tool results those policy sets choose.',
  ),
  upstreams: section('Upstream addresses.', {
    anthropic: upstream('Anthropic'),
    openai: upstream('OpenAI'),
    gemini: upstream('Gemini'),
  }),
  store: z
    .nullable(name('the address of a PostgreSQL database, the path of a file, or null'))
    .describe(
      'Where the gateway stores its state: a PostgreSQL database (`postgres://…`), which several gateways can share, or an SQLite file; null uses a file in the state folder.',
    ),
  keep_text: flag().describe('Whether the text of all messages is stored for the inspector; trimmed content is always stored.'),
  keep_days: numberFrom(0.01).describe('Days after which stored content is deleted, counted from its last use.'),
  recall: choice(['handle', 'file']).describe(
    "How a model recalls trimmed content: through `plimsoll mcp` (`handle`), or from a file that the shortened result names and the agent's own tools can read (`file`).",
  ),
  holdout: z
    .number({ error: shareError })
    .min(0, { error: shareError })
    .max(1, { error: shareError })
    .describe('Share of conversations left unchanged, for comparison.'),
  context_management: choice(['auto', 'pass', 'emulate']).describe(
    'Handler of `context_management` and of compaction that a request asks for: `pass` the upstream, `emulate` the gateway, `auto` the upstream if that is Anthropic or OpenAI itself, else the gateway.',
  ),
  keep_cache_alive: flag().describe(
    "Whether the gateway sends the last request of a conversation again while its agent is idle, with the agent's API key, so that Anthropic keeps the prompt cached: once a session has lasted, as long as trimming has saved more than that costs, and up to `keep_alive.max_cost`.",
  ),
  keep_alive_seconds: z
    .nullable(numberFrom(1))
    .describe('Seconds of silence in a streamed answer after which a comment is sent; null sends none.'),
  limits: section('Limits for clients.', {
    max_body_mb: numberFrom(0.001).describe('Maximum megabytes of a request body.'),
    max_read_mb: numberFrom(0.001).describe(
      'Maximum megabytes of an unpacked body that the gateway reads; a longer one is relayed unread.',
    ),
    max_header_kb: numberFrom(1).describe('Maximum kilobytes of all headers of a request.'),
    headers_seconds: numberFrom(0.1).describe('Timeout for receiving the headers.'),
    body_seconds: numberFrom(0.1).describe('Timeout for receiving the body.'),
    connect_seconds: numberFrom(0.1).describe('Timeout for connecting to the upstream.'),
    plan_milliseconds: numberFrom(0).describe(
      'Time limit for planning edits to a request; after it the request is sent unchanged.',
    ),
    max_connections: wholeNumber(1).describe(
      'Maximum number of open client connections. If there are more, the one whose client sends slowest is closed.',
    ),
    max_connections_per_client: wholeNumber(1).describe(
      'Maximum number of open requests and WebSockets with one key, or from one address without a key.',
    ),
    max_buffered_mb: numberFrom(0.001).describe(
      'Maximum megabytes of request bodies that are read before they are sent on; a quarter of it for each client.',
    ),
    shutdown_seconds: numberFrom(0).describe('Time to wait for running answers at shutdown.'),
  }),
  telemetry: section('Telemetry; nothing is sent by default.', {
    otlp_endpoint: z
      .string({ error: endpointError })
      .refine((text) => isUpstreamAddress(text), { error: endpointError })
      .nullable()
      .describe('Where OpenTelemetry traces are sent (OTLP over HTTP); null sends none.'),
  }),
  log: choice(['debug', 'info', 'warn', 'silent']).describe(
    'Minimum log level. Logs are JSON lines on standard error, without message texts and keys.',
  ),
})

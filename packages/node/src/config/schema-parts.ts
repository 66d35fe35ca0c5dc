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

/** A mapping in which every key may be left out, and no other key is allowed. */
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

export const modelSchema = section('What is known about one model.', {
  window: wholeNumber(1).describe('Tokens of a request and its answer together.'),
  output_limit: wholeNumber(1).describe('Tokens that one answer of the model may have.'),
  price: z.strictObject(
    {
      input: numberFrom(0).describe('Dollars for a million tokens of input.'),
      cache_read: numberFrom(0)
        .describe('Dollars for a million tokens of input that the provider has cached; else the price of input.')
        .exactOptional(),
      cache_write: numberFrom(0)
        .describe('Dollars for a million tokens of input that it caches; else the price of input.')
        .exactOptional(),
      output: numberFrom(0).describe('Dollars for a million tokens of what the model answers.'),
    },
    { error: 'a mapping of prices' },
  ),
  text_tools: flag().describe('Whether tools are offered to the model in text, because it knows no tool calls.'),
  reasoning: choice(['none', 'low', 'medium', 'high']).describe(
    'How much the model thinks before it answers; where nobody says, what its provider does by itself.',
  ),
})

const texts = (error: string, description: string) =>
  z.record(z.string(), z.string({ error: 'text' }).describe(description), { error })

export const mcpServerSchema = section('One server: a command, or an address.', {
  command: name('a command').describe('The program that is started and speaks the protocol on its standard input and output.'),
  args: z.array(z.string({ error: 'text' }), { error: 'a list of texts' }).describe("The program's arguments."),
  env: texts(
    'a mapping of variables',
    'A variable for the program, beside the few that every program needs; `${NAME}` stands for one of your own.',
  ),
  url: name('an address').describe('The address of a server that is running already.'),
  headers: texts('a mapping of headers', 'A header of every request to the server; `${NAME}` stands for a variable of your own.'),
  allow: z
    .array(name("a tool's name"), { error: 'a list of tool names' })
    .describe('Tools of the server that run without asking.'),
  timeout_seconds: numberFrom(0.1).describe('How long one call of a tool may take; 60 where nothing is said.'),
})

const strategies = ['head_tail', 'head_only', 'summarize', 'collapse', 'structured'] as const

export const outputLimits = {
  max_chars: wholeNumber(1).describe('Characters a result may have before its middle is left out.'),
  max_lines: wholeNumber(1).describe('Lines a result may have before its middle is left out.'),
  truncation_strategy: choice(strategies).describe(
    'How a result over its limit is shortened; `collapse` folds noise first, `structured` keeps JSON, CSV and diffs readable, `summarize` asks a model where `summarization` is enabled, else it cuts as `head_tail` does.',
  ),
}

export const toolLimitsSchema = section(
  'Limits of the tool with exactly this name; what is left out comes from `default`.',
  {
    ...outputLimits,
    max_lines: wholeNumber(1).describe(
      'Lines a result may have before its middle is left out; for a search tool, matches shown, from the first on.',
    ),
    show_context: wholeNumber(0).describe(
      'Lines of context kept after the last match shown, for search tools with `max_lines` of their own.',
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
    .describe(`Where requests in the format of ${company} go.`)

export const gatewaySchema = section('The gateway: what it relays to where, how much it may change, what it remembers.', {
  port: wholeNumber(0, 65_535).describe('The port the gateway listens at.'),
  host: name('an address of this machine').describe(
    'The address the gateway listens at; one that other machines reach needs `--public` and a token.',
  ),
  trim: choice(['observe', 'safe', 'spec', 'economy']).describe(
    'How much the gateway may change: `observe` nothing, `safe` what a tool has just answered and never a file that was read, `spec` and `economy` what those sets of policies propose for tool results.',
  ),
  upstreams: section('Where requests go.', {
    anthropic: upstream('Anthropic'),
    openai: upstream('OpenAI'),
    gemini: upstream('Gemini'),
  }),
  store: z
    .nullable(name('the address of a PostgreSQL database, the path of a file, or null'))
    .describe(
      'Where what the gateway remembers lies: a PostgreSQL database (`postgres://…`) that several gateways can share, or an SQLite file; null takes a file in the state folder.',
    ),
  keep_text: flag().describe(
    'Whether the texts of all messages are kept for the inspector; what is hidden from view is always kept.',
  ),
  keep_days: numberFrom(0.01).describe('Days after its last use until something that is kept is forgotten.'),
  recall: choice(['handle', 'file']).describe(
    "How a model gets back what it does not see: by `plimsoll mcp` (`handle`), or because the shortened result names a file that the agent's own tools can read (`file`).",
  ),
  holdout: z
    .number({ error: shareError })
    .min(0, { error: shareError })
    .max(1, { error: shareError })
    .describe('Share of conversations that are left untouched, so that there is something to compare with.'),
  context_management: choice(['auto', 'pass', 'emulate']).describe(
    'Who does what a request asks for with `context_management`: `pass` the upstream, `emulate` the gateway, `auto` the upstream where that is api.anthropic.com.',
  ),
  keep_alive_seconds: z
    .nullable(numberFrom(1))
    .describe('Seconds of silence in a streamed answer after which a comment is sent; null relays silence as it is.'),
  limits: section('What clients may ask of it.', {
    max_body_mb: numberFrom(0.001).describe('Megabytes the body of a request may have.'),
    max_read_mb: numberFrom(0.001).describe('Megabytes of an unpacked body that are looked at; a longer one is relayed unread.'),
    max_header_kb: numberFrom(1).describe('Kilobytes all headers of a request may have.'),
    headers_seconds: numberFrom(0.1).describe('How long a client may take for its headers.'),
    body_seconds: numberFrom(0.1).describe('How long a client may take for its body.'),
    connect_seconds: numberFrom(0.1).describe('How long connecting to the upstream may take.'),
    plan_milliseconds: numberFrom(0).describe('How long deciding about a request may take before it goes out as it came.'),
    max_connections: wholeNumber(1).describe('Connections of clients at a time.'),
    shutdown_seconds: numberFrom(0).describe('How long answers that are on their way are waited for at the end.'),
  }),
  telemetry: section('What it tells others; without a setting here, nothing.', {
    otlp_endpoint: z
      .string({ error: endpointError })
      .refine((text) => isUpstreamAddress(text), { error: endpointError })
      .nullable()
      .describe('Where OpenTelemetry traces are sent (OTLP over HTTP); null sends none.'),
  }),
  log: choice(['debug', 'info', 'warn', 'silent']).describe(
    'The least level of what is logged, as lines of JSON on standard error, without texts and keys.',
  ),
})

import { z } from 'zod'
import { isUpstreamAddress } from './upstream-address.ts'

// The error of each schema is the end of a sentence that begins with "expected".

/** A whole number that is not less than this. */
export const wholeNumber = (least: number, most?: number) => {
  const error = most === undefined ? `a whole number, ${least} or more` : `a whole number from ${least} to ${most}`
  return z
    .int({ error })
    .min(least, { error })
    .max(most ?? Number.MAX_SAFE_INTEGER, { error })
}

/** A number that is not less than this. */
export const numberFrom = (least: number) => {
  const error = `a number, ${least} or more`
  return z.number({ error }).min(least, { error })
}

/** Yes or no. */
export const flag = () => z.boolean({ error: 'true or false' })

/** A text that is not empty. */
export const name = (error: string) => z.string({ error }).min(1, { error })

/** One of a few words. */
export const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: oneOf(values) })

/** A mapping of settings, which may be left out. */
export const section = <Shape extends z.core.$ZodLooseShape>(shape: Shape, description: string) =>
  z.strictObject(shape, { error: 'a mapping of settings' }).describe(description).exactOptional()

/** Words in a sentence. */
export function oneOf(values: readonly string[]): string {
  return `${values
    .slice(0, -1)
    .map((value) => `"${value}"`)
    .join(', ')} or "${values.at(-1)}"`
}

/** What may be set about one model. */
export const modelSchema = z
  .strictObject(
    {
      window: wholeNumber(1).describe('Tokens of a request and its answer together.').exactOptional(),
      output_limit: wholeNumber(1).describe('Tokens that one answer of the model may have.').exactOptional(),
      price: z
        .strictObject(
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
        )
        .exactOptional(),
      text_tools: flag()
        .describe('Whether tools are offered to the model in text, because it knows no tool calls.')
        .exactOptional(),
      reasoning: choice(['none', 'low', 'medium', 'high'])
        .describe('How much the model thinks before it answers; where nobody says, what its provider does by itself.')
        .exactOptional(),
    },
    { error: 'a mapping of settings' },
  )
  .describe('What is known about one model.')

const texts = (error: string, description: string) =>
  z.record(z.string(), z.string({ error: 'text' }).describe(description), { error }).exactOptional()

/** What may be set about one server of tools. */
export const mcpServerSchema = z
  .strictObject(
    {
      command: name('a command')
        .describe('The program that is started and speaks the protocol on its standard input and output.')
        .exactOptional(),
      args: z
        .array(z.string({ error: 'text' }), { error: 'a list of texts' })
        .describe("The program's arguments.")
        .exactOptional(),
      env: texts(
        'a mapping of variables',
        'A variable for the program, beside the few that every program needs; `${NAME}` stands for one of your own.',
      ),
      url: name('an address').describe('The address of a server that is running already.').exactOptional(),
      headers: texts(
        'a mapping of headers',
        'A header of every request to the server; `${NAME}` stands for a variable of your own.',
      ),
      allow: z
        .array(name("a tool's name"), { error: 'a list of tool names' })
        .describe('Tools of the server that run without asking.')
        .exactOptional(),
      timeout_seconds: numberFrom(0.1)
        .describe('How long one call of a tool may take; 60 where nothing is said.')
        .exactOptional(),
    },
    { error: 'a mapping of settings' },
  )
  .describe('One server: a command, or an address.')

const strategies = ['head_tail', 'head_only', 'summarize', 'collapse', 'structured'] as const

/** The limits that every tool may have. */
export const outputLimits = {
  max_chars: wholeNumber(1).describe('Characters a result may have before its middle is left out.').exactOptional(),
  max_lines: wholeNumber(1).describe('Lines a result may have before its middle is left out.').exactOptional(),
  truncation_strategy: choice(strategies)
    .describe(
      'How a result over its limit is shortened; `collapse` folds noise first, `structured` keeps JSON, CSV and diffs readable, `summarize` asks a model where `summarization` is enabled, else it cuts as `head_tail` does.',
    )
    .exactOptional(),
}

/** The limits that one tool may have. */
export const toolLimitsSchema = z
  .strictObject(
    {
      ...outputLimits,
      max_lines: wholeNumber(1)
        .describe('Lines a result may have before its middle is left out; for a search tool, matches shown, from the first on.')
        .exactOptional(),
      show_context: wholeNumber(0)
        .describe('Lines of context kept after the last match shown, for search tools with `max_lines` of their own.')
        .exactOptional(),
      max_depth: wholeNumber(1).describe('Levels of folders shown, for tools that list a repository.').exactOptional(),
      max_files: wholeNumber(1).describe('Entries shown, for tools that list a repository.').exactOptional(),
    },
    { error: 'a mapping of limits' },
  )
  .describe('Limits of the tool with exactly this name; what is left out comes from `default`.')

/** The keys that the limits of one tool may have. */
export const toolLimitKeys: readonly string[] = Object.keys(toolLimitsSchema.shape)

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

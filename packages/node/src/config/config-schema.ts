import { defaultConfig, policyNames } from '@plimsoll/core/policies'
import { z } from 'zod'
import {
  choice,
  flag,
  gatewaySchema,
  mcpServerSchema,
  modelSchema,
  name,
  numberFrom,
  oneOf,
  outputLimits,
  section,
  toolLimitsSchema,
  wholeNumber,
} from './schema-parts.ts'

const timings = ['immediate', 'economic', 'auto'] as const
const modelOrNull = z.nullable(name("a model's name, or null"))
const shareError = 'a number above 0, at most 1'

/** Every key is optional, and no other key is allowed. */
export const configSchema = section(null, {
  policies: z
    .union([z.enum(['spec', 'economy']), z.array(z.enum(policyNames, { error: `one of ${policyNames.join(', ')}` }))], {
      error: `"spec", "economy", or a list of names out of ${policyNames.join(', ')}`,
    })
    .describe('The set of policies that runs, or the names of policies in the order they run.'),
  model: modelOrNull.describe('The model the agent talks to; null takes one that a key is there for, else the offline model.'),
  models: z
    .record(name("a model's name"), modelSchema, { error: 'a mapping from model names to what is known about them' })
    .describe('What is known about models beyond the catalogue, by name.'),
  agent: section('What the agent may do.', {
    mode: choice(['read-only', 'ask', 'accept-edits', 'auto']).describe(
      'What the agent may do without asking: `read-only` and `ask` only look, `accept-edits` changes files too, `auto` does everything. What is left is asked about; `read-only` refuses it.',
    ),
    max_steps: wholeNumber(1).describe('Requests that one turn may take.'),
    max_cost: z.nullable(numberFrom(0)).describe('Dollars that a session may cost before the agent stops; null sets no limit.'),
  }),
  shell: section('How long commands may run.', {
    timeout_seconds: numberFrom(0.1).describe('How long a command may run where the call does not say.'),
    max_timeout_seconds: numberFrom(0.1).describe('The longest that a call may ask for.'),
  }),
  images: section('How pictures are made.', {
    model: modelOrNull.describe('The model that makes pictures; null offers no such tool.'),
    url: z
      .nullable(name('an address, or null'))
      .describe("The address of the service that makes pictures; null takes that of the model's provider."),
    expand_model: modelOrNull.describe("The model that expands a short description; null takes the agent's own."),
    proxy_seconds: numberFrom(0.1).describe('How long a picture may take through a proxy.'),
    direct_seconds: numberFrom(0.1).describe('How long a picture may take straight from the service.'),
    expand_seconds: numberFrom(0.1).describe('How long expanding the description may take.'),
  }),
  mcp_servers: z
    .record(name("a server's name"), mcpServerSchema, { error: 'a mapping from server names to servers' })
    .describe('Servers of further tools that speak the Model Context Protocol, by name.'),
  timing: z
    .enum(timings, { error: `${oneOf(timings)}, or null` })
    .nullable()
    .describe(
      'When an edit to what the provider has already cached takes effect: `immediate` at once, `economic` when it pays, `auto` when it pays where the model has a prompt cache and at once where it has none; null is `auto` for the agent and `immediate` for a single view.',
    ),
  keep_alive: section('How the provider is kept from forgetting the conversation while it waits for you.', {
    enabled: flag().describe(
      'Whether the last prompt is asked for again while the chat waits for you, shortly before the provider would forget it, as far as what trimming has saved pays for it.',
    ),
    max_cost: numberFrom(0).describe('Dollars that one session may spend on it.'),
  }),
  context_window: wholeNumber(1).describe(
    'Tokens of a request and its answer together; where nobody sets it, the window of the model, if that is known.',
  ),
  output_reserve: z
    .nullable(wholeNumber(0))
    .describe(
      'Tokens kept free for the answer, at most a quarter of the window; null takes 8,192 tokens, or what the model can answer if that is less.',
    ),
  outdated_commands: section('When old command output is trimmed.', {
    after_minutes: numberFrom(0).describe('Age at which the output of a successful command is outdated.'),
    keep_recent: wholeNumber(0).describe('The latest tool results, of any tool, that stay whole whatever their age.'),
    stderr_is_error: flag().describe('Whether anything on stderr makes a command a failure, which is never trimmed.'),
  }),
  repeated_reads: section('When older reads of the same file are trimmed.', {
    keep_latest: wholeNumber(1).describe('Reads of the same file that stay whole, counted from the latest.'),
    large_file_chars: z
      .nullable(wholeNumber(1))
      .describe('A file whose latest read is longer than this keeps proportionally fewer reads; null treats all files alike.'),
  }),
  placeholder_style: choice(['exact', 'actionable']).describe(
    "Whether a trimmed result reads as the specification's sentence alone, or also says how to get the original back.",
  ),
  compaction: section('How older rounds are folded into a summary.', {
    keep_rounds: wholeNumber(1).describe('The latest rounds that are never folded into a summary.'),
    threshold: z
      .number({ error: shareError })
      .gt(0, { error: shareError })
      .max(1, { error: shareError })
      .describe('Share of the window in use at which older rounds are folded into a summary.'),
    min_messages: wholeNumber(1).describe('Messages a conversation must have before a summary is worth writing.'),
    timeout_seconds: numberFrom(0.1).describe('Time a model has for writing a summary.'),
    model: modelOrNull.describe("The model that writes summaries; null takes the conversation's own."),
    fallback: choice(['deterministic', 'none']).describe(
      'What writes the summary when no model does: the built-in writer, or nothing.',
    ),
    instruction_tokens: wholeNumber(0).describe(
      "Tokens of the user's own words that one summary quotes; older ones are named by their handles.",
    ),
    max_summary_tokens: z
      .nullable(wholeNumber(1))
      .describe('Tokens of all summaries together, beyond which the oldest are hidden behind a marker; null hides none.'),
  }),
  compression: section('How much the digest of an old result shows.', {
    list_entries: wholeNumber(0).describe('Entries of a folder listing that its digest shows.'),
    glob_entries: wholeNumber(0).describe('Files that a pattern found, as many as the digest shows.'),
    search_matches: wholeNumber(0).describe('Matches of a search that its digest shows, with file and line.'),
    read_lines: wholeNumber(1).describe('Lines that the digest shows of a file that was read.'),
    edit_lines: wholeNumber(0).describe('Lines that the digest shows of a change.'),
    write_lines: wholeNumber(0).describe('Lines that the digest shows of a file that was written.'),
    stdout_head_lines: wholeNumber(0).describe("First lines of a command's output that the digest shows."),
    stdout_tail_lines: wholeNumber(0).describe("Last lines of a command's output that the digest shows."),
    stdout_chars: wholeNumber(1).describe("Characters of a command's output that the digest shows."),
    stderr_lines: wholeNumber(0).describe('Last lines of what a command wrote to stderr that the digest shows.'),
    other_chars: wholeNumber(1).describe('Characters that the digest shows of the result of any other tool.'),
  }),
  request_limits: section('What a request may have besides tokens.', {
    max_bytes: z.nullable(wholeNumber(1)).describe('Bytes a request may have; null sets no limit.'),
    max_images: z.nullable(wholeNumber(0)).describe('Images a request may have; null sets no limit.'),
  }),
  sessions: section('How sessions are stored.', {
    redact_secrets: flag().describe(
      'Whether keys, tokens and passwords are blanked before a session is stored, which cannot be undone.',
    ),
  }),
  overflow: section('What happens when a request is too long.', {
    auto_recover: flag().describe('Whether a request that the provider refused as too long is shortened and sent again.'),
  }),
  rules_files: z
    .array(name("a file's name"), { error: 'a list of file names' })
    .describe("The project's files with rules for the agent, put before every conversation."),
  locale: z
    .nullable(name('a language such as "en" or "zh", or null'))
    .describe("Language of what people read, `en` or `zh`; null takes the environment's."),
  tool_output_limits: section('How much of a tool result is shown.', {
    default: section(
      'Limits of every tool that has none of its own, except tools that read files, which only a row of their own cuts.',
      outputLimits,
    ),
    tools: z
      .record(name("a tool's name"), toolLimitsSchema, { error: 'a mapping from tool names to limits' })
      .describe('Limits of single tools, by their exact names.'),
  }),
  summarization: section('How a model summarises long tool results.', {
    enabled: flag().describe('Whether long tool results are summarised by a model.'),
    model: name("a model's name").describe('The model that summarises tool results.'),
    max_input_chars: wholeNumber(1).describe('Characters of a result given to that model.'),
    trigger_threshold: wholeNumber(1).describe('Characters a result must have before it is summarised.'),
  }),
  gateway: gatewaySchema,
})

/** For editors: a description and the default of every key. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(configSchema)
  return { $schema, title: 'Plimsoll configuration', ...withDefaults(schema, defaultConfig) }
}

type Schema = Readonly<Record<string, unknown>>

function withDefaults(schema: Schema, value: unknown): Schema {
  const properties = schema['properties']
  if (properties === undefined) return value === undefined ? schema : { ...schema, default: value }
  const fields = value as Readonly<Record<string, unknown>>
  const children = Object.entries(properties as Readonly<Record<string, Schema>>)
  return { ...schema, properties: Object.fromEntries(children.map(([key, child]) => [key, withDefaults(child, fields[key])])) }
}

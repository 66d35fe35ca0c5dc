import { isAbsolute } from 'node:path'
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
  priceSchema,
  section,
  toolLimitsSchema,
  wholeNumber,
} from './schema-parts.ts'

const lifetimes = ['auto', '5m', '1h'] as const
const timings = ['immediate', 'economic', 'auto'] as const
const modelOrNull = z.nullable(name("a model's name, or null"))
const folderError = "a folder's path that begins with / or ~/"
const shareError = 'a number above 0, at most 1'

/** Every key is optional, and no other key is allowed. */
export const configSchema = section(null, {
  policies: z
    .union(
      [z.enum(['spec', 'digests', 'economy']), z.array(z.enum(policyNames, { error: `one of ${policyNames.join(', ')}` }))],
      {
        error: `"spec", "digests", "economy", or a list of names out of ${policyNames.join(', ')}`,
      },
    )
    .describe(
      'Policy set to run, or a list of policy names in order. `digests` is `spec` with digests of commands and reads in completed rounds.',
    ),
  model: modelOrNull.describe('Model the agent uses; null picks one you have an API key for, or the offline model.'),
  models: z
    .record(name("a model's name"), modelSchema, { error: 'a mapping from model names to their properties' })
    .describe('Model properties that add to or override the catalogue, by model name.'),
  prices: z
    .record(name("a model's name or a pattern such as gpt-5*"), priceSchema, { error: 'a mapping from model names to prices' })
    .describe(
      'Your own prices in dollars per million tokens, by model name or pattern (`*` stands for any characters), before the built-in prices and the public list.',
    ),
  agent: section('Permissions and limits of the agent.', {
    mode: choice(['read-only', 'ask', 'accept-edits', 'auto']).describe(
      'Actions the agent takes without asking: `read-only` and `ask` only read, `accept-edits` also changes files, `auto` does everything. It asks before any other action; `read-only` rejects it.',
    ),
    max_steps: wholeNumber(1).describe('Maximum number of requests per turn.'),
    max_cost: z
      .nullable(numberFrom(0))
      .describe('Maximum cost of a session in dollars, at which the agent stops; null sets no limit.'),
  }),
  shell: section('Time limits for commands.', {
    timeout_seconds: numberFrom(0.1).describe('Timeout of a command if the call sets none.'),
    max_timeout_seconds: numberFrom(0.1).describe('Maximum timeout that a call may set.'),
  }),
  images: section('Image generation.', {
    model: modelOrNull.describe('Model that generates images; null disables the tool.'),
    url: z
      .nullable(name('an address, or null'))
      .describe("Address of the image service; null uses that of the model's provider."),
    expand_model: modelOrNull.describe("Model that expands a short description; null uses the agent's model."),
    proxy_seconds: numberFrom(0.1).describe('Timeout for an image requested through a proxy.'),
    direct_seconds: numberFrom(0.1).describe('Timeout for an image requested directly from the service.'),
    expand_seconds: numberFrom(0.1).describe('Timeout for expanding the description.'),
  }),
  mcp_servers: z
    .record(name("a server's name"), mcpServerSchema, { error: 'a mapping from server names to servers' })
    .describe('MCP (Model Context Protocol) servers that provide more tools, by name.'),
  timing: z
    .enum(timings, { error: `${oneOf(timings)}, or null` })
    .nullable()
    .describe(
      'When an edit to cached content takes effect: `immediate` at once, `economic` once keeping the content has cost as much as the edit, `auto` economic if the model has a prompt cache, else immediate; null is `auto` for the agent, `economic` for the gateway and `immediate` for a single view.',
    ),
  cache_lifetime: z
    .enum(lifetimes, { error: oneOf(lifetimes) })
    .describe(
      "How long Anthropic keeps the agent's prompts: `5m` five minutes, `1h` an hour, at a higher price for what is new; `auto` an hour if that would have cost less over your latest sessions in the same folder. Chosen once for each session.",
    ),
  keep_alive: section('Keeps the prompt cache from expiring while the chat waits for you.', {
    enabled: flag().describe(
      'Whether the last prompt is sent again while the chat waits for you, shortly before its cache expires, once a session has lasted, and as long as trimming has saved more than that costs.',
    ),
    max_cost: numberFrom(0).describe('Maximum dollars per session to spend on it.'),
  }),
  budget: section(
    'Dollars at API prices for all agents whose logs are on this machine. The status line, `plimsoll` and the web app warn at 80 % and above; nothing is stopped.',
    {
      day: z.nullable(numberFrom(0)).describe('Dollars a day; null sets no budget.'),
      week: z.nullable(numberFrom(0)).describe('Dollars a week, from Monday; null sets no budget.'),
      month: z.nullable(numberFrom(0)).describe('Dollars a calendar month; null sets no budget.'),
    },
  ),
  context_window: wholeNumber(1).describe(
    "Tokens of a request and its answer together. If not set, the model's window is used, if known.",
  ),
  output_reserve: z
    .nullable(wholeNumber(0))
    .describe(
      "Tokens reserved for the answer, at most a quarter of the window; null reserves 8,192 tokens, or the model's output limit if that is less.",
    ),
  outdated_commands: section('When old command output is trimmed.', {
    after_minutes: numberFrom(0).describe('Age at which the output of a successful command is outdated.'),
    keep_recent: wholeNumber(0).describe('Number of latest tool results, of any tool, that are never trimmed.'),
    stderr_is_error: flag().describe('Whether any output on stderr counts as a failure. Failures are never trimmed.'),
  }),
  repeated_reads: section('When older reads of the same file are trimmed.', {
    keep_latest: wholeNumber(1).describe('Number of latest reads of the same file that are kept in full.'),
    large_file_chars: z
      .nullable(wholeNumber(1))
      .describe('A file whose latest read is longer than this keeps proportionally fewer reads; null treats all files alike.'),
  }),
  placeholder_style: choice(['exact', 'actionable']).describe(
    "Text of a trimmed result: `exact` is the specification's sentence alone, `actionable` adds how to recall the original. English and Chinese placeholders (`strings`) always do.",
  ),
  compaction: section(
    'How older rounds are compacted into a summary. A round is a user message and everything up to the next one.',
    {
      keep_rounds: wholeNumber(1).describe('Number of latest rounds that are never compacted.'),
      threshold: z
        .number({ error: shareError })
        .gt(0, { error: shareError })
        .max(1, { error: shareError })
        .describe('Share of the window in use at which older rounds are compacted.'),
      min_messages: wholeNumber(1).describe('Minimum number of messages in a conversation before it is compacted.'),
      timeout_seconds: numberFrom(0.1).describe('Timeout for writing a summary.'),
      model: modelOrNull.describe("Model that writes summaries; null uses the conversation's model."),
      fallback: choice(['deterministic', 'none']).describe(
        'Fallback if no model can write the summary: the built-in writer, or none.',
      ),
      instruction_tokens: wholeNumber(0).describe(
        'Maximum tokens of user messages quoted in one summary; older ones are listed by handle.',
      ),
      max_summary_tokens: z
        .nullable(wholeNumber(1))
        .describe('Maximum tokens of all summaries together; above it, a marker replaces the oldest. Null sets no limit.'),
    },
  ),
  compression: section('How much the digest of an old result shows.', {
    list_entries: wholeNumber(0).describe('Entries of a folder listing that its digest shows.'),
    glob_entries: wholeNumber(0).describe('Files found by a pattern that the digest shows.'),
    search_matches: wholeNumber(0).describe('Matches of a search that its digest shows, with file and line.'),
    read_lines: wholeNumber(1).describe('Lines of a read file that the digest shows.'),
    edit_lines: wholeNumber(0).describe('Lines of a change that the digest shows.'),
    write_lines: wholeNumber(0).describe('Lines of a written file that the digest shows.'),
    stdout_head_lines: wholeNumber(0).describe("First lines of a command's output that the digest shows."),
    stdout_tail_lines: wholeNumber(0).describe("Last lines of a command's output that the digest shows."),
    stdout_chars: wholeNumber(1).describe("Characters of a command's output that the digest shows."),
    stderr_lines: wholeNumber(0).describe("Last lines of a command's stderr that the digest shows."),
    other_chars: wholeNumber(1).describe("Characters of any other tool's result that the digest shows."),
  }),
  request_limits: section('Limits of a request other than tokens.', {
    max_bytes: z.nullable(wholeNumber(1)).describe('Maximum bytes of a request; null sets no limit.'),
    max_images: z.nullable(wholeNumber(0)).describe('Maximum number of images in a request; null sets no limit.'),
  }),
  sessions: section('How sessions are stored.', {
    redact_secrets: flag().describe(
      'Whether keys, tokens and passwords are redacted before a session is stored. This cannot be undone.',
    ),
  }),
  overflow: section('Handling of requests that are too long.', {
    auto_recover: flag().describe('Whether a request that the provider rejects as too long is shortened and sent again.'),
  }),
  rules_files: z
    .array(name("a file's name"), { error: 'a list of file names' })
    .describe('Project files with rules for the agent, placed at the start of every conversation.'),
  prompts: section('Whose prompt files replace the built-in prompts.', {
    projects: z
      .array(
        name(folderError).refine((path) => isAbsolute(path) || path.startsWith('~/'), { error: folderError }),
        {
          error: 'a list of folders',
        },
      )
      .describe('Projects whose `.plimsoll/prompts` is used in addition to your own prompt files, by folder.'),
  }),
  locale: z
    .nullable(name('a language such as "en" or "zh", or null'))
    .describe('Language of messages and the web app, `en` or `zh`; null uses the language of the environment.'),
  strings: choice(['auto', 'specification', 'english', 'chinese']).describe(
    'Language of the text that the model reads instead of trimmed content. `specification` gives the sentences of the source documents; `auto` is that in a Chinese locale and `english` elsewhere. A conversation keeps the language it started with.',
  ),
  tool_output_limits: section('How much of a tool result is shown.', {
    default: section(
      'Limits of every tool without an entry in `tools`. Tools that read files are cut only if they have an entry there.',
      outputLimits,
    ),
    tools: z
      .record(name("a tool's name"), toolLimitsSchema, { error: 'a mapping from tool names to limits' })
      .describe('Limits of individual tools, by exact name.'),
  }),
  summarization: section('How a model summarises long tool results.', {
    enabled: flag().describe(
      'Whether a model summarises long tool results: those of `repo_map` over 10,000 characters unless its row sets another `truncation_strategy`, and those of tools whose strategy is `summarize`.',
    ),
    model: name("a model's name").describe('The model that summarises tool results.'),
    max_input_chars: wholeNumber(1).describe('Maximum characters of a result sent to that model.'),
    trigger_threshold: wholeNumber(1).describe('Minimum characters of a result before it is summarised.'),
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

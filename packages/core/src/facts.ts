import { type Config, completeConfig, type PartialConfig } from './config.ts'
import { perItem } from './derive.ts'
import type { Edit, Reference } from './edit.ts'
import type { Message } from './message.ts'
import { type ModelStrings, modelStrings } from './strings/specification.ts'
import { type ReasonStrings, reasonsFor } from './strings/strings-for.ts'

/** What a provider reported for one request, in one shape whatever the provider. The four add up to all that was processed. */
export interface Usage {
  /** Input that was neither read from nor written to a cache. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** Reasoning included. */
  readonly output: number
}

/** Counts the tokens of a text. An exact one lives in `plimsoll`; `estimator` needs nothing. */
export interface Tokenizer {
  readonly name: string
  readonly count: (text: string) => number
}

/** An estimate and what the provider counted. */
export interface Measurement {
  readonly model: string
  readonly estimate: number
  readonly usage: Usage
  /** The last message of the request. */
  readonly last: string | null
}

/** What a tool is for. Policies ask for the kind, never for a name. */
export type ToolKind =
  | 'terminal'
  | 'file-read'
  | 'list'
  | 'glob'
  | 'search'
  | 'edit'
  | 'write'
  | 'todo'
  | 'repo-map'
  | 'image'
  | 'recall'
  | 'other'

export type Input = Readonly<Record<string, unknown>>

/** Everything Plimsoll knows about a tool: one row of a table. */
export interface ToolRules {
  /** The name this row is known by. */
  readonly name: string
  readonly kind: ToolKind
  /** Other names of the same tool, in other agents. */
  readonly aliases?: readonly string[]
  /** For a tool that does several jobs: the job this call asks for. Default: `kind`. */
  readonly kindOf?: (input: Input) => ToolKind
  /** The paths, commands or patterns a call is about. Default: none. */
  readonly about?: (input: Input) => readonly string[]
  /** Finds exit codes in a plain-text result, as the first group. */
  readonly exitCode?: RegExp
  /** Characters from which on a model may summarise a result, where the setting asks for more. Default: the setting. */
  readonly summarizeOver?: number
  /** What is still shown of an old result. Default: what tools of its kind show. */
  readonly digest?: DigestRule
}

/** The fields of a digest, or of the data a digest is made from. */
export type DigestFields = Readonly<Record<string, unknown>>

/** An old tool result, read as far as the digest of any tool needs it. */
export interface DigestSource {
  /** What the tool answered, as text. */
  readonly text: string
  /** The data of an answer that is JSON; null where it is plain text. */
  readonly fields: DigestFields | null
  /** The arguments of the call, or null where they are not known. */
  readonly input: DigestFields | null
  /** The paths, commands or patterns the call is about. */
  readonly about: readonly string[]
  readonly isError: boolean
  /** How much a digest shows. */
  readonly settings: Config['compression']
}

/**
 * Says what of an old result is still shown, as the `data` of its digest; null leaves the result whole. It may be asked about a
 * digest of its own, in a view that is read as a log: whoever then returns `fields` as they are leaves it as it is.
 */
export type DigestRule = (source: DigestSource) => DigestFields | null

/**
 * How a provider finds what it has kept of a prompt: nowhere; where a mark was set, within twenty blocks before a mark of the new
 * prompt; at any of its latest marks; anywhere, as far as the beginning is the same; the same when it pleases; or at the ends of
 * earlier prompts and answers.
 */
export type CacheMatch = 'none' | 'breakpoints' | 'latest-breakpoints' | 'longest-prefix' | 'best-effort' | 'prefix-units'

/** How one provider caches prompts. */
export interface CacheRules {
  readonly match: CacheMatch
  /** Tokens below which nothing is kept. */
  readonly minPrefix: number
  /** How long what nobody asks for is kept; null where the provider does not say. */
  readonly lifetimeSeconds: number | null
  /** Tokens in whose multiples a prefix is found. */
  readonly step: number
}

/** What caching costs, as multiples of the price of input, and how long it lasts. */
export interface CacheTerms {
  readonly read: number
  readonly write: number
  /** Null where it is not known; then nothing is taken to be gone by itself. */
  readonly lifetimeSeconds: number | null
}

/** What policies may know of the world outside the conversation. Core never goes to get any of it. */
export interface Facts {
  /** The time of the request in milliseconds. Without it nothing grows old. */
  readonly now?: number
  /** The project's folder, so that relative and absolute paths of one file can be told to be one file. */
  readonly root?: string
  /** `win32` and `darwin` fold case in paths, `win32` also reads backslashes; anything else is POSIX. */
  readonly platform?: string
  readonly config?: PartialConfig
  /** Rows laid over the built-in tool table. */
  readonly tools?: readonly ToolRules[]
  /** Default: the built-in estimator. */
  readonly tokens?: Tokenizer
  /** Strings laid over the specification's. */
  readonly strings?: Partial<ModelStrings>
  /** When a message was first seen by the host, for dialects that carry no timestamps. */
  readonly firstSeen?: (messageId: string) => number | undefined
  /** The last message of the last request the provider accepted, set by `buildView`: what it may have cached. Null: none. */
  readonly sent?: string | null
  /**
   * The last message a model has seen, set by `buildView`; null if none. Without it, everything up to `sent` counts as seen, and
   * everything there is if `sent` is null.
   */
  readonly seen?: string | null
  /** The lines that edits planned so far refer to, by the part they are in, set by `buildView`. */
  readonly references?: ReadonlyMap<string, readonly Reference[]>
  /** Messages the user wants whole. */
  readonly pins?: readonly string[]
  /** The names of the policies that run, set by `buildView`: what one keeps whole, another may not compress. */
  readonly policies?: readonly string[]
  /** The edits in force, set by `buildView`. Only the last resort of fitting the window looks at them, so as not to waver. */
  readonly inForce?: readonly Edit[]
  /**
   * Parts that the last request showed otherwise than the edits in force say, as `message.part`: someone else decided about them since.
   * Default: none.
   */
  readonly changed?: ReadonlySet<string>
  /** Parts whose edits in force may not change any more, as `message.part`. Default: none. */
  readonly final?: ReadonlySet<string>
  /** Those of them that stay whether they are proposed again or not, set by `buildView` for timings that keep them. */
  readonly kept?: readonly Edit[]
  /** The messages as the log holds them, set by `buildView`: a cut or a summary made from what is shown names what is stored. */
  readonly originals?: readonly Message[]
  /** The messages as they were before policies cut their results, binary data filtered, set by `buildView`. Default: nothing is cut. */
  readonly uncut?: readonly Message[]
  /** Messages that policies have put in, as they put them in, set by `buildView` for the last resort: moved results, mostly. */
  readonly inserted?: readonly Message[]
  /** Tokens of everything in the request besides the messages: system prompt, tool definitions, layers. Default: 0. */
  readonly overhead?: number
  /** What earlier requests of this conversation were estimated at and what the provider then counted, oldest first. */
  readonly measurements?: readonly Measurement[]
  /** What the provider's cache costs and how long it lasts, for the timings that go by it. Default: `usualTerms`. */
  readonly cache?: CacheTerms
  /** The model this request goes to: another model has another cache. Default: the one before. */
  readonly model?: string
  /** Dollars per million tokens written to the cache, so that a report can say what a rewrite costs. Default: unknown. */
  readonly writePrice?: number
  /** Names everything that stands before the messages: when it changes, the provider has to read all of them anew. */
  readonly prefix?: string
  /**
   * Whether nothing of the conversation is in the provider's cache, set by `buildView`: what changes now costs nothing. Some policies
   * take the chance and propose more.
   */
  readonly cold?: boolean
}

/** The complete configuration behind the facts. */
export function configOf(facts: Facts): Config {
  return completeConfig(facts.config)
}

/** The model-facing strings behind the facts. */
export function stringsOf(facts: Facts): ModelStrings {
  return facts.strings === undefined ? modelStrings : completeStrings(facts.strings)
}

// Marked as pure, so that a bundle that reads no strings leaves them out.
const completeStrings = /* @__PURE__ */ perItem(
  (strings: Partial<ModelStrings>): ModelStrings => ({ ...modelStrings, ...strings }),
)()

/** Why edits are proposed, in the language of the configuration. */
export function reasonsOf(facts: Facts): ReasonStrings {
  return reasonsFor(configOf(facts).locale)
}

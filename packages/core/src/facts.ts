import { type Config, completeConfig, type PartialConfig } from './config.ts'
import { perItem } from './derive.ts'
import type { Edit, Reference } from './edit.ts'
import type { Message, Streams } from './message.ts'
import { type ModelStrings, modelStrings } from './strings/specification.ts'
import { type ReasonStrings, reasonsFor, type StringsName, stringsNamed } from './strings/strings-for.ts'

/** Usage of one request in the same shape for every provider. The four add up to all that was processed. */
export interface Usage {
  /** Input that was neither read from nor written to a cache. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** How much of `cacheWrite` was written for an hour, which costs more. Default: nothing. */
  readonly cacheWriteHour?: number
  /** Including reasoning. */
  readonly output: number
  /** How long the server took, if it says so. */
  readonly times?: ServedTimes
}

/** Milliseconds for the prompt, of which so many tokens were not cached, and for the answer. */
export interface ServedTimes {
  readonly prefilled: number
  readonly prefillMs: number
  readonly decodeMs: number
}

/** Counts the tokens of a text. `plimsoll` has an exact one; `estimator` needs no vocabulary. */
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

/** The purpose of a tool. Policies ask for the kind, never for a name. */
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

/** One row of the tool table. */
export interface ToolRules {
  readonly name: string
  readonly kind: ToolKind
  /** Names of the same tool in other agents. */
  readonly aliases?: readonly string[]
  /** The kind of one call, for a tool that does several jobs. Default: `kind`. */
  readonly kindOf?: (input: Input) => ToolKind
  /** The paths, commands or patterns of a call. Default: none. */
  readonly about?: (input: Input) => readonly string[]
  /** Finds exit codes in a plain-text result, as the first group. */
  readonly exitCode?: RegExp
  /** Characters from which a model may summarise a result, if higher than the setting. Default: the setting. */
  readonly summarizeOver?: number
  /** The digest of an old result. Default: that of the tool's kind. */
  readonly digest?: DigestRule
}

/** The fields of a digest, or of the data it is made from. */
export type DigestFields = Readonly<Record<string, unknown>>

/** An old tool result, parsed as far as any digest needs it. */
export interface DigestSource {
  readonly text: string
  /** The data of a JSON answer; null for plain text. */
  readonly fields: DigestFields | null
  /** The arguments of the call; null if unknown. */
  readonly input: DigestFields | null
  /** The paths, commands or patterns of the call. */
  readonly about: readonly string[]
  readonly isError: boolean
  /** The output of a command per stream; null if its tool does not separate them. */
  readonly streams: Streams | null
  readonly settings: Config['compression']
}

/**
 * The `data` of an old result's digest; null keeps the result in full. If it is asked about its own digest, in a view that is read as a log,
 * returning `fields` leaves that unchanged.
 */
export type DigestRule = (source: DigestSource) => DigestFields | null

/**
 * How a provider finds a cached prompt: never; at a mark within twenty blocks before a mark of the new prompt; at any of its latest marks; at the
 * longest common prefix; the same, but unreliably; or at the ends of earlier prompts and answers.
 */
export type CacheMatch = 'none' | 'breakpoints' | 'latest-breakpoints' | 'longest-prefix' | 'best-effort' | 'prefix-units'

/** How a provider's prompt cache works. */
export interface CacheRules {
  readonly match: CacheMatch
  /** Tokens below which nothing is cached. */
  readonly minPrefix: number
  /** How long an unused prefix is kept; null if the provider does not say. */
  readonly lifetimeSeconds: number | null
  /** Prefixes are found in multiples of this many tokens. */
  readonly step: number
}

/** Prices of caching, as multiples of the input price, and its lifetime. */
export interface CacheTerms {
  readonly read: number
  readonly write: number
  /** Null if unknown; then nothing is assumed to expire. */
  readonly lifetimeSeconds: number | null
  /** Whether no price is known, so that a server which reports its times counts as the user's own. Default: no. */
  readonly isAssumed?: boolean
  /** Whether the server is the user's own: it keeps prompts, but may not report it. Default: no. */
  readonly isOwnServer?: boolean
}

/** Everything policies know besides the conversation. Callers pass it in. */
export interface Facts {
  /** The time of the request in milliseconds. Without it nothing grows old. */
  readonly now?: number
  /** The project's folder, so that relative and absolute paths of one file match. */
  readonly root?: string
  /** `win32` and `darwin` fold case in paths, `win32` also reads backslashes; anything else is POSIX. */
  readonly platform?: string
  /** Settings as in the configuration file. Default for each: `defaultConfig`. */
  readonly config?: PartialConfig
  /** Rows that override the built-in tool table. */
  readonly tools?: readonly ToolRules[]
  /** Default: the built-in estimator. */
  readonly tokens?: Tokenizer
  /** Strings that override the specification's. */
  readonly strings?: Partial<ModelStrings>
  /** When the host first saw a message, for API formats without timestamps. */
  readonly firstSeen?: (messageId: string) => number | undefined
  /** The message from which the request no longer continues the last one, because its host compacted the history. Null: none. Default: found by ids, if those are known. */
  readonly compactedAt?: string | null
  /** The last message of the last accepted request, set by `buildView`: what may be cached. Null: none. */
  readonly sent?: string | null
  /** The last message a model has seen, set by `buildView`; null if none. Default: up to `sent`, or everything if `sent` is null. */
  readonly seen?: string | null
  /** The lines that edits planned so far refer to, by part, set by `buildView`. */
  readonly references?: ReadonlyMap<string, readonly Reference[]>
  /** Messages the user wants in full. */
  readonly pins?: readonly string[]
  /** Messages whose results the user has hidden, from the next request on. Default: none. */
  readonly hides?: readonly string[]
  /** The names of the running policies, set by `buildView`: what one keeps in full, another may not compress. */
  readonly policies?: readonly string[]
  /** The active edits, set by `buildView`. Only `fit-window` reads them, to keep its decisions stable. */
  readonly inForce?: readonly Edit[]
  /** Parts that the last request showed differently from the active edits, as `message.part`: another process decided about them since. Default: none. */
  readonly changed?: ReadonlySet<string>
  /** Parts whose active edits may not change any more, as `message.part`. Default: none. */
  readonly final?: ReadonlySet<string>
  /** Active edits that stay even if not proposed again, set by `buildView` for timings that keep them. */
  readonly kept?: readonly Edit[]
  /** The stored messages, set by `buildView`: cuts and summaries of the view name these originals. */
  readonly originals?: readonly Message[]
  /** The messages before policies cut their results, binary data filtered, set by `buildView`. Default: nothing is cut. */
  readonly uncut?: readonly Message[]
  /** Messages that policies inserted, unchanged, set by `buildView` for `fit-window`: mostly moved results. */
  readonly inserted?: readonly Message[]
  /** Tokens of the request besides the messages: system prompt, tool definitions, layers. Default: 0. */
  readonly overhead?: number
  /** Estimates of earlier requests and what the provider counted, oldest first. */
  readonly measurements?: readonly Measurement[]
  /** Prices and lifetime of the provider's cache. Default: `usualTerms`. */
  readonly cache?: CacheTerms
  /** The model this request goes to: another model has another cache. Default: the one before. */
  readonly model?: string
  /** Dollars per million tokens written to the cache, for the cost of a rewrite. Default: unknown. */
  readonly writePrice?: number
  /** Names everything before the messages: if it changes, the provider has to read all of them again. */
  readonly prefix?: string
  /** Whether nothing of the conversation is cached, set by `buildView`: changes cost nothing now, and some policies propose more. */
  readonly cold?: boolean
}

export function configOf(facts: Facts): Config {
  return completeConfig(facts.config)
}

export function stringsOf(facts: Facts): ModelStrings {
  return facts.strings === undefined ? modelStrings : completeStrings(facts.strings)
}

/** All texts for the model in a language. */
export function modelStringsIn(language: StringsName = 'specification'): ModelStrings {
  const strings = stringsNamed(language)
  return stringsOf(strings === undefined ? {} : { strings })
}

// Marked as pure, so that a bundle that reads no strings drops them.
const completeStrings = /* @__PURE__ */ perItem(
  (strings: Partial<ModelStrings>): ModelStrings => ({ ...modelStrings, ...strings }),
)()

export function reasonsOf(facts: Facts): ReasonStrings {
  return reasonsFor(configOf(facts).locale)
}

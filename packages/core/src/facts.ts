import type { CacheTerms } from './bill/cache-rules.ts'
import { type Config, completeConfig, type PartialConfig } from './config.ts'
import type { Edit, Reference } from './edit.ts'
import type { Message } from './message.ts'
import type { Measurement } from './session/session-state.ts'
import { type ModelStrings, modelStrings } from './strings/specification.ts'
import { type ReasonStrings, reasonsFor } from './strings/strings-for.ts'
import type { Tokenizer } from './tokens.ts'
import type { ToolRules } from './tools.ts'

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
  return facts.strings === undefined ? modelStrings : { ...modelStrings, ...facts.strings }
}

/** Why edits are proposed, in the language of the configuration. */
export function reasonsOf(facts: Facts): ReasonStrings {
  return reasonsFor(configOf(facts).locale)
}

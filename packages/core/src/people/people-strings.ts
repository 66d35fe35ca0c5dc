import type { AgentStrings } from './agent-strings.ts'
import type { ChatStrings } from './chat-strings.ts'
import type { CompletionStrings } from './completion-strings.ts'
import type { ConfigStrings } from './config-strings.ts'
import type { GatewayStrings } from './gateway-strings.ts'
import type { OfflineModelStrings } from './offline-model-strings.ts'
import type { OverviewStrings } from './overview-strings.ts'
import type { RepairStrings } from './repair-strings.ts'
import type { ReplayStrings } from './replay-strings.ts'
import type { RequestCommandStrings } from './request-command-strings.ts'
import type { ServerStrings } from './server-strings.ts'
import type { SessionCommandStrings } from './session-command-strings.ts'
import type { StatuslineStrings } from './statusline-strings.ts'
import type { WebStrings } from './web-strings.ts'

/** Everything Plimsoll says to people. Each language is one value of this type, so that none can be incomplete. */
export interface PeopleStrings extends EngineStrings {
  readonly view: ViewStrings
  readonly trouble: TroubleStrings
  readonly command: CommandStrings
  readonly notices: NoticeStrings
  readonly agentErrors: AgentErrorStrings
  readonly session: SessionStrings
  readonly sessionCommands: SessionCommandStrings
  readonly requestCommands: RequestCommandStrings
  readonly agent: AgentStrings
  readonly chat: ChatStrings
  readonly offlineModel: OfflineModelStrings
  readonly overview: OverviewStrings
  readonly replay: ReplayStrings
  readonly server: ServerStrings
  readonly web: WebStrings
  readonly gateway: GatewayStrings
  readonly repair: RepairStrings
  readonly config: ConfigStrings
  readonly statusline: StatuslineStrings
  readonly completion: CompletionStrings
}

/** What the engine says: whoever bundles it alone takes no other words along. */
export interface EngineStrings {
  readonly reasons: ReasonStrings
  readonly overflow: OverflowStrings
}

/** What a person is told while the agent works, by the code of the notification; the specification itself gives the other one. */
export type NoticeStrings = Readonly<Record<Exclude<NoticeCode, 'summary_timed_out'>, string>>

/** The notifications, by their stable names. */
export type NoticeCode =
  | 'summary_timed_out'
  | 'summary_failed'
  | 'summary_overflow'
  | 'summary_empty'
  | 'summary_longer'
  | 'summary_error_text'
  | 'summary_no_template'
  | 'summary_not_asked'
  | 'summary_too_dear'
  | 'outline_kept'
  | 'recent_kept'
  | 'compaction_ineffective'
  | 'compaction_stopped'
  | 'answer_cut'
  | 'answer_filtered'
  | 'max_steps'
  | 'max_cost'
  | 'tools_trouble'
  | 'result_not_summarized'
  | 'retrying'
  | 'answer_restarted'
  | 'history_compressed'
  | 'answer_shortened'
  | 'media_dropped'
  | 'pairs_repaired'
  | 'silent_overflow'
  | 'small_window'
  | 'kept_alive'
  | 'keep_alive_failed'

/** Why the agent could not go on, by the stable name of the error. */
export type AgentErrorCode =
  | 'CONTEXT_LENGTH_EXCEEDED'
  | 'REQUEST_TOO_LARGE'
  | 'IMAGES_REFUSED'
  | 'TOOL_PAIRS_REFUSED'
  | 'KEY_REFUSED'
  | 'RATE_LIMITED'
  | 'MODEL_NOT_REACHED'
  | 'MODEL_REFUSED'

/** What happened and what to do about it. `about` is what belongs to the code: a variable, a time to wait, the server's words. */
export type AgentErrorStrings = Readonly<
  Record<
    AgentErrorCode,
    {
      readonly message: (about: string, facts: AgentErrorFacts) => string
      readonly suggestion: (about: string, facts: AgentErrorFacts) => string
    }
  >
>

/** What else is known of a request that failed. */
export interface AgentErrorFacts {
  /** How often it was sent. */
  readonly tries: number
  /** How long the provider asks to wait, such as `3 min 20 s`; empty where it does not say. */
  readonly wait: string
  /** Whether what answered is likely no model's server. */
  readonly isElsewhere: boolean
}

/** Why an edit was proposed. */
export interface ReasonStrings {
  readonly outdatedCommand: (minutes: number, recent: number) => string
  readonly repeatedRead: (kept: number) => string
  /** Characters before and after, formatted. */
  readonly oldResult: (before: string, after: string) => string
  readonly interruptedCall: string
  readonly orphanResult: string
  readonly doubledResult: string
  readonly strayedResult: string
  readonly binaryFiltered: (kilobytes: string) => string
  readonly outputCut: (cut: OutputCut) => string
  readonly roundsFolded: (messages: number, rounds: number, kept: number) => string
  readonly summariesHidden: (count: number) => string
  /** Of what a client of the gateway asked for itself. */
  readonly clientAsked: string
  /** The policies that go by the bill. Characters arrive formatted. */
  readonly economy: {
    readonly cut: (before: string, after: string) => string
    readonly superseded: string
    readonly repeated: string
    readonly old: (requests: number) => string
    readonly numbers: string
    readonly notShown: string
    readonly shownAbove: (lines: string) => string
    readonly written: (before: string, after: string) => string
    readonly reasoning: string
  }
  /** The last resort, when a request does not fit. Tokens arrive formatted. */
  readonly window: {
    readonly rounds: (kept: number) => string
    readonly steps: string
    readonly result: (before: string, after: string) => string
    readonly call: (before: string, after: string) => string
    readonly media: string
  }
}

/** How a result was shortened. Numbers arrive formatted, except the count of lines that were saved. */
export interface OutputCut {
  readonly characters: string
  readonly maxCharacters: string
  /** The limit of lines, or of matches, where there is one. */
  readonly maxLines: string | null
  readonly kept: 'head' | 'head-and-tail' | 'matches'
  /** Lines with failures, warnings or totals that were kept from the middle. */
  readonly salientLines: number
}

/** Why a part of a request that does not fit cannot be made smaller. */
export type HeavyReason = 'user' | 'system' | 'summary' | 'assistant' | 'reasoning' | 'call' | 'result' | 'media' | 'overhead'

/** A request that cannot be made to fit. Numbers arrive formatted. */
export interface OverflowStrings {
  readonly tokens: (tokens: string, limit: string) => string
  readonly bytes: (bytes: string, limit: string) => string
  readonly images: (images: string, limit: string) => string
  readonly whatToDo: string
  /** One of the parts that are in the way; the message is null for what stands around the conversation. */
  readonly part: (tokens: string, message: string | null, why: string) => string
  readonly why: Readonly<Record<HeavyReason, string>>
}

/** The account of a view. Numbers arrive formatted. */
export interface ViewStrings {
  readonly standardInput: string
  readonly exampleName: string
  readonly example: string
  readonly exampleHint: string
  readonly messages: (count: number) => string
  readonly estimated: string
  readonly exact: (tokenizer: string) => string
  readonly asOf: (time: string) => string
  readonly window: (size: string, reserve: string, cell: string) => string
  /** The window where no cells are drawn, with where its size comes from. */
  readonly windowWithSource: (size: string, reserve: string, source: string) => string
  /** Where the size of the window comes from. */
  readonly windowFrom: {
    readonly model: (model: string, date: string) => string
    /** Of a model that reads less than its window would leave. */
    readonly modelInput: (model: string, tokens: string, date: string) => string
    readonly setting: (where: string) => string
    readonly unknownModel: (model: string) => string
    readonly noModel: string
  }
  readonly overLine: (excess: string, usable: string) => string
  readonly load: (tokens: string, low: string, high: string, share: string) => string
  readonly before: string
  readonly after: string
  readonly system: string
  readonly user: string
  readonly assistant: string
  readonly reasoning: string
  readonly calls: string
  readonly results: string
  readonly unnamedTool: string
  readonly otherTools: (count: number) => string
  readonly media: string
  readonly free: string
  readonly reserve: string
  readonly edits: (count: number) => string
  readonly policy: string
  readonly message: string
  readonly tool: string
  readonly tokens: string
  readonly why: string
  readonly moreEdits: (count: number) => string
  readonly editsOfPolicy: string
  readonly saved: string
  readonly settings: string
  readonly truncationRate: (percent: string, results: number) => string
  readonly problems: (count: number) => string
  readonly problem: (rule: string, message: string) => string
  readonly nothingToTrim: string
  /** Where nothing was trimmed and the conversation still cannot go out as it is. */
  readonly nothingTrimmed: string
  readonly noTimes: string
  readonly closing: (before: string, after: string, percent: string) => string
  readonly conversations: (count: number, shown: number) => string
  /** Lines of a log that could not be read, with the first of them and why. */
  readonly skippedLines: (count: number, line: number, reason: string) => string
  readonly skipReasons: Readonly<Record<SkipReason, string>>
  /** Messages of a log that stand on other branches, and those of agents it started. */
  readonly leftOut: (abandoned: number, sidechains: number) => string
  /** The messages of a log cannot be those that were sent: in this many requests they have this many times the reported tokens. */
  readonly sentTooMuch: (requests: number, times: string) => string
  /** The same if the provider reported this many times their tokens. */
  readonly sentTooLittle: (requests: number, times: string) => string
}

/** Why an entry of another agent's log could not be read. */
export type SkipReason =
  | 'not-json'
  | 'not-utf8'
  | 'too-long'
  | 'too-deep'
  | 'not-an-object'
  /** It should hold a message and does not. */
  | 'no-message'
  /** It has the id of an earlier entry. */
  | 'repeated'
  /** It is a compaction that names messages, or a summary, which are not in the log. */
  | 'bad-compaction'
  /** Here a packed file, or a JSON document, is damaged or ends too early. */
  | 'cut-off'

/** What was wrong with the input, and what to do about it: one sentence or two. */
export interface TroubleStrings {
  readonly notFound: (file: string) => string
  readonly isFolder: (file: string) => string
  readonly noPermission: (file: string) => string
  readonly unreadable: (file: string, code: string) => string
  readonly tooLarge: (file: string, limit: string) => string
  readonly tooManyValues: (file: string, limit: string) => string
  readonly tooManyParts: (file: string, limit: string) => string
  readonly empty: (file: string) => string
  readonly notUtf8: (file: string) => string
  readonly utf16: (file: string) => string
  readonly notJson: (file: string, line: number, column: number, expected: string, came: string) => string
  readonly endOfText: string
  readonly expected: Readonly<Record<JsonExpectation, string>>
  readonly tooDeep: (file: string, place: string, limit: number) => string
  readonly otherFormat: (file: string, format: string) => string
  readonly noMessages: (file: string, came: string) => string
  readonly lineWithoutMessage: (file: string, line: number) => string
  readonly noSuchConversation: (file: string, wanted: number, count: number) => string
  readonly notReadable: (file: string, dialect: string, problem: string) => string
  readonly tooLargeToPrint: (file: string) => string
}

/** What a reader of JSON needed at the place where it failed. */
export type JsonExpectation =
  | 'value'
  | 'key'
  | 'colon'
  | 'comma-or-brace'
  | 'comma-or-bracket'
  | 'end'
  | 'quote'
  | 'escape'
  | 'printable'
  | 'digit'

/** The command line's own words. */
export interface CommandStrings {
  readonly program: string
  readonly view: string
  readonly file: string
  readonly now: string
  readonly root: string
  readonly config: string
  readonly policies: string
  readonly model: string
  readonly dialect: (names: string) => string
  readonly conversation: string
  readonly exact: string
  readonly all: string
  readonly json: string
  readonly noColor: string
  readonly help: string
  readonly version: string
  readonly helpTitles: Readonly<Record<'Usage:' | 'Options:' | 'Arguments:' | 'Commands:', string>>
  /** The headings under which the commands stand. */
  readonly helpGroups: Readonly<Record<'look' | 'agent' | 'behind' | 'sessions' | 'mend', string>>
  /** What stands below all of them. */
  readonly helpHint: string
  readonly examples: string
  readonly error: (message: string) => string
  /** A text as a whole sentence, with its full stop. */
  readonly sentence: (text: string) => string
  /** What stands between two sentences of one line. */
  readonly betweenSentences: string
  readonly seeHelp: (command: string) => string
  readonly didYouMean: (name: string) => string
  readonly unknownCommand: (name: string) => string
  readonly unknownOption: (name: string) => string
  readonly missingValue: (option: string) => string
  readonly tooManyArguments: string
  /** For commands that take no file. */
  readonly excessArguments: string
  readonly missingArgument: (name: string) => string
  readonly badNow: (came: string) => string
  readonly badConversation: (came: string) => string
  readonly badDialect: (names: string, came: string) => string
  readonly noPolicies: string
  readonly badLogLevel: (came: string) => string
  readonly folderGone: string
  readonly notPrinted: (reason: string) => string
  readonly unexpected: (message: string) => string
}

/** What went wrong with a stored session, and what to do about it. */
export interface SessionStrings {
  readonly notFound: (id: string, folder: string) => string
  readonly noHome: string
  readonly inUse: (pid: number, lock: string) => string
  readonly inUseElsewhere: (pid: number, host: string, lock: string) => string
  readonly newerFormat: (version: number, known: number) => string
  readonly cannotRead: (file: string, reason: string) => string
  readonly cannotWrite: (file: string, reason: string) => string
  readonly cannotRestore: (file: string, reason: string) => string
  readonly changedBehind: (file: string) => string
  readonly closed: string
  readonly badEntry: (reason: string) => string
  readonly noEntry: (id: string) => string
  readonly nothingToUndo: string
  /** Why a file system refused, by the system's name for it. */
  readonly reason: (code: string) => string
  readonly lineTorn: (line: number, reason: string) => string
  readonly lineForeign: (line: number, reason: string) => string
  readonly lineNewer: (line: number, reason: string) => string
  readonly lineDuplicate: (line: number, id: string) => string
  readonly lineUnreachable: (line: number, parent: string) => string
  readonly blobLost: (file: string) => string
  readonly blobDamaged: (file: string) => string
  readonly blobTooLarge: (file: string, megabytes: string) => string
}

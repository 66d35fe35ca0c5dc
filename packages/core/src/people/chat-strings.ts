import type { PermissionMode } from '../config.ts'
import type { ColdReason } from '../timing/moment.ts'
import type { TimingAccount } from '../timing/timing-account.ts'

/** The commands that are typed with a slash before them. */
export type ChatCommandName =
  | 'help'
  | 'context'
  | 'trimmed'
  | 'cost'
  | 'compact'
  | 'undo'
  | 'pin'
  | 'unpin'
  | 'recall'
  | 'model'
  | 'mode'
  | 'sessions'
  | 'resume'
  | 'new'
  | 'export'
  | 'quit'

/** What `plimsoll chat` says in the terminal. Numbers arrive formatted; what comes from a model, a tool or a log arrives clean. */
export interface ChatStrings {
  /** Under the first line: how to find out more. */
  readonly hint: string
  readonly placeholder: string

  // What was done.
  readonly thought: (characters: string) => string
  readonly exitCode: (code: number) => string
  readonly lines: (count: string) => string
  readonly matches: (count: string) => string
  readonly files: (count: string) => string
  readonly savedTo: (path: string) => string
  readonly nothingPrinted: string
  readonly moreLines: (count: string) => string
  readonly requests: (count: number) => string
  readonly turnTokens: (prompt: string, answer: string) => string
  readonly readFromCache: (share: string) => string
  readonly turnOutcome: Readonly<Record<'cancelled' | 'failed' | 'stopped', string>>
  readonly compactionNot: Readonly<Record<'unchanged' | 'cancelled', string>>

  // What is being done.
  readonly doing: Readonly<Record<'waiting' | 'thinking' | 'answering' | 'running' | 'compacting', string>>
  readonly escStops: string
  readonly waiting: string

  // The status line.
  readonly offlineModel: string
  readonly measured: string
  readonly estimated: string
  readonly atLeast: (money: string) => string
  readonly hotCache: (share: string) => string
  readonly coldCache: string
  readonly noCache: string
  /** Tokens that wait to be left out. */
  readonly waitingTokens: (tokens: string) => string
  readonly keptAlive: (times: number, money: string) => string

  // Questions.
  readonly mayRun: Readonly<Record<'write' | 'run', (tool: string) => string>>
  /** Where saying `always` counts for the tool, or for this very call. */
  readonly permissionKeys: Readonly<Record<'tool' | 'call', (tool: string) => string>>
  readonly typeReason: string
  readonly listKeys: (place: string) => string
  readonly yes: string
  readonly no: string
  readonly overflow: {
    readonly recovering: string
    readonly sizes: (requested: string, most: string) => string
    readonly part: (what: string, tokens: string) => string
    readonly compress: string
    readonly newSession: string
    readonly otherModel: string
    readonly dismiss: string
  }

  // The prompt.
  readonly pasted: (lines: number) => string
  readonly againToQuit: string
  readonly againToRewind: string
  readonly costOfFile: (tokens: string) => string
  /** The command for it stands on a line of its own. */
  readonly goodbye: string

  // Commands.
  readonly commandsTitle: string
  readonly commands: Readonly<Record<ChatCommandName, string>>
  readonly keysTitle: string
  readonly keys: Readonly<Record<'enter' | 'newLine' | 'mention' | 'tab' | 'history' | 'stop' | 'rewind' | 'leave', string>>
  readonly unknownCommand: (name: string, near: string | null) => string
  readonly toolDefinitions: string
  readonly trimmedSum: (tokens: string) => string
  readonly nothingTrimmed: string
  /** Over the edits that do not take effect yet. */
  readonly waitingTitle: string
  /** What the timing goes by. Amounts arrive as dollars where the price is known, else as tokens. */
  readonly timing: {
    readonly title: string
    readonly decisions: Readonly<Record<TimingAccount['decision'], string>>
    readonly cold: Readonly<Record<ColdReason, string>>
    readonly rows: Readonly<Record<'waiting' | 'debt' | 'price' | 'bank' | 'lifetime' | 'last', string>>
    readonly tokens: (count: string) => string
    readonly lifetime: (minutes: string | null) => string
  }
  readonly recallTitle: string
  readonly noHandle: string
  readonly placesFound: (count: number, query: string) => string
  readonly noPlace: (query: string) => string
  /** The lines are one number, or two with a dash between them. */
  readonly placeLines: (lines: string) => string
  readonly cost: (money: string) => string
  readonly costAtLeast: (money: string, unpriced: number) => string
  /** No request of the session has a known price. */
  readonly costUnknown: (unpriced: number) => string
  readonly requestsTitle: string
  readonly usage: Readonly<Record<'input' | 'cacheRead' | 'cacheWrite' | 'output', string>>
  readonly keepAliveTitle: string
  readonly turnsTitle: string
  readonly unpriced: string
  /** By who writes the summary. */
  readonly compactNow: Readonly<Record<'model' | 'outline', string>>
  readonly nothingToFold: string
  readonly notCompacted: string
  readonly rewindTitle: string
  readonly nothingToRewind: string
  readonly rewound: (text: string, messages: number) => string
  readonly howToGoBack: (command: string) => string
  readonly sessionsTitle: string
  readonly newSession: (id: string) => string
  readonly handedOver: (id: string) => string
  readonly inThisSession: string
  readonly resumed: (id: string, title: string, messages: number) => string
  /** The money is null where nobody knows the price. */
  readonly coldResume: (tokens: string, money: string | null) => string
  /** Each null where nobody knows it. */
  readonly modelFacts: (window: string | null, output: string | null) => string
  readonly price: (input: string, cacheRead: string, output: string, date: string) => string
  readonly noPrice: string
  readonly howToModel: string
  readonly modes: Readonly<Record<PermissionMode, string>>
  readonly badMode: (came: string, modes: string, near: string | null) => string
  readonly howToExport: (id: string) => string
}

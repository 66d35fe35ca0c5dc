import type { ToolKind } from '../tools.ts'

/** What `plimsoll` alone says. Numbers, sizes and times arrive formatted; what comes from a log or a file's name arrives clean. */
export interface OverviewStrings {
  /** One line for the command, and one for its option. */
  readonly help: string
  readonly json: string

  readonly title: (sessions: number, formatted: string) => string
  readonly exampleTitle: string
  /** Where no agent has left a log; the agents by name. */
  readonly noLogs: (agents: string) => string
  readonly span: (first: string, last: string) => string
  /** Where the numbers come from. */
  readonly estimated: string
  readonly priceDate: (date: string) => string

  // The table of agents.
  readonly agent: string
  readonly sessions: string
  readonly requests: string
  readonly held: string
  readonly sent: string
  readonly fromCache: string
  readonly cost: string
  readonly total: string
  /** Where no log says what providers counted. */
  readonly noUsage: string
  /** Where some requests have no usage. */
  readonly someUsage: (requests: string, all: string) => string
  /** What no price is known for: names of models, with their requests. */
  readonly unpriced: (models: string) => string
  /** What stands between the names of a list. */
  readonly between: string
  readonly unpricedModel: (model: string, requests: string) => string
  readonly moreModels: (count: number) => string
  readonly noModel: string
  /** Answers that stand in several logs, as those of a session that was split. */
  readonly repeated: (answers: string) => string

  // What fills the conversations.
  readonly holds: string
  readonly categories: Readonly<Record<OverviewCategory, string>>
  readonly kinds: Readonly<Record<ToolKind, string>>
  readonly otherKinds: string

  readonly readsTitle: string
  readonly reads: (again: string, reads: string, tokens: string) => string
  readonly sameReads: (same: string, tokens: string) => string
  readonly noReads: string

  readonly biggest: string
  readonly unnamedTool: string

  readonly unreadable: (count: number) => string
  readonly moreUnreadable: (count: number) => string
  readonly skippedLines: (count: number, lines: string, files: string) => string
  readonly nothingRead: (files: number) => string

  readonly next: string
  readonly tryReplay: string
  readonly tryView: string
  /** What Plimsoll would send of the example, and what it holds. */
  readonly exampleTrimmed: (sent: string, held: string) => string
  readonly tryExample: string
  readonly tryServe: string
  readonly tryChat: string
  /** While files are read. */
  readonly looking: string
  readonly reading: (done: string, all: string, bytes: string, allBytes: string) => string
}

/** What the tokens of a conversation are. */
export type OverviewCategory = 'system' | 'user' | 'assistant' | 'reasoning' | 'calls' | 'results' | 'images' | 'summaries'

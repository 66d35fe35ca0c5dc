/** What `resume` and `compact` say. Numbers arrive formatted; what comes from a log or a file's name arrives clean. */
export interface RequestCommandStrings {
  readonly help: RequestHelpStrings

  // The next request.
  readonly nextRequest: (session: string) => string
  readonly summaries: (count: number) => string
  readonly summary: (why: string, tokens: string) => string
  readonly rules: (file: string, tokens: string) => string
  /** Of a file that is longer than rules may be. */
  readonly rulesCut: (file: string, bytes: string) => string
  readonly noRules: (files: string) => string
  readonly rulesNotUsed: (file: string, reason: string) => string
  readonly rulesReasons: Readonly<Record<RulesReason, string>>
  readonly recap: string
  /** The command for it stands on lines of its own. */
  readonly compactionDue: string
  /** Where all rounds are among those that stay. */
  readonly compactionKeepsAll: (kept: number) => string
  /** Where no setting would fold anything. */
  readonly compactionInVain: string
  readonly compactionNotDue: (tokens: string) => string
  readonly nothingSaid: string
  readonly notSent: string
  readonly noModel: string
  readonly troubles: (count: number, command: string) => string

  // Compacting.
  readonly writing: (model: string, seconds: number) => string
  readonly written: (characters: string) => string
  /** How much a model is given to read, and why so much. */
  readonly writerReads: (model: string, tokens: string, source: string) => string
  readonly kept: Readonly<Record<'summary' | 'outline' | 'notice', string>>
  readonly moreToFold: string
  /** Stands before the sizes of a conversation, which are not those of a request. */
  readonly beforeTrimming: string
  readonly howToRecall: string
  readonly howToUndo: string
  readonly forked: (id: string, original: string) => string
  readonly nothingToFold: (kept: number) => string
  readonly unchanged: string
  readonly previewed: string
  readonly previewedByCode: (model: string) => string
  readonly undone: (messages: string) => string
  readonly noCompaction: string
  readonly cancelled: string
  readonly noServer: (model: string, providers: string) => string
  readonly noKey: (model: string, variables: string) => string
  readonly badKey: (variable: string) => string
  /** `source` is an option or a variable. */
  readonly badAddress: (source: string) => string
  /** Of a model that nobody but the project's file names. */
  readonly modelOfProject: (model: string) => string
  readonly addressAlone: string
  readonly badKeep: (came: string) => string
  readonly notTogether: (one: string, other: string) => string
}

/** Why a file with rules was not used; `unreadable` covers whatever else the system says. */
export type RulesReason = 'not-a-name' | 'outside-root' | 'not-a-file' | 'is-folder' | 'no-permission' | 'not-utf8' | 'unreadable'

/** One line for each command and option. */
export interface RequestHelpStrings {
  readonly resume: string
  readonly compact: string
  readonly root: string
  readonly model: string
  readonly dialect: (names: string) => string
  readonly resumeJson: string
  readonly fork: string
  readonly preview: string
  readonly undo: string
  readonly focus: string
  readonly keep: string
  readonly writer: string
  readonly baseUrl: string
  readonly compactJson: string
}

/** What `plimsoll inspect` and the replay of one session say. Numbers, sizes and times arrive formatted; names arrive clean. */
export interface InspectStrings {
  /** Where a session has no request that could be sent again. */
  readonly nothingToReplay: string
  readonly cannotReplay: (reason: string) => string
  readonly page: InspectPageStrings
  /** One line for each option and argument; `command` and `server` have those that others share. */
  readonly help: {
    readonly target: string
    readonly last: string
    readonly html: string
    readonly force: string
    readonly open: string
    readonly noRedact: string
    readonly under: string
    readonly policies: string
    readonly json: string
  }
  readonly screen: InspectScreenStrings
  // While it works, and what came of it.
  readonly reading: (name: string) => string
  readonly simulating: (policies: string) => string
  readonly replaying: (done: string, all: string) => string
  readonly writing: (done: string, all: string) => string
  readonly wrote: (file: string, size: string) => string
  readonly wroteUnredacted: string
  readonly example: string
  readonly noReplayOfLarge: (size: string) => string
  readonly noReplayBecause: (reason: string) => string
  // What cannot be.
  readonly nothingThere: (word: string) => string
  readonly notBuilt: string
  readonly onlyWithHtml: (option: string) => string
  readonly cannotOpen: string
  readonly tooManyTargets: string
}

/** What a page says that carries a session with it. */
export interface InspectPageStrings {
  readonly title: string
  readonly needsScript: string
  /** What stands in place of the middle of a text. */
  readonly cutText: (characters: string) => string
  readonly redacted: (secrets: string, homes: string) => string
  readonly notRedacted: string
  readonly shortened: (texts: string) => string
  readonly fewerPictures: (pictures: string) => string
  readonly fewerRequests: (requests: string) => string
  // Why something cannot be shown.
  readonly noData: string
  readonly damaged: string
  readonly otherVersion: (version: string) => string
  readonly requestNotHere: string
  readonly editNotHere: string
  readonly contentNotHere: string
  readonly noReplay: string
}

/** What the inspection of a session says on a terminal. */
export interface InspectScreenStrings {
  /** Where a policy set is assumed to have been in force. */
  readonly simulated: (policies: string, price: string) => string
  readonly untitled: string
  readonly used: (tokens: string, window: string, share: string) => string
  readonly measured: string
  readonly estimated: string
  readonly reserve: (tokens: string) => string
  readonly over: (tokens: string) => string
  readonly free: string
  readonly kept: string
  readonly otherTools: (count: number) => string
  readonly requests: (count: number, formatted: string) => string
  readonly peak: (tokens: string) => string
  readonly compactions: (count: number) => string
  readonly breaks: (count: number) => string
  readonly marks: string
  readonly oneBar: (requests: string) => string
  readonly breakTitle: (count: number) => string
  readonly breakLine: (request: string, reason: string, message: string, tokens: string) => string
  readonly breakReason: Readonly<Record<'edit' | 'fold' | 'model' | 'layers' | 'rewind' | 'idle' | 'unknown', string>>
  readonly byRule: (rule: string) => string
  readonly atMessage: (number: string) => string
  readonly beforeMessages: string
  readonly biggest: string
  readonly shownAs: (tokens: string) => string
  readonly edits: (count: number) => string
  readonly ruleEdits: (count: number, formatted: string, tokens: string) => string
  readonly withdrawn: (count: string) => string
  readonly money: string
  readonly moneyParts: (read: string, write: string, fresh: string, output: string) => string
  readonly unpriced: (count: string) => string
  readonly noMoney: string
  readonly troubles: (count: number) => string
  readonly moreTroubles: (count: string) => string
  readonly next: string
}

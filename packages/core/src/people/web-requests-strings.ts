/** What the web app says in the inspector’s timeline, ledger, diff and what-if. Numbers, sizes and times arrive formatted. */
export interface WebRequestsStrings {
  readonly timeline: TimelineStrings
  readonly ledger: LedgerStrings
  readonly diff: DiffStrings
  readonly whatIf: WhatIfStrings
  /** What a message is called in a sentence: `message 41 (result of run)`. */
  readonly message: (number: string, what: string) => string
  readonly resultOf: (tool: string) => string
  readonly callOf: (tool: string) => string
  readonly unknownTool: string
}

/** Requests over time. */
export interface TimelineStrings {
  readonly title: string
  readonly empty: string
  readonly chart: string
  readonly table: string
  readonly shownAs: string
  readonly height: string
  readonly wholeWindow: string
  readonly fitted: string
  readonly closer: string
  readonly wider: string
  readonly earlier: string
  readonly later: string
  readonly all: string
  readonly fromRequest: string
  readonly toRequest: string
  readonly range: (from: string, to: string, all: string) => string
  readonly merged: (requests: string) => string
  readonly keys: string
  readonly cursor: string
  readonly tokensChart: string
  readonly moneyChart: string
  readonly cacheChart: string
  readonly loadLine: string
  readonly window: string
  readonly aboveChart: (limit: string) => string
  readonly perRequest: string
  readonly inTotal: string
  readonly noPrices: string
  readonly read: string
  readonly write: string
  readonly fresh: string
  readonly noUsage: string
  readonly marks: Readonly<Record<'edits' | 'compactions' | 'breaks', string>>
  readonly legend: string
  readonly hover: (request: string, tokens: string, money: string) => string
  readonly detail: RequestDetailStrings
  readonly columns: RequestColumnStrings
}

/** One request in words. */
export interface RequestDetailStrings {
  readonly title: (request: string, all: string) => string
  readonly previous: string
  readonly next: string
  readonly time: string
  readonly model: string
  readonly notKnown: string
  readonly tokens: string
  readonly counted: (tokens: string) => string
  readonly estimated: (tokens: string) => string
  readonly limit: string
  readonly below: (free: string, limit: string, window: string, reserve: string) => string
  readonly over: (over: string, limit: string, window: string, reserve: string) => string
  readonly usage: string
  readonly reported: (read: string, write: string, fresh: string, output: string) => string
  readonly notReported: string
  readonly simulated: (text: string) => string
  readonly money: string
  readonly paid: (dollars: string, read: string, write: string, fresh: string, output: string) => string
  readonly soFar: (dollars: string) => string
  readonly noPrice: string
  readonly edits: string
  readonly tookEffect: (edits: string, saved: string) => string
  readonly noEdits: string
  readonly waiting: string
  readonly waits: (tokens: string) => string
  readonly compaction: string
  readonly compacted: string
  readonly cache: string
  readonly goesOn: string
  readonly first: string
  readonly changedBy: (message: string, rule: string, tokens: string) => string
  readonly changed: (message: string, reason: string, tokens: string) => string
  readonly changedBefore: (reason: string, tokens: string) => string
  readonly reasons: Readonly<Record<'edit' | 'fold' | 'model' | 'layers' | 'rewind' | 'idle' | 'unknown', string>>
  readonly categories: string
  readonly openMessage: (number: string) => string
  readonly openLast: string
  readonly compare: string
  readonly ledger: string
}

/** The timeline as a table. */
export interface RequestColumnStrings {
  readonly caption: string
  readonly request: string
  readonly time: string
  readonly tokens: string
  readonly ofLimit: string
  readonly read: string
  readonly write: string
  readonly fresh: string
  readonly output: string
  readonly money: string
  readonly happened: string
  readonly edits: (count: string, saved: string) => string
  readonly compacted: string
  readonly broken: (tokens: string) => string
}

/** Every edit. */
export interface LedgerStrings {
  readonly title: string
  readonly empty: string
  readonly foreign: (format: string) => string
  readonly toWhatIf: string
  readonly showUnder: (policies: string) => string
  /** Where a policy set would have changed nothing. */
  readonly emptyUnder: (policies: string) => string
  readonly sums: string
  readonly rule: string
  readonly edits: string
  readonly inForce: string
  readonly saved: string
  readonly total: string
  readonly filters: string
  readonly anyRule: string
  readonly tool: string
  readonly anyTool: string
  readonly noTool: string
  readonly state: string
  readonly anyState: string
  readonly states: Readonly<Record<'in-force' | 'withdrawn', string>>
  readonly request: string
  readonly onlyRequest: (request: string) => string
  readonly clear: string
  readonly count: (shown: string, all: string) => string
  readonly none: string
  readonly sort: string
  readonly inOrder: string
  readonly bySaved: string
  readonly time: string
  readonly message: string
  readonly messages: (first: string, last: string) => string
  readonly tokens: string
  readonly change: (before: string, after: string) => string
  readonly why: string
  readonly cache: string
  readonly caches: Readonly<Record<'free' | 'rewrite', string>>
  readonly notSent: string
  readonly open: (rule: string, message: string) => string
  readonly detail: LedgerDetailStrings
}

/** One edit, opened. */
export interface LedgerDetailStrings {
  readonly loading: string
  readonly original: string
  readonly replacement: string
  readonly nothing: string
  readonly view: string
  readonly sideBySide: string
  readonly unified: string
  readonly openMessage: string
  readonly restore: string
  readonly restoreDoes: string
  readonly restored: string
  readonly pin: string
  readonly pinDoes: string
  readonly pinned: string
  readonly isPinned: string
  readonly isWithdrawn: string
  readonly cannotChange: string
  readonly isSimulated: string
}

/** Two requests compared. */
export interface DiffStrings {
  readonly title: string
  readonly tooFew: string
  readonly first: string
  readonly second: string
  readonly earlier: (which: string) => string
  readonly later: (which: string) => string
  readonly previousPair: string
  readonly nextPair: string
  readonly swap: string
  readonly loading: string
  readonly about: (time: string, tokens: string) => string
  readonly proven: string
  readonly notProven: string
  readonly simulated: string
  readonly titleSimulated: string
  readonly sum: (same: string, changed: string, removed: string, added: string) => string
  readonly identical: string
  readonly cacheHolds: (messages: string, tokens: string) => string
  readonly cacheGoesOn: (messages: string, tokens: string, added: string) => string
  readonly cacheNone: string
  readonly otherModel: (before: string, after: string) => string
  readonly backwards: string
  readonly endOfCache: (tokens: string) => string
  readonly steps: Readonly<Record<'same' | 'changed' | 'removed' | 'added', string>>
  readonly folded: Readonly<Record<'same' | 'changed' | 'removed' | 'added', (messages: string) => string>>
  readonly foldedLines: (lines: string) => string
  readonly show: string
  readonly tokens: (tokens: string) => string
  readonly tokensChange: (before: string, after: string) => string
  readonly place: (place: string) => string
  readonly places: (before: string, after: string) => string
  readonly reasoning: string
  readonly text: string
  readonly media: (type: string) => string
  readonly mediaChanged: string
  readonly optionsChanged: string
  readonly tooLarge: string
  readonly moreMessages: (messages: string) => string
  readonly moreLines: (lines: string) => string
  readonly wholeLine: (characters: string) => string
  readonly lines: Readonly<Record<'same' | 'removed' | 'added', string>>
  readonly emptyText: string
}

/** The same session under other policies and prices. */
export interface WhatIfStrings {
  readonly title: string
  readonly about: string
  readonly policies: string
  readonly prices: string
  readonly addPrice: string
  readonly removePrice: (name: string) => string
  readonly others: (count: string) => string
  readonly aboutPolicies: Readonly<Record<string, string>>
  readonly aboutPrices: Readonly<Record<string, string>>
  readonly modelPrice: string
  readonly compare: string
  readonly long: (requests: string) => string
  readonly loading: string
  readonly working: string
  readonly cancel: string
  readonly cancelled: string
  readonly nothingChosen: string
  readonly simulated: (requests: string, overhead: string) => string
  readonly calibrated: string
  readonly notCalibrated: string
  readonly noTimes: string
  readonly atPrice: (price: string) => string
  readonly set: string
  readonly bill: string
  readonly effective: string
  readonly change: string
  readonly peak: string
  readonly inView: string
  readonly reachable: string
  readonly lost: string
  readonly recalls: string
  readonly notNeeded: string
  readonly whatMeans: string
  readonly meaning: string
  readonly parts: Readonly<Record<'read' | 'write' | 'fresh' | 'output' | 'recalls' | 'keepAlive', string>>
  readonly partsTitle: string
  readonly promptsTitle: string
  readonly promptsAxis: (requests: string) => string
  readonly verdicts: Readonly<
    Record<WhatIfVerdictName, (set: string, share: string, lost: string, count: number, grew: string | null) => string>
  >
}

/** What can come of a policy set. */
export type WhatIfVerdictName = 'raw' | 'cheaper' | 'cheaper-lossy' | 'same' | 'same-lossy' | 'dearer' | 'dearer-lossy'

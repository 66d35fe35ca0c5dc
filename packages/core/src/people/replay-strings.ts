/** What `plimsoll replay` says. Numbers arrive formatted; names of files and sessions arrive clean. */
export interface ReplayStrings {
  /** The language itself, as pages name it. */
  readonly language: string
  /** One line for the command, and one for each of its options and arguments. */
  readonly help: {
    readonly replay: string
    readonly path: string
    readonly policies: string
    readonly prices: string
    readonly sessions: string
    readonly html: string
    readonly force: string
    readonly json: string
  }

  readonly title: (sessions: number, formatted: string, requests: string) => string
  readonly basis: (date: string, configuration: string) => string
  /** What users would get: most of them through the gateway. `group` is the heading of the sessions that the figures are of. */
  readonly headline: (
    group: string,
    changes: { readonly gateway: string; readonly signed: string | null; readonly library: string | null },
  ) => string
  /** What is taken for granted; it stands at every table. */
  readonly assumption: string
  /** How far the bills of a table can be relied on; it stands at every table. */
  readonly tier: (calibrated: string, timed: string, all: string) => string

  // Titles of tables, and of plots on the page.
  readonly stratum: Readonly<Record<'>100' | '20-100' | '<20' | 'all', (sessions: string) => string>>
  readonly regimes: string
  readonly split: (row: string) => string
  readonly models: string
  readonly frontier: (row: string) => string
  readonly distribution: (row: string) => string
  readonly intervals: (row: string) => string
  readonly perRow: string

  // Heads of columns: at most four columns wide where the table is narrow.
  readonly policySet: string
  readonly bill: string
  readonly effective: string
  readonly needs: string
  readonly inView: string
  readonly reachable: string
  readonly lost: string
  readonly edits: string
  readonly worst: string
  readonly interval: string
  readonly fiveMinutes: string
  readonly hour: string
  readonly warm: string
  readonly hits: string
  readonly peak: string
  readonly parts: Readonly<Record<'read' | 'write' | 'fresh' | 'output' | 'summaries' | 'keepAlive' | 'recalls', string>>
  readonly faults: string
  readonly removed: string
  readonly median: string
  readonly decile: string
  readonly regret: string
  readonly priceRow: string
  readonly otherBest: string
  readonly session: string
  readonly requests: string
  readonly dollars: string

  // What stands under tables.
  readonly legend: string
  readonly regimesLegend: string
  readonly splitLegend: string
  readonly sensitivity: (set: string, one: string, two: string, five: string) => string
  readonly invalid: (set: string, sessions: number, gates: string) => string
  readonly gates: Readonly<
    Record<'pairs' | 'user-text' | 'same-bytes' | 'prefix' | 'recall' | 'characters' | 'user-rules', string>
  >
  readonly noSessions: string

  /** Heads a list of sessions whose messages cannot be those that were sent. */
  readonly mismatched: (count: number) => string
  readonly mismatches: Readonly<Record<'sent-too-much' | 'sent-too-little', (session: string) => string>>
  readonly unreadable: (count: number) => string
  readonly unreadableEntries: (path: string, entries: string) => string
  readonly moreUnreadable: (count: number) => string
  readonly noRequests: (path: string) => string
  readonly notFound: (path: string) => string
  readonly failed: (path: string, reason: string) => string
  readonly nothingRead: string
  readonly unknownPolicySet: (name: string, names: string) => string
  readonly unknownPriceRow: (name: string, names: string) => string
  readonly badSessions: (came: string) => string
  readonly wrotePage: (file: string, size: string) => string

  /** While it runs. */
  readonly reading: (files: string) => string
  readonly replaying: (done: string, all: string) => string
}

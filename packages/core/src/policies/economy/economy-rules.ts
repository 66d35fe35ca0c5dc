export type ResultClass = 'read' | 'search' | 'terminal' | 'edit' | 'recall' | 'other'

/** All numbers of the economy policies. Ages are requests since a result was first sent; `Infinity` switches a rule off. */
export interface EconomyRules {
  /** Shows the number of every n-th line of a file. */
  readonly numberEvery: number
  /** Characters above which a result is cut when first sent. */
  readonly cutOver: Readonly<Record<ResultClass, number>>
  /** Characters such a cut leaves. */
  readonly cutTo: Readonly<Record<ResultClass, number>>
  /** Shares of head and tail in a cut; the rest is for salient lines between them. */
  readonly headShare: number
  readonly tailShare: number
  /** A cut to fewer characters keeps what differs first, without line numbers, and gives head and tail what is left. */
  readonly tightBelow: number
  /** Paths listed from the cut text. */
  readonly cutPaths: number

  /** Minimum length of a run of repeated lines, in lines and characters, to omit it. */
  readonly repeatedLines: number
  readonly repeatedCharacters: number

  /** Age at which a result becomes a stub, by class. */
  readonly stubAfter: Readonly<Record<ResultClass, number>>
  /** Age of the first edit of a file at which earlier reads of it become stubs. */
  readonly stubReadAfterEdit: number
  /** Age at which a failure becomes a stub: an unresolved one, and one whose call succeeded later. */
  readonly stubErrorAfter: number
  readonly stubResolvedErrorAfter: number
  /** Age at which a read gives way to a newer one of the same lines, while that is shown in full. */
  readonly supersededAfter: number
  /** Age at which a command's output gives way to that of the same command, rerun with success. */
  readonly repeatedAfter: number
  /** Age at which only the handle is left. Failures keep their error lines. */
  readonly placeholderAfter: number
  /** Tokens above which a result is cut again, the age for that, and the characters left. */
  readonly capOver: number
  readonly capAfter: number
  readonly capTo: number
  /**
   * Reads change only when nothing is cached, unless a newer copy is shown. If the cache never expires, or a cached token costs at least this share of other
   * input, keeping them is too expensive, and from a separate age on only the handle is left.
   */
  readonly costlyCacheRead: number
  readonly placeholderAfterIfCacheIsCostly: number

  /** Tokens below which a result stays. */
  readonly minTokens: number
  /** How many of the newest results stay: while something is cached, and when nothing is. */
  readonly keepRecent: number
  readonly keepRecentCold: number
  /** Keeps a result that shares at least `sharedIdentifiers` rare identifiers with the arguments of the last `sharedRequests` requests. */
  readonly sharedIdentifiers: number
  readonly sharedRequests: number
  /** An identifier is rare if at most this many results contain it. */
  readonly rareIn: number

  /** Limits of a stub: characters of the path or command, of each line, and the numbers of error lines and paths. */
  readonly stubAbout: number
  readonly stubWidth: number
  readonly stubErrorLines: number
  readonly stubPaths: number

  /** Characters above which a text in the arguments of a call that wrote a file is shortened, and what is left of it. */
  readonly argumentsOver: number
  readonly argumentsTo: number
  /** Age at which that happens: to replaced text, and to all of it. */
  readonly oldTextAfter: number
  readonly argumentsAfter: number
  /** Requests for which a file is in use after its last read or change; calls that wrote it stay until then. */
  readonly inUseFor: number

  /** Age at which reasoning is dropped: of finished rounds, and of the running one. */
  readonly reasoningAfter: number
  readonly runningReasoningAfter: number
}

export const defaultEconomyRules: EconomyRules = {
  numberEvery: 10,
  cutOver: { read: Number.POSITIVE_INFINITY, search: 4000, terminal: 4000, edit: 24_000, recall: 24_000, other: 24_000 },
  cutTo: { read: Number.POSITIVE_INFINITY, search: 4000, terminal: 4000, edit: 24_000, recall: 24_000, other: 24_000 },
  headShare: 0.45,
  tailShare: 0.25,
  tightBelow: 2000,
  cutPaths: 80,

  repeatedLines: 3,
  repeatedCharacters: 160,

  stubAfter: { read: 10, search: 8, terminal: 8, edit: 20, recall: 4, other: 20 },
  stubReadAfterEdit: 3,
  stubErrorAfter: 15,
  stubResolvedErrorAfter: 8,
  supersededAfter: 1,
  repeatedAfter: 1,
  placeholderAfter: 20,
  capOver: 5000,
  capAfter: 1,
  capTo: 6000,
  costlyCacheRead: 0.15,
  placeholderAfterIfCacheIsCostly: 20,

  minTokens: 120,
  keepRecent: 8,
  keepRecentCold: 4,
  sharedIdentifiers: 3,
  sharedRequests: 3,
  rareIn: 4,

  stubAbout: 80,
  stubWidth: 160,
  stubErrorLines: 3,
  stubPaths: 20,

  argumentsOver: 600,
  argumentsTo: 160,
  oldTextAfter: 8,
  argumentsAfter: 60,
  inUseFor: 20,

  reasoningAfter: 0,
  runningReasoningAfter: Number.POSITIVE_INFINITY,
}

/** What a result is about, as far as it decides how long it is worth its place. */
export type ResultClass = 'read' | 'search' | 'terminal' | 'edit' | 'recall' | 'other'

/**
 * All numbers of the economy policies. Ages are counted in requests since a result was first sent; `Infinity` switches a rule off.
 * Whether something changes at once or waits is not decided here.
 */
export interface EconomyRules {
  /** Of the numbers before the lines of a file, those of every so many are shown. */
  readonly numberEvery: number
  /** Characters above which a result is cut at first sight, for ever. */
  readonly cutOver: Readonly<Record<ResultClass, number>>
  /** Characters such a cut leaves, besides the list of paths. */
  readonly cutTo: Readonly<Record<ResultClass, number>>
  /** Which share of a cut is its head, and which its tail; the rest is for lines between them that matter. */
  readonly headShare: number
  readonly tailShare: number
  /** Paths listed out of what was cut away. */
  readonly cutPaths: number

  /** Lines in a row, and characters of them, from which on what an earlier result shows is not shown again. */
  readonly repeatedLines: number
  readonly repeatedCharacters: number

  /** Age from which on a result is one stub, by class. */
  readonly stubAfter: Readonly<Record<ResultClass, number>>
  /** Age of the first edit of a file from which on what was read of it before is a stub. */
  readonly stubReadAfterEdit: number
  /** Age from which on a failure is a stub: one that nothing resolved, and one whose call succeeded later. */
  readonly stubErrorAfter: number
  readonly stubResolvedErrorAfter: number
  /** Age from which on a read gives way to a newer one of the same lines, as long as that one is shown whole. */
  readonly supersededAfter: number
  /** Age from which on a command's output gives way to that of the same command, run again with success. */
  readonly repeatedAfter: number
  /** Age from which on nothing but the way back is left. Failures keep their error lines. */
  readonly placeholderAfter: number
  /** Tokens above which a result is cut once more, the age for that, and the characters left then. */
  readonly capOver: number
  readonly capAfter: number
  readonly capTo: number
  /**
   * Reads change only when nothing is cached, unless a newer copy is shown. Where a cached token costs this share of other input or
   * more, carrying them is too dear for that, and they may be a stub from an age of their own on.
   */
  readonly dearRead: number
  readonly stubDearReadAfter: number

  /** Tokens below which a result stays. */
  readonly leastTokens: number
  /** The newest results, which stay: while something is cached, and when nothing is. */
  readonly keepRecent: number
  readonly keepRecentCold: number
  /** A result stays that has so many rare identifiers in common with the arguments of so many latest requests. */
  readonly sharedIdentifiers: number
  readonly sharedRequests: number
  /** An identifier is rare that stands in at most so many results. */
  readonly rareIn: number

  /** What a stub shows: characters of the path or command, of each line, and how many error lines and paths. */
  readonly stubAbout: number
  readonly stubWidth: number
  readonly stubErrorLines: number
  readonly stubPaths: number

  /** Characters above which a text in the arguments of a call that wrote a file is shortened, and what is left of it. */
  readonly argumentsOver: number
  readonly argumentsTo: number
  /** Age from which on that happens: to text that was replaced and is gone, and to all of it. */
  readonly oldTextAfter: number
  readonly argumentsAfter: number
  /** A file counts as in use for so many requests after it was read or changed; what was written to it stays then. */
  readonly inUseFor: number

  /** Age from which on thoughts are left out: of rounds that are over, and of the running one. */
  readonly reasoningAfter: number
  readonly runningReasoningAfter: number
}

/** The numbers in force unless others are given. */
export const defaultEconomyRules: EconomyRules = {
  numberEvery: 10,
  cutOver: { read: Number.POSITIVE_INFINITY, search: 4000, terminal: 4000, edit: 24_000, recall: 24_000, other: 24_000 },
  cutTo: { read: Number.POSITIVE_INFINITY, search: 4000, terminal: 4000, edit: 24_000, recall: 24_000, other: 24_000 },
  headShare: 0.45,
  tailShare: 0.25,
  cutPaths: 80,

  repeatedLines: 3,
  repeatedCharacters: 160,

  stubAfter: { read: 10, search: 8, terminal: 8, edit: 60, recall: 4, other: 60 },
  stubReadAfterEdit: 3,
  stubErrorAfter: 15,
  stubResolvedErrorAfter: 8,
  supersededAfter: 1,
  repeatedAfter: 1,
  placeholderAfter: 80,
  capOver: 5000,
  capAfter: 1,
  capTo: 6000,
  dearRead: 0.15,
  stubDearReadAfter: 20,

  leastTokens: 120,
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

/** What `plimsoll inspect` and the replay of one session say. Numbers, sizes and times arrive formatted; names arrive clean. */
export interface InspectStrings {
  /** Where a session has no request that could be sent again. */
  readonly nothingToReplay: string
  readonly cannotReplay: (reason: string) => string
  readonly page: InspectPageStrings
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
  readonly pictureNotHere: string
  readonly noReplay: string
}

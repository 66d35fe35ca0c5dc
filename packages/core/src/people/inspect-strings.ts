/** What `plimsoll inspect` and the replay of one session say. Numbers, sizes and times arrive formatted; names arrive clean. */
export interface InspectStrings {
  /** Where a session has no request that could be sent again. */
  readonly nothingToReplay: string
  readonly cannotReplay: (reason: string) => string
}

/** What `plimsoll statusline` says, as short as it can be. Numbers arrive formatted. */
export interface StatuslineStrings {
  readonly help: {
    readonly statusline: string
    readonly json: string
  }
  /** How full the window is: by what the provider counted, or by an estimate. */
  readonly measured: (used: string, usable: string, share: string) => string
  readonly estimated: (used: string, usable: string, share: string) => string
  /** The window's size is not known. */
  readonly usedOnly: (used: string) => string
  readonly cacheHot: (left: string) => string
  readonly cacheCold: string
  readonly minutes: (minutes: number) => string
  readonly seconds: (seconds: number) => string
  readonly cost: (money: string) => string
  readonly trimmable: (tokens: string) => string
}

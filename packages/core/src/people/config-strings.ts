/** What `plimsoll config` says. */
export interface ConfigStrings {
  readonly help: {
    readonly config: string
    readonly key: string
    readonly showOrigin: string
    readonly root: string
    readonly json: string
  }
  readonly unknownKey: (key: string, near: string | null) => string
  /** What stands in place of a secret. */
  readonly secret: string
}

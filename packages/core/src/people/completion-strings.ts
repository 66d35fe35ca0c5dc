/** What `plimsoll completion` says. */
export interface CompletionStrings {
  readonly help: {
    readonly completion: string
    readonly shell: (shells: string) => string
  }
  readonly badShell: (shells: string, came: string) => string
}

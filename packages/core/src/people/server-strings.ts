/** What the server, `plimsoll serve` and `plimsoll inspect` say. What comes from a request or a file’s name arrives clean. */
export interface ServerStrings {
  readonly help: { readonly serve: string; readonly inspect: string }
}

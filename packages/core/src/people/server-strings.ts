import type { InspectStrings } from './inspect-strings.ts'
import type { InspectingStrings } from './server-inspecting-strings.ts'
import type { SessionRefusalStrings } from './server-sessions-strings.ts'

/** What the server, `plimsoll serve` and `plimsoll inspect` say. What comes from a request or a file’s name arrives clean. */
export interface ServerStrings {
  readonly inspect: InspectStrings
  readonly help: { readonly serve: string; readonly inspect: string }
  readonly serve: ServeStrings
  readonly refusals: RefusalStrings
  readonly sessions: SessionRefusalStrings
  readonly inspecting: InspectingStrings
}

/** What `plimsoll serve` says. */
export interface ServeStrings {
  readonly help: {
    readonly port: string
    readonly host: string
    readonly public: string
    readonly token: string
    readonly open: string
    readonly json: string
  }
  readonly badPort: (given: string) => string
  readonly badHost: (given: string) => string
  readonly needsPublic: (host: string) => string
  readonly needsToken: (host: string) => string
  /** Never with the token itself; `source` is where it was given. */
  readonly badToken: (source: string) => string
  readonly portTaken: (port: string) => string
  readonly portsTaken: (first: string, last: string) => string
  readonly otherPort: (taken: string, port: string) => string
  readonly cannotListen: (host: string, port: string, reason: string) => string
  /** By the system’s name for it. */
  readonly listenReason: (code: string) => string
  readonly ready: (address: string) => string
  readonly howToStop: string
  readonly isPublic: string
  readonly closing: string
  readonly notOpened: string
  /** In place of the web app where it is not there. Both languages are shown, one after the other. */
  readonly notBuilt: string
  /** Written to standard error: `where` names no file and no text of the user. */
  readonly fault: (where: string) => string
}

/** Why the server did not do what it was asked: what happened, and what to do about it where there is something to do. */
export type RefusalStrings = Readonly<
  Record<RefusalCode, { readonly message: string; readonly suggestion: string | null }> & {
    readonly TOO_LARGE: { readonly message: (most: string) => string; readonly suggestion: string | null }
  }
>

/** The refusals of the server itself, by their stable names. */
type RefusalCode =
  | 'NO_TOKEN'
  | 'WRONG_TOKEN'
  | 'WRONG_HOST'
  | 'WRONG_ORIGIN'
  | 'WRONG_TYPE'
  | 'NO_LENGTH'
  | 'NO_SUCH_ADDRESS'
  | 'CLOSING'
  | 'UNEXPECTED'

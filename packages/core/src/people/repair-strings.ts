import type { MendKind } from '../repair/mend.ts'

/** What `plimsoll repair` says. Numbers and sizes arrive formatted; what comes from a log or a file's name arrives clean. */
export interface RepairStrings {
  readonly help: {
    readonly repair: string
    readonly file: string
    readonly out: string
    readonly keepImages: string
    readonly json: string
  }
  readonly title: (file: string, format: string) => string
  readonly lines: (count: number, formatted: string) => string
  /** Where nothing is broken. */
  readonly whole: string
  readonly mended: (count: number, formatted: string) => string
  readonly line: (line: string) => string
  /** In a JSON document, places are counted by messages. */
  readonly message: (message: string) => string
  readonly more: (count: string) => string
  readonly mends: Readonly<Record<MendKind, string>>
  readonly to: (line: string) => string
  readonly toBeginning: string
  readonly tool: (tool: string) => string
  readonly written: (file: string, size: string) => string
  readonly pictures: (count: number, folder: string) => string
  readonly untouched: string
  readonly checked: string
  readonly left: (unreadable: number, problems: number) => string
  readonly reading: (file: string) => string
  readonly notFound: (file: string) => string
  readonly progress: (bar: string, done: string) => string
  // What can go wrong.
  readonly exists: (file: string) => string
  readonly notWritten: (file: string, reason: string) => string
  readonly store: (agent: string) => string
  readonly sameFile: string
}

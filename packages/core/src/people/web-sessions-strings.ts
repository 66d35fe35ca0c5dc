import type { ExportFormat } from '../session/export-format.ts'

/** What the web app says in the list of sessions and logs, and in what can be done with one. Numbers, sizes and times arrive formatted. */
export interface WebSessionsStrings {
  readonly newChat: string
  readonly search: string
  readonly searchKey: string
  readonly list: string
  readonly today: string
  readonly yesterday: string
  readonly untitled: string
  readonly messages: (count: string) => string
  readonly busy: string
  readonly forked: string
  readonly carriedOn: string
  readonly unreadable: string
  readonly unreadableAbout: (id: string) => string
  readonly loading: string
  readonly empty: string
  readonly emptyAbout: string
  readonly noMatch: (search: string) => string
  readonly found: (count: string) => string
  readonly actionsOf: (title: string) => string
  readonly inspect: string
  readonly fork: string
  readonly export: string
  readonly remove: string
  readonly cancel: string
  readonly logs: string
  readonly removal: {
    readonly title: string
    readonly about: (title: string) => string
    readonly what: (messages: string, bytes: string) => string
    readonly forever: string
    readonly busy: string
    readonly confirm: string
    readonly atWork: string
  }
  readonly exporting: {
    readonly title: string
    readonly format: string
    readonly formats: Readonly<Record<ExportFormat, string>>
    readonly redact: string
    readonly redactAbout: string
    readonly notRedacted: string
    readonly save: string
    readonly atWork: string
    readonly html: (command: string) => string
  }
  readonly logScreen: {
    readonly title: string
    readonly about: string
    readonly search: string
    readonly looking: string
    readonly found: (count: string) => string
    readonly noMatch: (search: string) => string
    readonly empty: string
    readonly emptyAbout: (agents: string) => string
    readonly byHand: (command: string) => string
    readonly choose: string
    readonly drop: string
    readonly limit: (bytes: string) => string
    readonly tooLarge: (name: string, bytes: string, limit: string) => string
    readonly emptyFile: (name: string) => string
    readonly oneOnly: string
    readonly sending: (name: string, bytes: string) => string
    readonly opening: (name: string) => string
    readonly handedOver: string
    /** In place of an agent's name for what went through a gateway. */
    readonly gateway: string
    readonly requests: (count: string) => string
    readonly sessionsIn: (name: string) => string
    readonly sessionsAbout: (count: string, format: string) => string
    readonly noSessions: string
    readonly close: string
  }
}

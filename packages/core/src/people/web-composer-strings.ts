import type { PermissionMode } from '../config.ts'

/** What the web app says around the field that is typed into. Numbers arrive formatted. */
export interface WebComposerStrings {
  readonly field: string
  readonly placeholder: string
  readonly placeholderBusy: string
  readonly hint: string
  readonly hintBusy: string
  readonly send: string
  readonly queue: string
  readonly stop: string
  readonly stopping: string
  /** Over what was typed while the agent was busy. */
  readonly queued: (count: number) => string
  readonly queuedHint: string
  readonly model: string
  readonly mode: string
  readonly modes: Readonly<Record<PermissionMode, string>>
  readonly menu: string
  readonly files: string
  readonly filesFound: (count: number) => string
  readonly noFiles: (search: string) => string
  readonly fileTokens: (tokens: string) => string
  readonly fileTokensUnknown: string
  readonly commands: {
    readonly compact: string
    readonly compactAbout: string
    readonly goBack: string
    readonly goBackAbout: string
    readonly resume: string
    readonly resumeAbout: string
    readonly handOver: string
    readonly handOverAbout: string
    readonly fork: string
    readonly forkAbout: string
    readonly inspect: string
    readonly inspectAbout: string
    readonly export: string
    readonly exportAbout: string
  }
}

import type { ToolAccess } from '../event.ts'

/** What kind of thing a large part of a request is. */
export type BigPartKind =
  | 'system'
  | 'user'
  | 'assistant'
  | 'reasoning'
  | 'summary'
  | 'tool-definitions'
  | 'call'
  | 'result'
  | 'media'
  | 'other'

/** What the web app says in the dialogs of a chat. Numbers arrive formatted; what comes from a model or a tool arrives clean. */
export interface WebDialogsStrings {
  readonly close: string
  readonly cancel: string
  readonly permission: {
    readonly title: Readonly<Record<ToolAccess, (tool: string) => string>>
    readonly preview: string
    /** Of a preview that is cut: lines that are not shown. */
    readonly moreLines: (count: string) => string
    readonly showAll: string
    readonly once: string
    readonly session: string
    /** What answering for the session allows. */
    readonly scope: Readonly<Record<'tool' | 'call', (tool: string) => string>>
    readonly no: string
    readonly noWithWords: string
    readonly reason: string
    readonly reasonPlaceholder: string
    readonly sendReason: string
    readonly back: string
    readonly stop: string
    readonly later: string
    readonly keysHint: string
    /** Beside the question while it is set aside. */
    readonly waiting: (tool: string) => string
    readonly answer: string
    readonly sending: string
  }
  readonly overflow: {
    readonly title: string
    readonly sizes: (requested: string, max: string) => string
    readonly overBy: (tokens: string) => string
    readonly biggest: string
    readonly part: Readonly<Record<BigPartKind, (about: string) => string>>
    readonly tokens: (tokens: string) => string
    readonly tried: (remedies: string) => string
    readonly remedies: Readonly<Record<'compress' | 'shorten-answer' | 'drop-media' | 'repair-pairs', string>>
    readonly newSession: string
    readonly newSessionAbout: string
    readonly compress: string
    readonly compressAbout: string
    readonly largerModel: string
    readonly largerModelAbout: string
    readonly windowOf: (model: string, window: string) => string
    readonly windowUnknown: (model: string) => string
    readonly noLargerModel: string
    readonly setAside: string
    readonly choose: string
    readonly inHand: string
  }
  readonly compact: {
    readonly title: string
    readonly about: string
    readonly focus: string
    readonly focusPlaceholder: string
    readonly start: string
  }
  readonly goBack: {
    readonly title: string
    readonly about: string
    readonly search: string
    readonly list: string
    readonly earlier: string
    readonly loading: string
    readonly nothing: string
    readonly noMatch: string
    readonly nothingSaid: string
  }
}

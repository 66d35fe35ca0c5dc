import type { ToolAccess } from '../event.ts'

/** What the web app says in the conversation of a chat and above it. Numbers, sizes and times arrive formatted; what comes from a model or a tool arrives clean. */
export interface WebConversationStrings {
  readonly loading: string
  readonly untitled: string
  /** The list of messages. */
  readonly list: string
  readonly you: string
  readonly model: string
  readonly thinking: string
  readonly thought: (characters: string) => string
  readonly folded: string
  readonly summary: string
  readonly newMessages: string
  readonly toEnd: string
  readonly broken: string
  /** Of an answer that broke off. */
  readonly lost: string
  readonly empty: string
  readonly emptyOffline: string
  readonly offlineExamples: readonly string[]
  readonly connectionLost: string
  readonly from: Readonly<Record<'fork' | 'compaction', string>>
  readonly copy: string
  readonly copied: string
  readonly notCopied: string
  readonly showMore: (characters: string) => string
  readonly showAll: (characters: string) => string
  readonly showLess: string
  /** A picture in a text, which is never loaded. */
  readonly remoteImage: (about: string) => string
  readonly tool: {
    readonly status: Readonly<Record<'running' | 'done' | 'failed' | 'refused' | 'missing', string>>
    readonly access: Readonly<Record<ToolAccess, string>>
    readonly waits: string
    readonly unnamed: string
    readonly input: string
    readonly output: string
    readonly result: string
    readonly changes: string
    readonly progress: (tool: string) => string
    /** How far a picture is, for those who do not read the words that come with it; the seconds are those it has taken. */
    readonly picture: {
      readonly model: (model: string) => string
      readonly expanding: string
      readonly generating: string
      readonly generatingFor: (seconds: string) => string
      readonly complete: string
    }
    readonly image: string
    readonly imageAt: (path: string) => string
    readonly enlarge: (image: string) => string
    readonly close: string
    readonly imageLoading: string
    readonly imageFailed: string
  }
  readonly compaction: {
    readonly title: string
    readonly folding: (messages: string, rounds: string, kept: string, tokens: string) => string
    readonly takesTime: string
  }
  readonly head: {
    /** Around the small load line, which leads to the inspector. */
    readonly inspect: string
    readonly load: (used: string, usable: string, reserve: string, source: string) => string
    readonly loadShort: (used: string, usable: string) => string
    readonly unmeasured: string
    readonly cost: (money: string) => string
    readonly costAtLeast: (money: string) => string
    readonly costUnknown: string
    readonly cacheWarm: (minutes: string) => string
    readonly cacheCold: string
    readonly cacheAbout: string
    readonly waiting: (tokens: string) => string
    readonly waitingAbout: string
    readonly mode: (mode: string) => string
  }
  readonly message: {
    readonly menu: string
    readonly rewind: string
    readonly rewindAbout: string
    readonly fork: string
    readonly forkAbout: string
    readonly rewound: (count: number) => string
  }
  /** What is said to those who cannot see it, when a turn begins and ends. */
  readonly announce: { readonly began: string; readonly ended: string }
}

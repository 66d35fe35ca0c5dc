/** What the commands for stored sessions say. Numbers, sizes and times arrive formatted; what comes from a log arrives clean. */
export interface SessionCommandStrings {
  readonly help: SessionHelpStrings

  // Choosing a session and a message.
  readonly noSessions: (folder: string) => string
  readonly howToImport: string
  readonly noSuchSession: (came: string, near: string | null) => string
  readonly severalSessions: (came: string, ids: string, more: number) => string
  readonly fullIdsOnly: (came: string, near: string | null) => string
  readonly noSuchMessage: (came: string, messages: string) => string
  readonly notOnBranch: (came: string) => string

  // The list.
  readonly list: (count: number) => string
  readonly messages: (count: number, formatted: string) => string
  readonly untitled: string
  readonly splitFrom: (id: string) => string
  readonly olderSessions: (count: number) => string
  readonly unreadable: (ids: string) => string
  readonly howToShow: string

  // Changing a session.
  readonly removed: (id: string, title: string | null) => string
  readonly removedBefore: (ids: string) => string
  readonly rewound: (number: string, first: string, left: number) => string
  readonly rewoundToStart: (left: number) => string
  readonly alreadyThere: string
  readonly howToGoBack: (command: string) => string
  readonly forked: (messages: string, id: string) => string
  readonly pinned: (message: string) => string
  readonly alreadyPinned: (message: string) => string
  readonly unpinned: (message: string) => string
  readonly notPinned: (message: string) => string
  readonly restored: (edit: string) => string
  readonly restoredAndPinned: (edit: string, message: string) => string
  readonly comesBack: (policy: string) => string
  readonly noSuchEdit: (came: string, near: string | null) => string

  // Importing.
  readonly imported: (messages: string, id: string) => string
  readonly importedFormat: (format: string) => string
  readonly importedUsages: (count: string) => string
  readonly importedRest: (abandoned: number, sidechains: number) => string
  readonly severalConversations: (file: string, count: string) => string
  readonly nothingToImport: (file: string) => string
  readonly importStopped: (before: number) => string
  readonly blobsBeside: (file: string) => string
  readonly reading: (file: string) => string
  readonly storing: (done: string, all: string) => string
  readonly tryNext: string
  readonly tryShow: string
  readonly tryResume: string
  readonly tryRecall: string

  // Showing.
  readonly session: (id: string) => string
  readonly begun: (time: string) => string
  readonly format: (version: number) => string
  readonly branch: (leaf: string, branches: number) => string
  readonly tokens: (count: string) => string
  readonly messageList: string
  readonly earlierMessages: (count: string) => string
  readonly isPinned: string
  readonly isFolded: string
  readonly isSummary: string
  readonly folds: (count: number) => string
  readonly fold: (first: string, last: string, tokens: string) => string
  readonly edits: (count: number) => string
  readonly moreEdits: (count: string) => string
  readonly pins: (count: number) => string
  readonly troubles: (count: number) => string
  readonly unreadableMessage: string
  readonly branches: (count: number) => string
  readonly active: string
  readonly endsAt: (entry: string) => string
  readonly noMessages: string
  readonly mediaLeftOut: (kinds: string) => string
  readonly role: Readonly<Record<'system' | 'user' | 'assistant' | 'tool', string>>

  // Recalling.
  readonly badLines: (came: string) => string
  readonly badCharacters: (came: string) => string
  readonly badBudget: (came: string) => string
  readonly nothingAsked: string
  readonly askedTwice: string
  readonly foundIn: (session: string, message: string, what: string) => string
  readonly shownLines: (ranges: string, lines: string) => string
  readonly otherOriginals: (count: string, handles: string) => string
  readonly extractLeft: (trouble: string) => string
  readonly nowhere: (count: number) => string
  /** Why nothing came back, for who reads no English: the reason's stable name and the sentence in English. */
  readonly missing: (reason: string, text: string) => string

  // Exporting.
  readonly badFormat: (names: string, came: string) => string
  readonly fileExists: (file: string) => string
  readonly notAFile: (file: string) => string
  readonly cannotWrite: (file: string, reason: string) => string
  readonly noFolder: (file: string) => string
  readonly exported: (file: string, size: string, messages: string) => string
  readonly redacted: (count: string) => string
  readonly leftOutOfFormat: (what: string, format: string) => string
  readonly thoughts: (count: string) => string
  readonly media: (count: string) => string
  readonly notWhole: (count: string) => string
  readonly noSuchEntry: (came: string) => string
}

/** One line for each command, argument and option. */
export interface SessionHelpStrings {
  readonly sessions: string
  readonly remove: string
  readonly rewind: string
  readonly fork: string
  readonly pin: string
  readonly unpin: string
  readonly restore: string
  readonly import: string
  readonly show: string
  readonly recall: string
  readonly export: string
  readonly id: string
  readonly fullId: string
  readonly message: string
  readonly shownMessage: string
  readonly rewindMessage: string
  readonly forkMessage: string
  readonly edit: string
  readonly file: string
  readonly conversation: string
  readonly title: string
  readonly everyConversation: string
  readonly everySession: string
  readonly everyRow: string
  readonly branches: string
  readonly handle: string
  readonly session: string
  readonly messageId: string
  readonly tool: string
  readonly about: string
  readonly query: string
  readonly lines: string
  readonly characters: string
  readonly pattern: string
  readonly budget: string
  readonly format: (names: string) => string
  readonly out: string
  readonly force: string
  readonly redact: string
  readonly leaf: string
  readonly sessionsJson: string
  readonly importJson: string
  readonly showJson: string
  readonly recallJson: string
}

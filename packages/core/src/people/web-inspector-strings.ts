import type { WindowCategory } from '../inspection/inspection.ts'
import type { Role } from '../message.ts'

/** What the web app says in the inspector: load line, categories, treemap, messages. Numbers, sizes and times arrive formatted. */
export interface WebInspectorStrings {
  readonly title: string
  readonly loading: string
  readonly untitled: string
  readonly openChat: string
  readonly tabsLabel: string
  readonly tabs: Readonly<Record<'overview' | 'timeline' | 'ledger' | 'messages' | 'diff' | 'what-if', string>>
  readonly header: InspectorHeaderStrings
  readonly under: InspectorUnderStrings
  readonly categories: Readonly<Record<WindowCategory, string>>
  readonly loadLine: LoadLineStrings
  readonly treemap: TreemapStrings
  readonly messages: MessageListStrings
  readonly detail: MessageDetailStrings
}

/** What stands above the tabs. */
export interface InspectorHeaderStrings {
  readonly own: string
  readonly logOf: (format: string) => string
  readonly model: string
  readonly requests: string
  readonly messages: string
  readonly tokens: string
  readonly cost: string
  readonly unpriced: (count: string) => string
  readonly unknown: (count: string) => string
  readonly time: string
  readonly span: (first: string, last: string) => string
  readonly troubles: (count: string) => string
  readonly moreTroubles: (count: string) => string
}

/** The choice to show a session as if a policy set had been in force, and what is said while it is. */
export interface InspectorUnderStrings {
  readonly label: string
  readonly recorded: string
  readonly set: (policies: string) => string
  readonly others: string
  readonly working: (policies: string) => string
  readonly simulated: (policies: string, price: string) => string
  /** What is assumed for what no log has: prompt and tool definitions. */
  readonly assumed: string
  readonly back: string
  readonly cost: (price: string) => string
}

/** The window as a hull, and the table beside it. */
export interface LoadLineStrings {
  readonly title: string
  readonly used: (tokens: string, window: string, share: string) => string
  readonly counted: string
  readonly estimated: string
  readonly free: (tokens: string, share: string) => string
  readonly over: (tokens: string) => string
  readonly overWindow: (tokens: string) => string
  readonly reserve: (tokens: string, window: string) => string
  /** What the provider counted and the log does not hold. */
  readonly hiddenPrompt: string
  readonly picture: (used: string, window: string, line: string) => string
  readonly waterline: string
  readonly line: string
  readonly category: string
  readonly tokens: string
  readonly share: string
  readonly remedy: string
  /** What makes a category smaller, where something does. */
  readonly remedies: Readonly<Partial<Record<WindowCategory, string>>>
  readonly showMessages: (category: string) => string
  readonly compare: string
  readonly total: string
  readonly freeRow: string
  readonly overRow: string
  readonly reserveRow: string
  readonly windowRow: string
  readonly unknownTool: string
  readonly otherTools: (count: string) => string
  readonly fewerTools: string
  readonly empty: string
}

/** The treemap. */
export interface TreemapStrings {
  readonly title: string
  readonly about: string
  readonly shown: string
  readonly stored: string
  readonly sizes: string
  readonly whole: string
  readonly path: string
  readonly up: string
  readonly keys: string
  readonly others: (count: string) => string
  readonly message: (number: string) => string
  readonly tile: (name: string, tokens: string, share: string) => string
  readonly empty: string
}

/** The list of messages. */
export interface MessageListStrings {
  readonly list: string
  readonly roles: Readonly<Record<Role, string>>
  readonly role: string
  readonly category: string
  readonly tool: string
  readonly state: string
  readonly states: Readonly<Record<'edited' | 'folded' | 'pinned' | 'left-out' | 'whole', string>>
  readonly order: string
  readonly inOrder: string
  readonly largest: string
  readonly all: string
  readonly clear: string
  readonly jump: string
  readonly go: string
  readonly count: (shown: string, all: string) => string
  readonly none: string
  readonly empty: string
  readonly row: (number: string, role: string, tokens: string) => string
  readonly tokens: (tokens: string) => string
  readonly marks: Readonly<Record<'edited' | 'folded' | 'pinned' | 'left-out', string>>
  readonly unread: string
  readonly choose: string
}

/** One message with everything in it. */
export interface MessageDetailStrings {
  readonly title: (number: string) => string
  readonly loading: string
  readonly close: string
  readonly previous: string
  readonly next: string
  readonly pin: string
  readonly unpin: string
  readonly pinned: string
  readonly text: string
  readonly reasoning: string
  readonly call: (tool: string) => string
  readonly result: (tool: string) => string
  readonly failed: string
  readonly media: (type: string) => string
  readonly picture: (number: string) => string
  readonly noPicture: string
  readonly loadPicture: (size: string) => string
  readonly more: (characters: string) => string
  readonly extract: (size: string) => string
  readonly save: string
  readonly nothing: string
  readonly missing: string
  readonly edits: (count: string) => string
  readonly noEdits: string
  readonly saved: (before: string, after: string) => string
  readonly rewrite: string
  readonly range: (first: string, last: string) => string
  readonly showTexts: string
  readonly before: string
  readonly after: string
  readonly emptyText: string
  readonly restore: string
}

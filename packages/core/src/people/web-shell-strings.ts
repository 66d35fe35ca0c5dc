/** What the web app says around every screen: navigation, theme, language, connection, and the first screen. */
export interface WebShellStrings {
  readonly title: string
  readonly welcome: string
  readonly what: string
  readonly newChat: string
  readonly withOfflineModel: string
  readonly withModel: (model: string) => string
  readonly example: string
  readonly exampleAbout: string
  readonly exampleCheaper: (percent: string) => string
  /** Leads to what was trimmed in the example. */
  readonly exampleTrimmed: string
  readonly exampleUntrimmed: string
  readonly exampleSimulated: (requests: string, price: string) => string
  readonly logs: string
  readonly logsAbout: string
  readonly workspace: (path: string) => string
  readonly menu: string
  readonly sessions: string
  readonly skip: string
  readonly theme: string
  readonly themeSystem: string
  readonly themeLight: string
  readonly themeDark: string
  readonly language: string
  readonly connecting: string
  readonly loading: string
  readonly unreachable: string
  readonly isItRunning: string
  readonly unexpected: string
  readonly tryAgain: string
  readonly noTokenTitle: string
  readonly noToken: string
  readonly ask: string
  readonly askOffline: string
  readonly begin: string
  readonly latest: string
  readonly latestExample: string
  readonly latestSession: (title: string) => string
  readonly openInspector: string
  readonly terminal: string
}

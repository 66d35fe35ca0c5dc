/** What the web app says around every screen: navigation, theme, language, connection, and the first screen. Numbers, sizes and times arrive formatted. */
export interface WebShellStrings {
  readonly title: string
}

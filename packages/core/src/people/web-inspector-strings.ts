/** What the web app says in the inspector: load line, categories, treemap, messages. Numbers, sizes and times arrive formatted. */
export interface WebInspectorStrings {
  readonly title: string
}

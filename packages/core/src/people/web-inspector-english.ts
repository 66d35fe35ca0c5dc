import type { WebInspectorStrings } from './web-inspector-strings.ts'

/** What the web app says in the inspector, in English. */
export const englishWebInspector: WebInspectorStrings = {
  title: 'Inspector',
}

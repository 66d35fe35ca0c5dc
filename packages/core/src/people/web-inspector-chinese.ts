import type { WebInspectorStrings } from './web-inspector-strings.ts'

/** What the web app says in the inspector, in Chinese. */
export const chineseWebInspector: WebInspectorStrings = {
  title: '检视器',
}

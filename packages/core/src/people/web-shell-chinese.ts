import type { WebShellStrings } from './web-shell-strings.ts'

/** What the web app says around every screen, in Chinese. */
export const chineseWebShell: WebShellStrings = {
  title: 'Plimsoll',
}

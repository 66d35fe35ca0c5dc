import type { WebShellStrings } from './web-shell-strings.ts'

/** What the web app says around every screen, in English. */
export const englishWebShell: WebShellStrings = {
  title: 'Plimsoll',
}

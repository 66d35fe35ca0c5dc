import type { WebShellStrings } from './web-shell-strings.ts'

/** What the web app says around every screen, in English. */
export const englishWebShell: WebShellStrings = {
  title: 'Plimsoll',
  welcome: 'What fills the window, and what it costs',
  what: 'Talk to a coding agent whose context stays under the load line, or look into sessions of any agent.',
  newChat: 'New chat',
  withOfflineModel: 'With the built-in offline model, which follows plain commands. No key needed.',
  withModel: (model) => `With ${model}`,
  example: 'Look at an example',
  exampleAbout: 'A short recorded session in the inspector: what fills its window.',
  logs: 'Logs on this machine',
  logsAbout: 'Sessions of Claude Code, Codex, Gemini CLI, opencode and others that were found here.',
  workspace: (path) => `The agent works in ${path}`,
  menu: 'Menu',
  sessions: 'Sessions',
  skip: 'Skip to the content',
  theme: 'Theme',
  themeSystem: 'Theme: as the system',
  themeLight: 'Theme: light',
  themeDark: 'Theme: dark',
  language: 'Language',
  connecting: 'Connecting …',
  unreachable: 'The server cannot be reached.',
  isItRunning: 'Is `plimsoll serve` still running? Start it again and open the address it prints.',
  unexpected: 'Something unexpected went wrong.',
  tryAgain: 'Try again',
  noTokenTitle: 'This page needs its key',
  noToken:
    'Open the whole address that `plimsoll serve` printed when it started; the part behind # is the key. It changes with every start.',
}

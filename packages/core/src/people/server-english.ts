import type { ServerStrings } from './server-strings.ts'

/** What the server and its commands say, in English. */
export const englishServer: ServerStrings = {
  help: {
    serve: 'Open the web app: chat and inspector',
    inspect: 'Show what fills the window of a session or a log, or write it as one HTML page',
  },
}

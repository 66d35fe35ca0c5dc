import { inspectEnglish } from './inspect-english.ts'
import { englishInspecting } from './server-inspecting-english.ts'
import { englishSessionRefusals } from './server-sessions-english.ts'
import type { ServerStrings } from './server-strings.ts'

/** What the server and its commands say, in English. */
export const englishServer: ServerStrings = {
  inspect: inspectEnglish,
  help: {
    serve: 'open the web app: chat and inspector',
    inspect: 'show what fills the window of a session or a log, or write it as one HTML page',
  },
  sessions: englishSessionRefusals,
  inspecting: englishInspecting,
  serve: {
    help: {
      port: 'the port to listen at (default: 7477, or the next one that is free)',
      host: 'the address to listen at (default: 127.0.0.1, which only this machine reaches)',
      public: 'allow an address that other machines reach; a token has to be given, too',
      token: 'the token that requests have to carry, also as PLIMSOLL_SERVER_TOKEN (default: a new one at each start)',
      open: 'open the web app in the browser',
      json: 'print address, port and token as one line of JSON',
    },
    badPort: (given) => `--port: expected a number from 0 to 65535, got ${given}`,
    badHost: (given) => `--host: expected an address or a name of this machine, got ${given}`,
    needsPublic: (host) =>
      `--host ${host}: other machines could reach this address, and whoever has the token can run commands here; add --public and --token if that is meant, or leave --host out`,
    needsToken: (host) =>
      `--host ${host}: expected a token of your own beside --public; set PLIMSOLL_SERVER_TOKEN, or add --token`,
    badToken: (source) => `${source}: expected 16 to 200 letters, digits, - or _`,
    portTaken: (port) =>
      `Port ${port} is taken by another program; name another one with --port, or leave it out for the next one that is free`,
    portsTaken: (first, last) => `The ports ${first} to ${last} are all taken by other programs; name another one with --port`,
    otherPort: (taken, port) => `Port ${taken} is taken by another program, so this is ${port}.`,
    cannotListen: (host, port, reason) => `Cannot listen at ${host}, port ${port}: ${reason}`,
    listenReason: (code) => {
      if (code === 'EACCES') return 'ports below 1024 are the system’s (EACCES); name another one with --port'
      if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
        return `this machine has no such address (${code}); check --host`
      return code
    },
    ready: (address) => `Plimsoll is at ${address}`,
    howToStop:
      'Ctrl-C ends it, and everything is kept. The address holds the token: whoever has it can run commands on this machine.',
    isPublic: 'Other machines reach this address, without encryption: use it only in a network that you trust.',
    closing: 'Closing; a second Ctrl-C ends it at once.',
    notOpened: 'No browser could be opened; open the address yourself.',
    notBuilt: 'The web app is not built. Run “npm run build” in the folder of Plimsoll and start it again.',
    fault: (where) => `A request failed by a defect of Plimsoll, at ${where}.`,
  },
  refusals: {
    NO_TOKEN: {
      message: 'This request carries no token.',
      suggestion: 'Open the address that “plimsoll serve” printed, with everything behind the #.',
    },
    WRONG_TOKEN: {
      message: 'This token is not the one of this server; each start has a new one.',
      suggestion: 'Open the address that “plimsoll serve” printed last, with everything behind the #.',
    },
    WRONG_HOST: {
      message: 'The server is not known by the name that this request calls it.',
      suggestion: 'Open the address that “plimsoll serve” printed.',
    },
    WRONG_ORIGIN: {
      message: 'This request comes from another website, and only the web app itself may ask.',
      suggestion: 'Open the address that “plimsoll serve” printed.',
    },
    WRONG_TYPE: { message: 'A request that changes something has to be of the type application/json.', suggestion: null },
    NO_LENGTH: { message: 'A request has to say how long it is (content-length).', suggestion: null },
    NO_SUCH_ADDRESS: { message: 'There is nothing at this address.', suggestion: null },
    CLOSING: { message: 'The server is closing.', suggestion: 'Start it again with “plimsoll serve”.' },
    UNEXPECTED: {
      message: 'The request failed by a defect of Plimsoll. What is stored is kept.',
      suggestion: 'Try again, or load the page again.',
    },
    TOO_LARGE: { message: (most) => `The request is too large: at most ${most} are taken.`, suggestion: null },
  },
}

const inspecting = {
  originalCut: (megabytes: string) =>
    `Only the first ${megabytes} MB are shown here. All of it is kept: recall it, or export the session.`,
  notKept: '(The gateway kept the size of this message, not its text.)',
  textNotKept:
    'The gateway kept sizes and numbers, not texts: what was trimmed can be read, the rest is shown by its size. Start it with --keep-text to keep the texts too.',
  refusals: {
    NO_SUCH_LOG: { message: 'There is no such log here any more.', suggestion: 'Load the list of logs again.' },
    NO_SUCH_CONVERSATION: { message: 'The log holds no such conversation.', suggestion: 'Choose one from the list of the log.' },
    NO_SUCH_REQUEST: { message: 'The session has no such request.', suggestion: 'Load the session again.' },
    NO_SUCH_CHANGE: { message: 'The session has no such edit.', suggestion: 'Load the session again.' },
    NO_SUCH_CONTENT: { message: 'This content is lost or damaged, or was never kept.', suggestion: null },
    NOT_A_LOG: {
      message: 'The file is no log that Plimsoll can read.',
      suggestion: 'Logs of Claude Code, Codex, Gemini CLI, opencode and others can be read, and lists of messages as JSON.',
    },
    EMPTY_FILE: { message: 'The file is empty.', suggestion: 'Choose another one.' },
    TOO_MANY_FILES: {
      message: 'Too many files were handed over to this server.',
      suggestion: 'Start the server again; it keeps none of them.',
    },
    NOTHING_TO_REPLAY: { message: 'This conversation cannot be replayed.', suggestion: null },
  },
}

const sessions = {
  BUSY: { message: 'The agent is at work in this session.', suggestion: 'Wait until it is done, or stop it first.' },
  NO_QUESTION: { message: 'This call does not wait for an answer any more.', suggestion: null },
  NOTHING_TO_RESUME: {
    message: 'There is nothing to go on with: the last answer is complete.',
    suggestion: 'Say what you would like next.',
  },
  NOTHING_TO_FOLD: { message: 'There is nothing to compact yet: all rounds are recent.', suggestion: null },
  NOTHING_SAID: { message: 'There is no text to send.', suggestion: 'Write something first.' },
  NO_SUCH_COMMAND: { message: 'Nothing of that name can be done to a session.', suggestion: null },
  NO_SUCH_EDIT: {
    message: 'No edit of that name is in force in this session.',
    suggestion: 'It may have been taken back already; load the session again.',
  },
  NO_SUCH_MESSAGE: {
    message: 'This message is not part of the conversation any more.',
    suggestion: 'Load the session again to see how it stands.',
  },
  NO_SUCH_RESULT: { message: 'This session has no result of that call.', suggestion: null },
  NO_SUCH_BLOB: { message: 'This content is not in the session, or it is lost or damaged.', suggestion: null },
  NO_SUCH_FORMAT: { message: 'Sessions cannot be exported in that format.', suggestion: null },
  BAD_REQUEST: { message: 'The request is not in the form that the server expects.', suggestion: 'Load the page again.' },
  TOO_LONG_TO_EXPORT: {
    message: 'This session is too long for one text in that format.',
    suggestion: 'Export it as a log, which has no limit.',
  },
}

/** Sentences of the server, `plimsoll serve` and `plimsoll inspect`. Text from a request or a file’s name arrives clean. */
export const server = {
  help: {
    serve: 'open the web app: chat and inspector',
    inspect: 'show what fills the window of a session or a log, or write it as one HTML page',
  },
  sessions,
  inspecting,
  serve: {
    help: {
      port: 'the port to listen at (default: 7477, or the next one that is free)',
      host: 'the address to listen at (default: 127.0.0.1, which only this machine reaches)',
      public: 'allow an address that other machines reach; a token has to be given, too',
      token: 'the token that requests have to carry, also as PLIMSOLL_SERVER_TOKEN (default: a new one at each start)',
      open: 'open the web app in the browser',
      json: 'print address, port and token as one line of JSON',
    },
    badPort: (given: string) => `--port: expected a number from 0 to 65535, got ${given}`,
    badHost: (given: string) => `--host: expected an address or a name of this machine, got ${given}`,
    needsPublic: (host: string) =>
      `--host ${host}: other machines could reach this address, and whoever has the token can run commands here; add --public and --token if that is meant, or leave --host out`,
    needsToken: (host: string) =>
      `--host ${host}: expected a token of your own beside --public; set PLIMSOLL_SERVER_TOKEN, or add --token`,
    /** Never shows the token itself; `source` is where it was given. */
    badToken: (source: string) => `${source}: expected 16 to 200 letters, digits, - or _`,
    portTaken: (port: string) =>
      `Port ${port} is taken by another program; name another one with --port, or leave it out for the next one that is free`,
    portsTaken: (first: string, last: string) =>
      `The ports ${first} to ${last} are all taken by other programs; name another one with --port`,
    otherPort: (taken: string, port: string) => `Port ${taken} is taken by another program, so this is ${port}.`,
    cannotListen: (host: string, port: string, reason: string) => `Cannot listen at ${host}, port ${port}: ${reason}`,
    listenReason: (code: string) => {
      if (code === 'EACCES') return 'ports below 1024 are the system’s (EACCES); name another one with --port'
      if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
        return `this machine has no such address (${code}); check --host`
      return code
    },
    ready: (address: string) => `Plimsoll is at ${address}`,
    howToStop:
      'Ctrl-C ends it, and everything is kept. The address holds the token: whoever has it can run commands on this machine.',
    isPublic: 'Other machines reach this address, without encryption: use it only in a network that you trust.',
    closing: 'Closing; a second Ctrl-C ends it at once.',
    notOpened: 'No browser could be opened; open the address yourself.',
    /** Both languages are shown, one after the other, in place of the web app. */
    notBuilt: 'The web app is not built. Run “npm run build” in the folder of Plimsoll and start it again.',
    /** `where` names no file and no text of the user. */
    fault: (where: string) => `A request failed by a defect of Plimsoll, at ${where}.`,
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
    TOO_LARGE: { message: (most: string) => `The request is too large: at most ${most} are taken.`, suggestion: null },
  },
}

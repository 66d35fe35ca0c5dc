const inspecting = {
  originalCut: (megabytes: string) =>
    `Only the first ${megabytes} MB are shown here. The full text is stored: recall it or export the session.`,
  notKept: '(The gateway stored the size of this message, not its text.)',
  damagedRows: (count: number) =>
    `${count === 1 ? '1 row of the store is' : `${count} rows of the store are`} damaged and not shown. Restore the store from a backup.`,
  textNotKept:
    'The gateway stored only trimmed text; all other messages are shown by their size. Start it with --keep-text to store all text.',
  refusals: {
    NO_SUCH_LOG: { message: 'This log is no longer here.', suggestion: 'Reload the list of logs.' },
    NO_SUCH_CONVERSATION: { message: 'This conversation is not in the log.', suggestion: 'Choose one from the list.' },
    NO_SUCH_REQUEST: { message: 'This request is not in the session.', suggestion: 'Reload the session.' },
    NO_SUCH_CHANGE: { message: 'This edit is not in the session.', suggestion: 'Reload the session.' },
    NO_SUCH_CONTENT: { message: 'This content is lost or damaged, or was never stored.', suggestion: null },
    NOT_A_LOG: {
      message: 'This file is not a log that Plimsoll can read.',
      suggestion:
        'Choose a log of Claude Code, Codex, Gemini CLI, opencode or another supported agent, or a list of messages as JSON.',
    },
    EMPTY_FILE: { message: 'The file is empty.', suggestion: 'Choose another file.' },
    TOO_MANY_FILES: {
      message: 'Too many files were uploaded to this server.',
      suggestion: 'Restart the server; it does not keep uploaded files.',
    },
    NOTHING_TO_REPLAY: { message: 'This conversation cannot be replayed.', suggestion: null },
  },
}

const sessions = {
  BUSY: { message: 'The agent is working in this session.', suggestion: 'Wait until it is done, or stop it first.' },
  NO_QUESTION: { message: 'This call is no longer waiting for an answer.', suggestion: null },
  NOTHING_TO_RESUME: {
    message: 'Nothing to resume: the last answer is complete.',
    suggestion: 'Send a new message.',
  },
  NOTHING_TO_FOLD: { message: 'Nothing to compact yet: all rounds are recent.', suggestion: null },
  NOTHING_TO_UNDO: { message: 'The agent’s editing tools have changed no file in this conversation.', suggestion: null },
  NOTHING_SAID: { message: 'There is no text to send.', suggestion: 'Write something first.' },
  NO_SUCH_COMMAND: { message: 'Unknown session command.', suggestion: null },
  NO_SUCH_EDIT: {
    message: 'This edit is not active in the session.',
    suggestion: 'It may have been reverted already; reload the session.',
  },
  NO_SUCH_MESSAGE: {
    message: 'This message is no longer part of the conversation.',
    suggestion: 'Reload the session to see its current state.',
  },
  NO_SUCH_RESULT: { message: 'This session has no result for that call.', suggestion: null },
  NO_SUCH_BLOB: { message: 'This content is not in the session, or it is lost or damaged.', suggestion: null },
  NO_SUCH_FORMAT: { message: 'Sessions cannot be exported in that format.', suggestion: null },
  BAD_REQUEST: { message: 'The request does not have the form that the server expects.', suggestion: 'Reload the page.' },
  TOO_LONG_TO_EXPORT: {
    message: 'This session is too long to export in that format.',
    suggestion: 'Export it as a log, which has no length limit.',
  },
}

/** Sentences of the server, `plimsoll serve` and `plimsoll inspect`. Text from a request or a file’s name arrives clean. */
export const server = {
  help: {
    serve: 'open the web app: chat and inspector',
    inspect: 'show what fills the context window of a session or log, or write it as one HTML page',
  },
  sessions,
  inspecting,
  serve: {
    help: {
      port: 'listen on this port (default: 7477, or the next free one)',
      host: 'listen on this address (default: 127.0.0.1, reachable only from this machine)',
      public: 'allow an address that other machines can reach; needs an access token',
      token:
        'require this access token in requests (or set PLIMSOLL_SERVER_TOKEN; default: one of your own, kept in the state folder)',
      open: 'open the web app in the browser',
      json: 'print address, port and token as one line of JSON',
    },
    badPort: (given: string) => `--port: expected a number from 0 to 65535, got ${given}`,
    badHost: (given: string) => `--host: expected an address or host name of this machine, got ${given}`,
    needsPublic: (host: string) =>
      `--host ${host}: other machines could reach this address, and anyone with the access token can run commands here. To allow that, add --public and --token; otherwise omit --host.`,
    needsToken: (host: string) => `--host ${host}: --public needs an access token. Set PLIMSOLL_SERVER_TOKEN or add --token.`,
    /** Never shows the token itself; `source` is where it was given. */
    badToken: (source: string) => `${source}: expected 16 to 200 letters, digits, - or _`,
    portTaken: (port: string) =>
      `Port ${port} is in use. Choose another one with --port, or omit --port to use the next free one.`,
    portsTaken: (first: string, last: string) => `Ports ${first} to ${last} are all in use. Choose another one with --port.`,
    otherPort: (taken: string, port: string) => `Port ${taken} is in use; using ${port} instead.`,
    cannotListen: (host: string, port: string, reason: string) => `Cannot listen on ${host}, port ${port}: ${reason}`,
    listenReason: (code: string) => {
      if (code === 'EACCES') return 'ports below 1024 are reserved for the system (EACCES); choose another one with --port'
      if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
        return `this machine has no such address (${code}); check --host`
      return code
    },
    ready: (address: string) => `Plimsoll is running at ${address}`,
    howToStop:
      'Press Ctrl-C to stop; everything is saved. The address contains the access token: anyone who has it can run commands on this machine.',
    isPublic: 'Other machines can reach this address, and connections are not encrypted. Use it only on a network you trust.',
    closing: 'Stopping. Press Ctrl-C again to stop now.',
    notOpened: 'Could not open a browser. Open the address yourself.',
    /** Shown instead of the web app, in both languages. */
    notBuilt: 'The web app is not built. Run “npm run build” in Plimsoll’s folder, then start it again.',
    /** `where` names no file and no text of the user. */
    fault: (where: string) => `A request failed because of a bug in Plimsoll, at ${where}.`,
  },
  refusals: {
    NO_TOKEN: {
      message: 'This request has no access token.',
      suggestion: 'Open the address that “plimsoll serve” printed, including everything after the #.',
    },
    WRONG_TOKEN: {
      message: 'This access token is not valid.',
      suggestion: 'Open the address that “plimsoll serve” printed last, including everything after the #.',
    },
    WRONG_HOST: {
      message: 'The host name in this request is not that of the server.',
      suggestion: 'Open the address that “plimsoll serve” printed.',
    },
    WRONG_ORIGIN: {
      message: 'This request comes from another website; only the web app may send requests.',
      suggestion: 'Open the address that “plimsoll serve” printed.',
    },
    WRONG_TYPE: { message: 'Requests that change something need the Content-Type application/json.', suggestion: null },
    NO_LENGTH: { message: 'The request has no Content-Length header.', suggestion: null },
    NO_SUCH_ADDRESS: { message: 'Nothing found at this address.', suggestion: null },
    CLOSING: { message: 'The server is stopping.', suggestion: 'Start it again with “plimsoll serve”.' },
    UNEXPECTED: {
      message: 'The request failed because of a bug in Plimsoll. Stored data is unaffected.',
      suggestion: 'Try again, or reload the page.',
    },
    TOO_LARGE: { message: (max: string) => `The request is too large: the limit is ${max}.`, suggestion: null },
  },
}

/** Sentences of the command line itself. */
export const command = {
  program: "See what fills your LLM agent's context window, and trim it. Every original is kept.",
  view: 'show what would be sent for a conversation and why, as if it were sent for the first time',
  file: 'a conversation as JSON or JSON Lines, or - for standard input (default: the bundled example)',
  now: 'set the time of the request, such as 2026-01-31T10:00:00Z (default: the current time)',
  root: 'set the project folder, to recognise two spellings of the same path (default: the current folder)',
  config: 'read this configuration file instead of ./plimsoll.yaml',
  strings: 'write for the model in: auto, specification, english or chinese (default: from the configuration)',
  timing:
    'set when a rule changes what the provider has cached: immediate, economic (once that is worth it) or auto (default: from the configuration)',
  policies: 'use spec, digests, economy, or policy names separated by commas (default: from the configuration)',
  model: 'set the model, and with it the context window unless context_window is configured',
  dialect: (names: string) => `set the API format of the messages: ${names} (default: detected)`,
  conversation: 'choose one of several conversations in the file, counting from 1',
  exact: 'count tokens exactly with the o200k vocabulary instead of estimating them',
  all: 'list all edits',
  json: 'print only JSON: { "messages", "report", "window" }',
  noColor: 'print without colours',
  help: 'show this help',
  version: 'show the version',
  /** Translations of the words that the library for command lines writes in English. */
  helpWords: {
    'Usage:': 'Usage:',
    'Options:': 'Options:',
    'Arguments:': 'Arguments:',
    'Commands:': 'Commands:',
    '[options]': '[options]',
    '[command]': '[command]',
  } as Readonly<Record<string, string>>,
  helpGroups: {
    look: 'View and measure:',
    agent: 'The built-in agent:',
    behind: 'With your own agent:',
    sessions: 'Sessions:',
    mend: 'Repair and set up:',
  },
  helpHint:
    'Run plimsoll COMMAND --help for more about a command, and plimsoll completion --help for completion with the Tab key.',
  examples: 'Examples:',
  error: (message: string) => `error: ${message}`,
  /** Adds the full stop. */
  sentence: (text: string) => `${text}.`,
  betweenSentences: ' ',
  seeHelp: (name: string) => `Run ${name} --help for usage.`,
  didYouMean: (name: string) => `Did you mean ${name}?`,
  unknownCommand: (name: string) => `Unknown command "${name}"`,
  unknownOption: (name: string) => `Unknown option ${name}`,
  resumeOption: (name: string) =>
    `resume continues the session and has no option ${name}. To see the next request: plimsoll show ID --next. To continue with options: plimsoll chat --resume ID`,
  missingValue: (option: string) => `${option}: expected a value, got none`,
  tooManyArguments: 'Too many arguments: expected one file',
  excessArguments: 'Too many arguments',
  missingArgument: (name: string) => `Missing argument ${name}`,
  badNow: (came: string) => `--now: expected a time such as 2026-01-31T10:00:00Z, got ${came}`,
  badConversation: (came: string) => `--conversation: expected a whole number of at least 1, got ${came}`,
  badDialect: (names: string, came: string) => `--dialect: expected one of ${names}, got ${came}`,
  noPolicies: '--policies: expected spec, digests, economy, or policy names separated by commas, got nothing',
  trimTotals: (sums: { readonly edits: string; readonly tokens: string; readonly cut: string; readonly rate: string }) =>
    `edits: ${sums.edits}; tokens saved: ${sums.tokens}; tool results cut: ${sums.cut} (${sums.rate} %)`,
  logHidden:
    'PLIMSOLL_LOG: the log is not written, because it would appear in the middle of the screen. Send it to a file, with 2>plimsoll.log at the end of the command.',
  badLogLevel: (came: string) => `PLIMSOLL_LOG: expected debug, info, warn or silent, got ${came}`,
  folderGone: 'The current folder no longer exists. Change to another folder and try again.',
  notPrinted: (reason: string) => `The result could not be printed: ${reason}. Everything the command had to store is stored.`,
  unexpected: (message: string) =>
    `Unexpected error in Plimsoll: ${message}. Please report it with the command you ran; PLIMSOLL_DEBUG=1 shows where it happened.`,
}

/** Problems with an input file, and what to do about them, in one sentence or two. */
export const problem = {
  notFound: (file: string) => `File not found: ${file}. Check the path, or use - to read standard input.`,
  isFolder: (file: string) => `${file} is a folder. Pass a file in it that has one conversation.`,
  noPermission: (file: string) => `No permission to read ${file}. Check the permissions of the file and its folders.`,
  unreadable: (file: string, code: string) => `${file} could not be read (${code}).`,
  tooLarge: (file: string, limit: string) =>
    `${file} is larger than ${limit}, the maximum for one file. Split it into one file per conversation.`,
  tooManyValues: (file: string, limit: string) =>
    `${file} has more than ${limit} JSON values, the maximum for one file. Split it into one file per conversation.`,
  tooManyParts: (file: string, limit: string) =>
    `${file} has more than ${limit} messages and parts in one conversation, the maximum. Split it into shorter conversations.`,
  empty: (file: string) => `${file} is empty. Pass a conversation as JSON.`,
  notUtf8: (file: string) => `${file} is not UTF-8 text. Pass a conversation as JSON, saved as UTF-8.`,
  utf16: (file: string) => `${file} is UTF-16 text. Save it as UTF-8 and try again.`,
  notJson: (file: string, line: number, column: number, expected: string, came: string) =>
    `${file}, line ${line}, column ${column}: invalid JSON: expected ${expected}, got ${came}. Check whether the file was cut off or edited by hand.`,
  endOfText: 'the end of the text',
  expected: {
    value: 'a value',
    key: 'a field name in double quotes',
    colon: '":"',
    'comma-or-brace': '"," or "}"',
    'comma-or-bracket': '"," or "]"',
    end: 'the end of the text',
    quote: 'the closing double quote of a string',
    escape: 'an escape such as \\n or \\u0041',
    printable: 'a control character to be written as an escape',
    digit: 'a digit',
  },
  tooDeep: (file: string, place: string, limit: number) =>
    `${file}: ${place} is nested more than ${limit} levels deep. Pass a conversation.`,
  otherFormat: (file: string, format: string) =>
    `${file} looks like ${format}, which this version cannot read. It reads message lists of OpenAI chat, Anthropic, the AI SDK and Gemini, and logs of Claude Code, Codex, Gemini CLI, opencode, pi, Cline, Copilot CLI, snow-cli, OpenHands and SWE-agent.`,
  noMessages: (file: string, came: string) =>
    `${file}: expected a list of messages, or an object with such a list under "messages", "history" or "traj", got ${came}.`,
  lineWithoutMessage: (file: string, line: number) =>
    `${file}, line ${line}: expected a message with a "role", or an object with a list under "messages", "history" or "traj".`,
  noSuchConversation: (file: string, wanted: number, count: number) =>
    `${file} has no conversation ${wanted}: expected a number from 1 to ${count}.`,
  notReadable: (file: string, dialect: string, reason: string) => `${file} cannot be read as ${dialect}: ${reason}.`,
  tooLargeToPrint: (file: string) => `${file}: the result is too large for one JSON document. Run it without --json.`,
}

/** The token that a reader of JSON needed at the place where it failed. */
export type JsonExpectation = keyof typeof problem.expected

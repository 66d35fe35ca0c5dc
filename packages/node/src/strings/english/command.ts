/** Sentences of the command line itself. */
export const command = {
  program: "See what fills an LLM agent's context window, and keep it under the load line.",
  view: 'show what would be sent for a conversation, as if it had never been sent before, and why',
  file: 'a conversation as JSON or JSON lines, - for standard input (default: the bundled example)',
  now: 'the time of the request, such as 2026-01-31T10:00:00Z (default: now)',
  root: "the project's folder, so that two spellings of a path are one file (default: here)",
  config: 'a configuration file in place of ./plimsoll.yaml',
  policies: 'spec, economy, or policy names with commas between them (default: the configuration)',
  model: 'the model the conversation is for; its window counts unless context_window is set',
  dialect: (names: string) => `how the messages are written: ${names} (default: detected)`,
  conversation: 'which conversation of a file that holds several, counted from 1',
  exact: 'count tokens with the o200k vocabulary in place of estimating them',
  all: 'list every edit, however many there are',
  json: 'print { "messages", "report", "window" } as JSON and nothing else',
  noColor: 'print without colours',
  help: 'show this help',
  version: 'show the version',
  helpTitles: { 'Usage:': 'Usage:', 'Options:': 'Options:', 'Arguments:': 'Arguments:', 'Commands:': 'Commands:' },
  helpGroups: {
    look: 'Look:',
    agent: 'The agent:',
    behind: 'Behind your own agent:',
    sessions: 'Sessions:',
    mend: 'Mend and set up:',
  },
  helpHint: 'plimsoll COMMAND --help says more about a command; plimsoll completion bash lets the Tab key complete them.',
  examples: 'Examples:',
  error: (message: string) => `error: ${message}`,
  /** Adds the full stop. */
  sentence: (text: string) => `${text}.`,
  betweenSentences: ' ',
  seeHelp: (name: string) => `Run ${name} --help to see what there is.`,
  didYouMean: (name: string) => `Did you mean ${name}?`,
  unknownCommand: (name: string) => `Unknown command "${name}"`,
  unknownOption: (name: string) => `there is no option ${name}`,
  resumeOption: (name: string) =>
    `resume continues the session and has no option ${name}. To see the next request: plimsoll show ID --next. To continue with options: plimsoll chat --resume ID`,
  missingValue: (option: string) => `${option} needs a value`,
  tooManyArguments: 'too many arguments: expected one file',
  excessArguments: 'too many arguments',
  missingArgument: (name: string) => `${name} is missing`,
  badNow: (came: string) => `--now: expected a time such as 2026-01-31T10:00:00Z, got ${came}`,
  badConversation: (came: string) => `--conversation: expected a whole number from 1, got ${came}`,
  badDialect: (names: string, came: string) => `--dialect: expected one of ${names}, got ${came}`,
  noPolicies: '--policies: expected spec, economy, or policy names with commas between them, got nothing',
  badLogLevel: (came: string) => `PLIMSOLL_LOG: expected debug, info, warn or silent, got ${came}`,
  folderGone: 'The current folder is not there any more; change to another one and try again.',
  notPrinted: (reason: string) => `The answer could not be printed: ${reason}. What the command was to store is stored.`,
  unexpected: (message: string) =>
    `Something went wrong inside Plimsoll: ${message}. Please report it with what you ran; PLIMSOLL_DEBUG=1 shows where.`,
}

/** Problems with an input file, and what to do about them, in one sentence or two. */
export const trouble = {
  notFound: (file: string) => `${file}: no such file. Check the path, or use - to read standard input.`,
  isFolder: (file: string) => `${file} is a folder: expected a file with one conversation. Name a file inside it.`,
  noPermission: (file: string) => `${file}: no permission to read it. Check the rights of the file and its folders.`,
  unreadable: (file: string, code: string) => `${file} could not be read (${code}).`,
  tooLarge: (file: string, limit: string) =>
    `${file} is larger than ${limit}, the most that is read at once. Split it into one file per conversation.`,
  tooManyValues: (file: string, limit: string) =>
    `${file} holds more than ${limit} JSON values, the most that is read at once. Split it into one file per conversation.`,
  tooManyParts: (file: string, limit: string) =>
    `${file} has more than ${limit} messages and parts in one conversation, the most that is viewed at once. View a part of it.`,
  empty: (file: string) => `${file} is empty: expected a conversation as JSON.`,
  notUtf8: (file: string) => `${file} is not UTF-8 text: expected a conversation as JSON. If it is text, save it as UTF-8.`,
  utf16: (file: string) => `${file} is UTF-16 text: expected UTF-8. Save it as UTF-8 and try again.`,
  notJson: (file: string, line: number, column: number, expected: string, came: string) =>
    `${file}, line ${line}, column ${column}: not JSON: expected ${expected}, got ${came}. Was the file cut off or edited by hand?`,
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
    `${file}: ${place} is nested more than ${limit} levels deep: expected a conversation.`,
  otherFormat: (file: string, format: string) =>
    `${file} looks like ${format}, which this version does not read yet. It reads message lists of OpenAI chat, Anthropic, the AI SDK and Gemini, and logs of Claude Code, Codex, Gemini CLI, opencode, pi, Cline, Copilot CLI, OpenHands and SWE-agent.`,
  noMessages: (file: string, came: string) =>
    `${file}: expected a list of messages, or an object with such a list under "messages", "history" or "traj", got ${came}.`,
  lineWithoutMessage: (file: string, line: number) =>
    `${file}, line ${line}: expected a message with a "role", or an object with a list under "messages", "history" or "traj".`,
  noSuchConversation: (file: string, wanted: number, count: number) =>
    `${file}: there is no conversation ${wanted}: expected a number from 1 to ${count}.`,
  notReadable: (file: string, dialect: string, problem: string) => `${file} cannot be read as ${dialect}: ${problem}.`,
  tooLargeToPrint: (file: string) => `${file}: the answer is too large to print as one JSON document. Leave out --json.`,
}

/** The token that a reader of JSON needed at the place where it failed. */
export type JsonExpectation = keyof typeof trouble.expected

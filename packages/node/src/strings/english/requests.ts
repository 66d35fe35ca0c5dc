import { english as shared } from '../../shared/strings/english.ts'

/** Sentences of `show --next` and `compact`. Numbers arrive formatted; text from a log or a file's name arrives clean. */
export const requestCommands = {
  help: {
    next: 'show what the next request would be; nothing is sent',
    withNext: 'With --next:',
    resume: 'continue a session in a chat',
    compact: 'fold the older rounds of a session into a summary; nothing stored is lost',
    root: "the project's folder, where its rules lie (default: the session's, else here)",
    model: 'the model the request is for (default: that of the last request)',
    dialect: (names: string) => `how --json writes the request: ${names} (default: openai-chat)`,
    fork: 'leave the session as it is and compact into a new one that is linked to it',
    preview: 'show the summary and what it would save; change nothing',
    undo: 'take the latest compaction back',
    focus: 'what the summary should pay attention to',
    keep: 'how many of the latest rounds stay as they are (default: the configuration)',
    writer: 'the model that writes the summary, such as openai/NAME (default: the configuration, else code alone)',
    baseUrl: "the address of a server that speaks OpenAI's chat completions (default: by the model's name)",
    compactJson: 'print what was done as JSON and nothing else',
  },
  nextRequest: (session: string) => `The next request of session ${session}`,
  summaries: (count: number) =>
    count === 1 ? '1 summary in place of older rounds' : `${count} summaries in place of older rounds`,
  summary: (why: string, tokens: string) => `${why} (${tokens} tokens)`,
  rules: (file: string, tokens: string) => `Rules: ${file} (${tokens} tokens)`,
  rulesCut: (file: string, bytes: string) =>
    `Only the beginning of ${file} is used: its ${bytes} bytes are more than rules may have.`,
  noRules: (files: string) => `Rules: none (looked for ${files})`,
  rulesNotUsed: (file: string, reason: string) => `${file} was not used: ${reason}.`,
  rulesReasons: {
    'not-a-name': 'rules_files takes plain names of files in the project’s folder',
    'outside-root': 'it leads out of the project’s folder',
    'not-a-file': 'it is no plain file',
    'is-folder': 'it is a folder',
    'no-permission': 'there is no permission to read it',
    'not-utf8': 'it is not UTF-8 text',
    unreadable: 'it could not be read',
  },
  recap: 'The list of things to do is repeated at the end.',
  compactionDue: 'Compaction is due before this is sent. To see what it would do, and to do it:',
  compactionKeepsAll: (kept: number) =>
    `Compaction is due, but the latest ${kept} rounds stay, and nothing before them can be folded. To keep fewer:`,
  compactionInVain: 'Compaction is due, but there is only one round, and the latest one always stays.',
  compactionNotDue: (tokens: string) => `Compaction is not due before ${tokens} tokens.`,
  nothingSaid: 'Nothing was said in this session yet.',
  notSent: 'Nothing was sent or stored. To let the agent go on from here:',
  noModel: 'No model is known for this session, so the request names none; --model says which.',
  troubles: (count: number, command: string) =>
    `${count === 1 ? 'One line of the log is' : `${count} lines of the log are`} not as written; ${command} names what is wrong.`,
  writing: (model: string, seconds: number) =>
    `${model} is writing the summary; that may take up to ${seconds} s. Ctrl-C stops it.`,
  writerReads: (model: string, tokens: string, source: string) => `${model} is given up to ${tokens} tokens to read: ${source}.`,
  written: shared.turn.written,
  kept: shared.turn.kept,
  moreToFold:
    'There is more to fold: summaries, system messages and pinned rounds stay where they are, and one stretch between them is folded at a time. Run it again to go on.',
  beforeTrimming: 'The conversation, before anything is trimmed for a request:',
  howToRecall: 'To read what was folded:',
  howToUndo: 'To undo it:',
  forked: (id: string, original: string) => `It is in the new session ${id}. Session ${original} is as it was.`,
  nothingToFold: (kept: number) =>
    `There is nothing to fold: the latest ${kept} rounds stay, and nothing before them can be folded. --keep sets how many stay.`,
  unchanged: 'The session is as it was.',
  previewed: 'This is a preview; nothing was changed.',
  previewedByCode: (model: string) => `The summary above is written from the log; ${model} would write its own.`,
  undone: (messages: string) => `The latest compaction was taken back: ${messages} are shown again as they were.`,
  noCompaction: 'No compaction is in force on this branch, so there is none to undo.',
  cancelled: 'Stopped. The session is as it was.',
  noServer: (model: string, providers: string) =>
    `There is no server for ${model}: set OPENAI_BASE_URL or give --base-url, such as http://127.0.0.1:8000/v1, or write provider/model with one of ${providers}`,
  noKey: (model: string, variables: string) => `There is no key for ${model}: set ${variables}`,
  badKey: (variable: string) => `${variable}: expected a key, in one word of plain letters and signs`,
  /** `source` is an option or a variable. */
  badAddress: (source: string) =>
    `${source}: expected an address such as http://127.0.0.1:8000/v1, without a user name or password`,
  modelOfProject: (model: string) =>
    `Only the project’s plimsoll.yaml names the model ${model}, so nothing was sent to it. To use it: --model, or compaction.model in your own configuration.`,
  addressAlone: '--base-url says where a model is; --model says which',
  badKeep: (came: string) => `--keep: expected a whole number from 1, got ${came}`,
  needsNext: (option: string) => `${option} needs --next`,
  notTogether: (one: string, other: string) => `${one} and ${other} cannot be used together`,
}

/** Sentences of `plimsoll view`. Numbers arrive formatted. */
export const view = {
  standardInput: 'standard input',
  exampleName: 'example conversation',
  example: 'No file was given, so this is the bundled example: an invented bug hunt.',
  exampleHint: 'Your own conversation: plimsoll view FILE',
  messages: (count: number) => (count === 1 ? '1 message' : `${count} messages`),
  estimated: 'tokens estimated (--exact counts them)',
  exact: (tokenizer: string) => `tokens counted exactly (${tokenizer})`,
  asOf: (time: string) => `as of ${time}`,
  window: (size: string, reserve: string, cell: string) =>
    `window ${size} tokens, ${reserve} kept free for the answer; a cell is ${cell}`,
  windowWithSource: (size: string, reserve: string, source: string) =>
    `window ${size} tokens, ${reserve} kept free for the answer; ${source}`,
  windowFrom: {
    model: (model: string, date: string) => `the window is that of ${model}, as known on ${date}`,
    modelInput: (model: string, tokens: string, date: string) => `${model} reads at most ${tokens} tokens, as known on ${date}`,
    setting: (where: string) => `the window is set by ${where}`,
    unknownModel: (model: string) => `the window of ${model} is not known, so this is the default; context_window sets it`,
    noModel: 'no model is named, so the window is the default',
  },
  load: (tokens: string, low: string, high: string, share: string) =>
    `load: about ${tokens} tokens (between ${low} and ${high}), ${share} of what is usable`,
  overLine: (excess: string, usable: string) => `${excess} tokens over the line: ${usable} are usable`,
  before: 'before',
  after: 'after',
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  reasoning: 'reasoning',
  calls: 'tool calls',
  results: 'tool results',
  unnamedTool: 'unnamed tool',
  otherTools: (count: number) => `${count} other tools`,
  media: 'images and media',
  free: 'free',
  reserve: 'output reserve',
  edits: (count: number) => (count === 1 ? '1 edit' : `${count} edits`),
  policy: 'policy',
  message: 'message',
  tool: 'tool',
  tokens: 'tokens',
  why: 'why',
  moreEdits: (count: number) => `… and ${count} smaller ${count === 1 ? 'edit' : 'edits'}; --all shows every one`,
  editsOfPolicy: 'edits',
  saved: 'tokens saved',
  settings: 'settings',
  truncationRate: (percent: string, results: number) =>
    `truncation rate: ${percent} of ${results} tool results cut by their limit`,
  problems: (count: number) => `${count === 1 ? '1 problem' : `${count} problems`} a provider would refuse`,
  problem: (rule: string, message: string) => `${rule} at message ${message}`,
  nothingToTrim: 'Nothing to trim: this conversation can go out as it is.',
  nothingTrimmed: 'No policy found anything to trim; see above for what still stands in the way.',
  noTimes: 'no message has a timestamp, so no command has an age',
  closing: shared.turn.closing,
  conversations: (count: number, shown: number) =>
    `The file holds ${count} conversations; showing number ${shown}. Choose with --conversation N.`,
  skippedLines: (count: number, line: number, reason: string) =>
    count === 1
      ? `Line ${line} was left out: ${reason}. plimsoll repair mends such a file into a copy.`
      : `${count} lines were left out, the first is line ${line}: ${reason}. plimsoll repair mends such a file into a copy.`,
  damagedCompactions: (count: number, line: number) =>
    count === 1
      ? `The compaction in line ${line} keeps messages, or has a summary, that are not in the log; it is shown without them.`
      : `${count} compactions keep messages, or have summaries, that are not in the log, the first in line ${line}; they are shown without them.`,
  skipReasons: {
    'not-json': 'it is not JSON',
    'not-utf8': 'it is not UTF-8 text',
    'too-long': 'it is too long to be read',
    'too-deep': 'it is nested too deep',
    'not-an-object': 'it is no object',
    'no-message': 'its message has no content',
    repeated: 'it has the id of an earlier line',
    'cut-off': 'the file is cut off or damaged from here on',
  },
  leftOut: (abandoned: number, sidechains: number) =>
    `Not shown: ${abandoned} messages on branches that were left, ${sidechains} messages of sub-agents.`,
  sentTooMuch: (requests: number, times: string) =>
    `In ${requests} requests in a row, the messages read from this log have ${times} times the tokens that the provider reported. Some of them were probably not sent.`,
  sentTooLittle: (requests: number, times: string) =>
    `In ${requests} requests in a row, the provider reported ${times} times the tokens of the messages read from this log. Some messages are probably missing.`,
}

/** Why an entry of another agent's log was skipped; `bad-compaction` names messages or a summary that are not in the log. */
export type SkipReason = keyof typeof view.skipReasons | 'bad-compaction'

import { english as shared } from '../../shared/strings/english.ts'

/** Sentences of `show --next` and `compact`. Numbers arrive formatted; text from a log or a file's name arrives clean. */
export const requestCommands = {
  help: {
    next: 'show the next request without sending it',
    withNext: 'With --next:',
    resume: 'continue a session in a chat',
    compact: 'compact the older rounds of a session into a summary; the full log is kept',
    root: "set the project folder, where rules files are (default: the session's, else the current folder)",
    model: 'set the model of the request (default: that of the last request)',
    dialect: (names: string) => `set the API format of the request in --json: ${names} (default: openai-chat)`,
    fork: 'compact into a new, linked session and leave this one unchanged',
    preview: 'show the summary and what it would save; change nothing',
    undo: 'undo the latest compaction',
    focus: 'tell the summary what to focus on',
    keep: 'keep this many of the latest rounds in full; a round is a user message and everything up to the next one (default: from the configuration)',
    writer:
      'let this model write the summary, such as openai/NAME (default: from the configuration, else the summary is made without a model)',
    baseUrl: "set the address of a server with OpenAI's chat completions API (default: by the model's name)",
    compactJson: 'print only JSON',
  },
  nextRequest: (session: string) => `Next request of session ${session}`,
  summaries: (count: number) => `${count === 1 ? '1 summary' : `${count} summaries`} instead of older rounds`,
  summary: (why: string, tokens: string) => `${why} (${tokens} tokens)`,
  rules: (file: string, tokens: string) => `Rules: ${file} (${tokens} tokens)`,
  rulesCut: (file: string, bytes: string) =>
    `Only the start of ${file} is used: its ${bytes} bytes are more than the limit for rules.`,
  noRules: (files: string) => `Rules: none (looked for ${files})`,
  rulesNotUsed: (file: string, reason: string) => `${file} was not used: ${reason}.`,
  rulesReasons: {
    'not-a-name': 'rules_files accepts only names of files in the project folder',
    'outside-root': 'it points outside the project folder',
    'not-a-file': 'it is not a regular file',
    'is-folder': 'it is a folder',
    'no-permission': 'no permission to read it',
    'not-utf8': 'it is not UTF-8 text',
    unreadable: 'it could not be read',
  },
  recap: 'The to-do list is repeated at the end.',
  compactionDue: 'Compaction is due before this request. To preview it, then to run it:',
  compactionKeepsAll: (kept: number) =>
    `Compaction is due, but ${latestRounds(kept)} kept, and nothing before that can be compacted. To keep fewer:`,
  compactionInVain: 'Compaction is due, but there is only one round, and the latest round is always kept.',
  compactionNotDue: (tokens: string) => `Compaction is due at ${tokens} tokens.`,
  nothingSaid: 'This session has no messages yet.',
  notSent: 'Nothing was sent or stored. To continue with the agent from here:',
  noModel: 'The model of this session is unknown, so the request names none. Set it with --model.',
  troubles: (count: number, command: string) =>
    count === 1
      ? `1 line of the log has a problem; ${command} shows it.`
      : `${count} lines of the log have problems; ${command} lists them.`,
  writing: (model: string, seconds: number) =>
    `${model} is writing the summary, which may take up to ${seconds} s. Press Ctrl-C to stop.`,
  writerReads: (model: string, tokens: string, source: string) => `${model} reads at most ${tokens} tokens: ${source}.`,
  written: shared.turn.written,
  kept: shared.turn.kept,
  moreToFold:
    'More can be compacted: summaries, system messages and pinned rounds stay in place, and each run compacts one stretch between them. Run it again to continue.',
  beforeTrimming: 'The conversation, before it is trimmed for a request:',
  howToRecall: 'To read what was compacted:',
  howToUndo: 'To undo it:',
  forked: (id: string, original: string) => `The result is the new session ${id}. Session ${original} is unchanged.`,
  nothingToFold: (kept: number) =>
    `Nothing to compact: ${latestRounds(kept)} kept, and nothing before that can be compacted. Use --keep to keep fewer.`,
  unchanged: 'The session is unchanged.',
  previewed: 'This is a preview. Nothing was changed.',
  previewedByCode: (model: string) => `The summary above was made from the log; ${model} would write its own.`,
  undone: (messages: string) => `The latest compaction was undone. Shown in full again: ${messages}.`,
  noCompaction: 'This branch has no compaction to undo.',
  cancelled: 'Stopped. The session is unchanged.',
  noServer: (model: string, providers: string) =>
    `No server is known for ${model}: set OPENAI_BASE_URL or --base-url, such as http://127.0.0.1:8000/v1, or write provider/model with one of ${providers}`,
  noKey: (model: string, variables: string) => `No API key found for ${model}: set ${variables}`,
  badKey: (variable: string) => `${variable}: expected an API key of plain letters, digits and signs, without spaces`,
  /** `source` is an option or a variable. */
  badAddress: (source: string) =>
    `${source}: expected an address such as http://127.0.0.1:8000/v1, without a user name or password`,
  addressAlone: '--base-url also needs --model: pass the name of the model',
  badKeep: (came: string) => `--keep: expected a whole number of at least 1, got ${came}`,
  needsNext: (option: string) => `${option} needs --next`,
  notTogether: (one: string, other: string) => `${one} and ${other} cannot be used together`,
}

const latestRounds = (kept: number) => (kept === 1 ? 'the latest round is' : `the latest ${kept} rounds are`)

const messagesText = (count: number): string => (count === 1 ? '1 message' : `${count} messages`)

/** Sentences of `plimsoll view`. Numbers arrive formatted. */
export const view = {
  standardInput: 'standard input',
  exampleName: 'example conversation',
  example: 'No file was passed, so this is the bundled example: an invented bug hunt.',
  exampleHint: 'To view your own conversation: plimsoll view FILE',
  messages: messagesText,
  estimated: 'token counts are estimates (--exact counts exactly)',
  exact: (tokenizer: string) => `token counts are exact (${tokenizer})`,
  language: (name: string) => `text inserted for the model: ${name} (--strings changes it)`,
  languages: { specification: "the specification's own", english: 'English', chinese: 'Chinese' },
  asOf: (time: string) => `as of ${time}`,
  window: (size: string, reserve: string, cell: string) =>
    `window: ${size} tokens, ${reserve} reserved for the answer; ${cell} tokens per cell`,
  windowWithSource: (size: string, reserve: string, source: string) =>
    `window: ${size} tokens, ${reserve} reserved for the answer; ${source}`,
  windowFrom: {
    model: (model: string, date: string) => `the window is that of ${model} (as of ${date})`,
    modelInput: (model: string, tokens: string, date: string) => `${model} accepts at most ${tokens} tokens (as of ${date})`,
    setting: (where: string) => `the window is set by ${where}`,
    unknownModel: (model: string) => `the window of ${model} is unknown, so this is the default; set context_window to change it`,
    noModel: 'no model is set, so the window is the default',
  },
  load: (tokens: string, low: string, high: string, share: string) =>
    `in context: about ${tokens} tokens (${low} to ${high}), ${share} of the usable window`,
  overLine: (when: string, excess: string, usable: string) => `${when}: ${excess} tokens over the limit of ${usable}`,
  before: 'before',
  after: 'after',
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  reasoning: 'reasoning',
  calls: 'tool calls',
  results: 'tool results',
  unnamedTool: 'unnamed tool',
  otherTools: (count: number) => (count === 1 ? '1 other tool' : `${count} other tools`),
  media: 'images and media',
  free: 'free',
  reserve: 'output reserve',
  edits: (count: number) => (count === 1 ? '1 edit' : `${count} edits`),
  policy: 'policy',
  message: 'message',
  tool: 'tool',
  tokens: 'tokens',
  why: 'why',
  moreEdits: (count: number) => `… and ${count} smaller ${count === 1 ? 'edit' : 'edits'}; --all lists all`,
  editsOfPolicy: 'edits',
  saved: 'tokens saved',
  settings: 'settings',
  truncationRate: (percent: string, results: number) =>
    `truncation rate: ${percent} of ${results} tool ${results === 1 ? 'result' : 'results'} cut at the limit`,
  problems: (count: number) => `${count === 1 ? '1 problem' : `${count} problems`} that providers reject`,
  problem: (rule: string, message: string) => `${rule} at message ${message}`,
  nothingToTrim: 'Nothing to trim: this conversation can be sent unchanged.',
  nothingTrimmed: 'No policy found anything to trim. The problems above remain.',
  noTimes: 'no message has a timestamp, so the age of commands is unknown',
  closing: shared.turn.closing,
  conversations: (count: number, shown: number) =>
    `The file has ${count} conversations; this is number ${shown}. Choose one with --conversation N.`,
  skippedLines: (count: number, line: number, reason: string) =>
    count === 1
      ? `Line ${line} was skipped: ${reason}. plimsoll repair writes a repaired copy.`
      : `${count} lines were skipped, the first is line ${line}: ${reason}. plimsoll repair writes a repaired copy.`,
  changedLines: (count: number, line: number) =>
    `The log is damaged in ${count === 1 ? '1 place' : `${count} places`} (the first at line ${line}): lines were changed, moved or removed after they were written, as their checksums show. Do not rely on it. Compare it with a backup, or write a repaired copy with \`plimsoll repair\`.`,
  damagedCompactions: (count: number, line: number) =>
    count === 1
      ? `The compaction in line ${line} names messages or a summary that are not in the log; it is shown without them.`
      : `${count} compactions, the first in line ${line}, name messages or summaries that are not in the log; they are shown without them.`,
  skipReasons: {
    'not-json': 'it is not JSON',
    'not-utf8': 'it is not UTF-8 text',
    'too-long': 'it is too long',
    'too-deep': 'it is nested too deeply',
    'not-an-object': 'it is not an object',
    'no-message': 'its message has no content',
    repeated: 'it has the id of an earlier line',
    'cut-off': 'the file is cut off or damaged from here on',
  },
  leftOut: (abandoned: number, sidechains: number) =>
    `Not shown: ${[
      ...(abandoned === 0 ? [] : [`${messagesText(abandoned)} on abandoned branches`]),
      ...(sidechains === 0 ? [] : [`${messagesText(sidechains)} of sub-agents`]),
    ].join(', ')}.`,
  sentTooMuch: (requests: number, times: string) =>
    `In ${requests} consecutive requests, the messages in this log have ${times} times the tokens that the provider reported. Some of them were probably not sent.`,
  sentTooLittle: (requests: number, times: string) =>
    `In ${requests} consecutive requests, the provider reported ${times} times the tokens of the messages in this log. Some messages are probably missing.`,
}

/**
 * Why an entry of another agent's log was skipped; `bad-compaction` names messages or a summary that are not in the log, and `changed` is
 * used although its checksum does not match.
 */
export type SkipReason = keyof typeof view.skipReasons | 'bad-compaction' | 'changed'

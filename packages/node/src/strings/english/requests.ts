import { english as shared } from '../../shared/strings/english.ts'

/** Sentences of `resume` and `compact`. Numbers arrive formatted; text from a log or a file's name arrives clean. */
export const requestCommands = {
  help: {
    resume: 'show what the next request of a session would be',
    compact: 'fold the older rounds of a session into a summary; nothing stored is lost',
    root: "the project's folder, where its rules lie (default: the session's, else here)",
    model: 'the model the request is for (default: that of the last request)',
    dialect: (names: string) => `how --json writes the request: ${names} (default: openai-chat)`,
    resumeJson: 'print { "request", "report", "window" } as JSON and nothing else',
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
  notTogether: (one: string, other: string) => `${one} and ${other} cannot be used together`,
}

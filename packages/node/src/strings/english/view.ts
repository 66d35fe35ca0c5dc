import { english as shared } from '../../shared/strings/english.ts'
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

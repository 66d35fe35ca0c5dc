import type { WindowCategory } from '@plimsoll/core/bill'
import type { PermissionMode } from '@plimsoll/core/policies'
import { modelStrings } from '@plimsoll/core/text'

/** What happened and what to do about it. `about` belongs to the code: a variable, a time to wait, the server's message. */
export type AgentErrorStrings = Readonly<
  Record<
    AgentErrorCode,
    {
      readonly message: (about: string, facts: AgentErrorFacts) => string
      readonly suggestion: (about: string, facts: AgentErrorFacts) => string
    }
  >
>

/** Errors that end a turn, by their stable names. */
export type AgentErrorCode =
  | 'CONTEXT_LENGTH_EXCEEDED'
  | 'REQUEST_TOO_LARGE'
  | 'IMAGES_REFUSED'
  | 'TOOL_PAIRS_REFUSED'
  | 'KEY_REFUSED'
  | 'RATE_LIMITED'
  | 'MODEL_NOT_REACHED'
  | 'MODEL_REFUSED'

/** Other facts about a failed request. */
export interface AgentErrorFacts {
  readonly tries: number
  /** The time the provider asks to wait, such as `3 min 20 s`; empty if unknown. */
  readonly wait: string
  /** Whether the server is likely not a model's. */
  readonly isElsewhere: boolean
}

const agentErrors: AgentErrorStrings = {
  CONTEXT_LENGTH_EXCEEDED: {
    message: () => 'The conversation is too long for the model’s context window.',
    suggestion: () => 'Compact it and retry, continue in a new session, or choose a model with a larger window.',
  },
  REQUEST_TOO_LARGE: {
    message: () => 'The request exceeds the provider’s limit in bytes and cannot be shortened further.',
    suggestion: () => 'Continue in a new session, or omit the largest files and images.',
  },
  IMAGES_REFUSED: {
    message: () => 'The provider rejected the images in this conversation.',
    suggestion: () => 'Send fewer or smaller images, or choose a model that accepts them.',
  },
  TOOL_PAIRS_REFUSED: {
    message: () => 'The provider rejected the request: tool calls, results and reasoning do not match.',
    suggestion: () => 'Rewind to an earlier message, continue in a new session, or choose another model.',
  },
  KEY_REFUSED: {
    message: () => 'The provider rejected the API key.',
    suggestion: (variable) =>
      variable === '' ? 'Check the key and its permissions.' : `Check the key in ${variable} and its permissions.`,
  },
  RATE_LIMITED: {
    message: (words, { tries, wait }) => {
      const facts = [...(tries > 1 ? [`tried ${tries} times`] : []), ...(wait === '' ? [] : [`try again in ${wait}`])]
      return `The provider’s rate limit was reached${facts.length === 0 ? '' : ` (${facts.join('; ')})`}${words === '' ? '' : `: ${words}`}`
    },
    suggestion: () => 'Try again later, choose another model, or check the limits of your account.',
  },
  MODEL_NOT_REACHED: {
    message: (words, { tries }) =>
      `The model did not respond${tries > 1 ? ` (tried ${tries} times)` : ''}${words === '' ? '' : `: ${words}`}`,
    suggestion: () => 'Check the connection and the server address, then try again. Nothing is lost.',
  },
  MODEL_REFUSED: {
    message: (words, { isElsewhere }) =>
      `${isElsewhere ? 'This address does not seem to be a model API' : 'The model rejected the request'}${words === '' ? '' : `: ${words}`}`,
    suggestion: (_words, { isElsewhere }) =>
      isElsewhere
        ? 'Check the server address (--base-url or its variable). The address of a model API looks like http://localhost:8080/v1.'
        : 'Check the model’s name and settings, or choose another model.',
  },
}

/** The specification gives one of them. */
const notices = {
  summary_timed_out: modelStrings.summaryTimedOut,
  answer_cut: 'The answer reached its maximum length and was cut off. Say “continue” to get the rest.',
  calls_were_interrupted: 'The last turn was interrupted. These calls have no result, and may have had effects.',
  answer_was_interrupted: 'The last turn was interrupted before the model had answered.',
  answer_filtered: 'The provider’s content filter cut the answer off.',
  max_steps: 'This turn reached its limit of requests (agent.max_steps). Say “continue” to resume it.',
  max_cost:
    'The next request could exceed the cost limit of the session (agent.max_cost or --max-cost). Raise the limit to continue.',
  result_not_summarized: 'A long result was truncated instead of summarised.',
  tools_trouble: 'Some tools are not available.',
  summary_failed: 'The summary could not be written.',
  summary_overflow: 'The history is too long for the model that writes the summary.',
  summary_empty: 'The model returned an empty summary.',
  summary_longer: 'The model returned a summary that is longer than the original.',
  summary_error_text: 'The model returned an error message instead of a summary.',
  summary_no_template: 'The model’s answer does not have the form of a summary.',
  summary_not_asked:
    'The model failed to write a summary three times in a row, so it was not asked this time. Compact manually to ask it again.',
  summary_too_dear:
    'A summary by the model could exceed the cost limit of the session (agent.max_cost or --max-cost), so the model was not asked.',
  outline_kept: 'The older rounds were replaced with an outline from the log instead of a summary.',
  recent_kept: 'Only the recent history is kept.',
  compaction_ineffective: 'A summary would be no shorter than the original, so nothing was compacted.',
  compaction_stopped:
    'The last compactions did not make the context smaller, so none was tried. To try again, compact manually and keep fewer rounds.',
  files_undone: 'These files were set back, or changed again, at your request.',
  retrying: 'The request failed and is sent again.',
  answer_restarted: 'The answer was cut off and starts again.',
  history_compressed: 'The history was compacted automatically; the request is sent again.',
  answer_shortened: 'There is less room for the answer than requested; it may be shorter.',
  media_dropped: 'The provider accepts only fewer or smaller images and files; older ones are omitted from the request.',
  pairs_repaired:
    'The provider rejected the request: tool calls, results and reasoning did not match. It was repaired automatically.',
  silent_overflow: 'The model did not read the whole conversation and reported no error. The conversation will be compacted.',
  damaged_session: 'The log of this session is damaged. What can be read is used.',
  small_window: 'The server gives the model a small context window, so only short conversations fit.',
  kept_alive: 'The provider’s cache of this conversation was kept alive while you were away.',
  keep_alive_failed: 'The provider’s cache of this conversation could not be kept alive.',
}

/** Sentences about the turns of a chat. Numbers arrive formatted. */
const turn = {
  wouldFail: 'This change would fail. The model would get:',
  exitCode: (code: number) => `exit code ${code}`,
  lines: (count: string) => (count === '1' ? '1 line' : `${count} lines`),
  matches: (count: string) => (count === '1' ? '1 match' : `${count} matches`),
  files: (count: string) => (count === '1' ? '1 file' : `${count} files`),
  savedTo: (path: string) => `saved to ${path}`,
  nothingPrinted: 'no output',
  requests: (count: number) => (count === 1 ? '1 request' : `${count} requests`),
  turnTokens: (prompt: string, answer: string) => `${prompt} tokens in, ${answer} out`,
  readFromCache: (share: string) => `${share} from cache`,
  turnOutcome: { cancelled: 'stopped', failed: 'failed', stopped: 'not finished' },
  compactionNot: { unchanged: 'nothing was compacted', cancelled: 'compaction stopped; nothing was changed' },
  doing: {
    waiting: 'waiting for the model',
    thinking: 'thinking',
    answering: 'answering',
    running: 'running',
    compacting: 'compacting older rounds into a summary; please wait',
  },
  offlineModel: 'offline model',
  measured: 'measured',
  estimated: 'estimated',
  modes: {
    'read-only': 'only reads',
    ask: 'asks before it changes files or runs commands',
    'accept-edits': 'changes files, asks before it runs commands',
    auto: 'never asks',
  } satisfies Record<PermissionMode, string>,
  recovering: 'The conversation is too long for the model. It is being shortened, then the request is sent again.',
  roundsFolded: (messages: number, rounds: number, kept: number) =>
    `${messages} messages of ${rounds === 1 ? '1 round' : `${rounds} rounds`} compacted into a summary; the latest ${kept === 1 ? 'round stays' : `${kept} rounds stay`}`,
  written: (characters: string) => `${characters} characters so far`,
  kept: {
    summary: 'The summary was written by the model and checked against the log.',
    outline: 'The summary was written from the log, without a model.',
    notice: 'There is no summary; a notice replaces the older rounds.',
  },
  closing: (before: string, after: string, percent: string) => `${before} → ${after} tokens (${percent})`,
  offline:
    'No API key was found, so the built-in offline model answers. It follows simple commands such as “read FILE” or “run COMMAND”. To use a real model, set a key (ANTHROPIC_API_KEY, OPENAI_API_KEY, …) or --base-url.',
  untitled: 'no messages yet',
}

const fill = {
  title: 'Load line',
  categories: {
    system: 'System prompt',
    rules: 'Rules files',
    tools: 'Tool definitions',
    user: 'User',
    assistant: 'Assistant',
    reasoning: 'Reasoning',
    calls: 'Tool calls',
    results: 'Tool results',
    images: 'Images',
    summaries: 'Summaries',
  } satisfies Record<WindowCategory, string>,
}

/** The largest parts of a conversation that is too long. */
const overflowParts = {
  system: () => 'System prompt',
  user: () => 'Your messages',
  assistant: () => 'Model answer',
  reasoning: () => 'Model reasoning',
  summary: () => 'Summary',
  'tool-definitions': () => 'Tool definitions',
  call: (about: string) => `Call to ${about}`,
  result: (about: string) => `Result of ${about}`,
  media: (about: string) => `Image or file (${about})`,
  other: (about: string) => about,
} satisfies Record<string, (about: string) => string>

/** Sentences of an exported page, which contains its session. */
const page = {
  title: 'Plimsoll inspector',
  needsScript: 'This page needs JavaScript. It loads nothing and sends nothing.',
  cutText: (characters: string) => `[… ${characters} more characters, not included in this page …]`,
  redacted: (secrets: string, homes: string) =>
    `Redacted keys, tokens and passwords, as far as recognised: ${secrets}. Home folders shown as ~: ${homes}. Read the page before you share it.`,
  notRedacted: 'Nothing was redacted: keys, passwords and paths are shown unchanged. Do not share this page.',
  shortened: (texts: string) => `Long texts shown only by their start and end: ${texts}.`,
  fewerPictures: (pictures: string) => `Images omitted for lack of space: ${pictures}.`,
  fewerRequests: (requests: string) => `Requests shown only by their numbers, without messages: ${requests}.`,
  noData: 'This page contains no session.',
  damaged: 'The session in this page is damaged. Generate the page again.',
  otherVersion: (version: string) => `This page was generated by another version of Plimsoll (${version}). Generate it again.`,
  requestNotHere: 'The messages of this request were too long to include in this page. plimsoll serve shows them.',
  editNotHere: 'The content of this edit is not included in this page. plimsoll serve shows it.',
  contentNotHere: 'Too large to include in this page.',
  noReplay: 'This page contains no replay with these policies. plimsoll serve computes it.',
}

/** Sentences of both the terminal and the web app, in English. */
export const english = { agentErrors, notices, turn, fill, overflowParts, page }

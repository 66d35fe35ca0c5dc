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
    suggestion: () => 'Compress it and try again, go on in a new session, or choose a model with a larger window.',
  },
  REQUEST_TOO_LARGE: {
    message: () => 'The request has more bytes than the provider takes, and what is left cannot be made smaller.',
    suggestion: () => 'Go on in a new session, or leave the largest files and pictures out.',
  },
  IMAGES_REFUSED: {
    message: () => 'The provider does not take the pictures in this conversation.',
    suggestion: () => 'Send fewer or smaller pictures, or choose a model that takes them.',
  },
  TOOL_PAIRS_REFUSED: {
    message: () => 'The provider does not accept how calls, results and thoughts belong together.',
    suggestion: () => 'Rewind to an earlier message, go on in a new session, or choose another model.',
  },
  KEY_REFUSED: {
    message: () => 'The provider refused the key.',
    suggestion: (variable) =>
      variable === '' ? 'Check the key and what it is allowed to use.' : `Check the key in ${variable} and what it may use.`,
  },
  RATE_LIMITED: {
    message: (words, { tries, wait }) => {
      const facts = [...(tries > 1 ? [`asked ${tries} times`] : []), ...(wait === '' ? [] : [`it asks to wait for ${wait}`])]
      return `The provider’s limit was hit${facts.length === 0 ? '' : ` (${facts.join('; ')})`}${words === '' ? '' : `: ${words}`}`
    },
    suggestion: () => 'Try again later, choose another model, or check the limits of the account.',
  },
  MODEL_NOT_REACHED: {
    message: (words) => `The model did not answer, however often it was asked${words === '' ? '' : `: ${words}`}`,
    suggestion: () => 'Check the connection and the address of the server, then try again; nothing is lost.',
  },
  MODEL_REFUSED: {
    message: (words, { isElsewhere }) =>
      `${isElsewhere ? 'What answered at this address is likely no model' : 'The model refused the request'}${words === '' ? '' : `: ${words}`}`,
    suggestion: (_words, { isElsewhere }) =>
      isElsewhere
        ? 'Check the address of the server (--base-url or its variable): it is likely not that of a model’s API, such as http://localhost:8080/v1.'
        : 'Check the name of the model and its settings, or choose another model.',
  },
}

/** The specification itself gives one of them. */
const notices = {
  summary_timed_out: modelStrings.summaryTimedOut,
  answer_cut: 'The answer reached the most it may have and is cut off; say “go on” to get the rest.',
  answer_filtered: 'The provider broke the answer off by its own rules for content.',
  max_steps: 'The turn has taken as many requests as it may (agent.max_steps); say “go on” to continue.',
  max_cost: 'The next request would cost more than the session may (agent.max_cost or --max-cost); raise the limit to go on.',
  result_not_summarized: 'A long result was cut in place of being summarised.',
  tools_trouble: 'Some tools cannot be used.',
  summary_failed: 'The summary could not be written.',
  summary_overflow: 'The history is too long for the model that writes the summary.',
  summary_empty: 'The summary came back empty.',
  summary_longer: 'The summary came back longer than what it stands for.',
  summary_error_text: 'An error text came back in place of a summary.',
  summary_no_template: 'What came back does not have the form of a summary.',
  summary_not_asked:
    'The model failed three times in a row to write a summary, so it was not asked this time; compact by hand to ask it again.',
  summary_too_dear:
    'A summary by the model could cost more than the session may (agent.max_cost or --max-cost), so the model was not asked.',
  outline_kept: 'An outline of the older rounds, taken from the log, was kept in place of a summary.',
  recent_kept: 'Only the recent history is kept.',
  compaction_ineffective: 'A summary would be no smaller than what it stands for, so nothing was folded.',
  compaction_stopped:
    'The last compactions made the context no smaller, so none was tried; compact by hand, with fewer rounds kept, to try again.',
  retrying: 'The request did not succeed; it is sent again.',
  answer_restarted: 'The answer broke off and begins anew.',
  history_compressed: 'The history was compressed by itself; the model is asked again.',
  answer_shortened: 'There is less room for the answer than was asked for; it may be shorter.',
  media_dropped: 'The provider takes fewer or smaller pictures and files; older ones are left out of the request.',
  pairs_repaired: 'The provider did not accept how calls, results and thoughts belong together; the request was mended.',
  silent_overflow: 'The model did not read all of the conversation and said nothing about it; it will be compressed.',
  small_window: 'The server gives the model little room, so that only short conversations fit.',
  kept_alive: 'The conversation was kept in the provider’s cache while nobody asked anything.',
  keep_alive_failed: 'The conversation could not be kept in the provider’s cache.',
}

/** Sentences about the turns of a chat. Numbers arrive formatted. */
const turn = {
  exitCode: (code: number) => `exit code ${code}`,
  lines: (count: string) => (count === '1' ? '1 line' : `${count} lines`),
  matches: (count: string) => (count === '1' ? '1 match' : `${count} matches`),
  files: (count: string) => (count === '1' ? '1 file' : `${count} files`),
  savedTo: (path: string) => `saved to ${path}`,
  nothingPrinted: 'no output',
  requests: (count: number) => (count === 1 ? '1 request' : `${count} requests`),
  turnTokens: (prompt: string, answer: string) => `${prompt} in, ${answer} out`,
  readFromCache: (share: string) => `${share} from cache`,
  turnOutcome: { cancelled: 'stopped', failed: 'failed', stopped: 'not finished' },
  compactionNot: { unchanged: 'nothing was folded', cancelled: 'folding was stopped; nothing was changed' },
  doing: {
    waiting: 'waiting for the model',
    thinking: 'thinking',
    answering: 'answering',
    running: 'running',
    compacting: 'folding older rounds into a summary; please wait',
  },
  offlineModel: 'offline model',
  measured: 'measured',
  estimated: 'estimated',
  modes: {
    'read-only': 'it only looks',
    ask: 'it asks before it changes files or runs commands',
    'accept-edits': 'it changes files, and asks before it runs commands',
    auto: 'it never asks',
  } satisfies Record<PermissionMode, string>,
  recovering: 'The conversation is too long for the model; it is being shortened, and then the request is sent again.',
  roundsFolded: (messages: number, rounds: number, kept: number) =>
    `${messages} messages of ${rounds} ${rounds === 1 ? 'round' : 'rounds'} folded into a summary; the latest ${kept} stay`,
  written: (characters: string) => `${characters} characters so far`,
  kept: {
    summary: 'The summary was written by the model and checked against the log.',
    outline: 'The summary was written from the log, without a model.',
    notice: 'There is no summary; a notice stands in place of the older rounds.',
  },
  closing: (before: string, after: string, percent: string) => `${before} → ${after} tokens (${percent})`,
  offline:
    'No key was found, so the built-in offline model answers: it follows plain commands such as “read FILE” or “run COMMAND”. Set a key (ANTHROPIC_API_KEY, OPENAI_API_KEY, …) or --base-url for a real one.',
  untitled: 'nothing was said yet',
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

/** Sentences of a page that carries a session with it. */
const page = {
  title: 'Plimsoll inspector',
  needsScript: 'This page needs JavaScript. It loads nothing and sends nothing.',
  cutText: (characters: string) => `[… ${characters} more characters, which are not in this page …]`,
  redacted: (secrets: string, homes: string) =>
    `Keys, tokens and passwords that could be recognised were taken out: ${secrets}. Names of home folders shown as ~: ${homes}. Read it through before you pass it on.`,
  notRedacted: 'Nothing was taken out of this page: keys, passwords and paths stand in it as they were said. Do not pass it on.',
  shortened: (texts: string) => `Long texts of which only the beginning and the end are here: ${texts}.`,
  fewerPictures: (pictures: string) => `Pictures that found no room: ${pictures}.`,
  fewerRequests: (requests: string) => `Requests whose messages are not in this page, only their figures: ${requests}.`,
  noData: 'This page carries no session.',
  damaged: 'The session in this page is damaged. Write the page again.',
  otherVersion: (version: string) => `This page was written by another version of Plimsoll (${version}). Write it again.`,
  requestNotHere: 'The messages of this request are not in this page: it was too long. plimsoll serve shows them.',
  editNotHere: 'What this edit changed is not in this page. plimsoll serve shows it.',
  contentNotHere: 'This was too large for the page and is not in it.',
  noReplay: 'This page carries no replay under these policies. plimsoll serve works it out.',
}

/** Sentences of both the terminal and the web app, in English. */
export const english = { agentErrors, notices, turn, fill, page }

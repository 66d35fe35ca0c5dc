import type { ToolKind } from '@plimsoll/core/policies'

/** Sentences of `plimsoll` alone. Numbers, sizes and times arrive formatted; text from a log or a file's name arrives clean. */
export const overview = {
  help: 'what the agent logs on this machine hold and cost; the same as plimsoll alone',
  json: 'print the overview as JSON and nothing else',
  title: (sessions: number, formatted: string) => (sessions === 1 ? '1 agent session' : `${formatted} agent sessions`),
  exampleTitle: 'example conversation',
  noLogs: (agents: string) =>
    `No agent has left logs on this machine (${agents}), so this is the bundled example: an invented bug hunt.`,
  span: (first: string, last: string) => (first === last ? first : `${first} to ${last}`),
  estimated: 'What is held is estimated; what was sent, and what of it came from a cache, is what providers reported.',
  priceDate: (date: string) => `Cost at the prices of ${date}, whatever was paid then.`,
  agent: 'agent',
  sessions: 'sessions',
  requests: 'requests',
  held: 'tokens held',
  sent: 'tokens sent',
  fromCache: 'cached',
  cost: 'cost',
  total: 'all',
  noUsage: 'No log says what a provider counted, so neither cache nor cost is known.',
  someUsage: (requests: string, all: string) => `Providers reported usage for ${requests} of ${all} requests.`,
  unpriced: (models: string) => `No price is known for ${models}.`,
  between: ', ',
  unpricedModel: (model: string, requests: string) => `${model} (${requests})`,
  moreModels: (count: number) => `${count} more`,
  noModel: 'requests without a model',
  repeated: (answers: string) => `${answers} answers stand in more than one log and count once.`,
  holds: 'What the conversations hold',
  categories: {
    system: 'system',
    user: 'user',
    assistant: 'assistant',
    reasoning: 'reasoning',
    calls: 'tool calls',
    results: 'tool results',
    images: 'images and media',
    summaries: 'summaries',
  },
  kinds: {
    terminal: 'commands',
    'file-read': 'file reads',
    list: 'folder lists',
    glob: 'file searches',
    search: 'text searches',
    edit: 'edits',
    write: 'writes',
    todo: 'to-do lists',
    'repo-map': 'maps',
    image: 'pictures',
    recall: 'recalls',
    other: 'other tools',
  } satisfies Record<ToolKind, string>,
  otherKinds: 'the rest',
  readsTitle: 'Files read again',
  reads: (again: string, reads: string, tokens: string) =>
    `${again} of ${reads} reads were of a file read before and not changed since: ${tokens} tokens`,
  sameReads: (same: string, tokens: string) => `${same} of them brought the very same text: ${tokens} tokens`,
  noReads: 'no file was read twice without a change in between',
  biggest: 'Biggest results',
  unnamedTool: 'unnamed tool',
  unreadable: (count: number) => (count === 1 ? '1 could not be read' : `${count} could not be read`),
  moreUnreadable: (count: number) => `… and ${count} more; --json names them all`,
  skippedLines: (count: number, lines: string, files: string) =>
    count === 1
      ? '1 line could not be read and was left out.'
      : `${lines} lines in ${files} of the files could not be read and were left out.`,
  nothingRead: (files: number) =>
    files === 1
      ? 'the one agent log that was found could not be read'
      : `none of the ${files} agent logs that were found could be read`,
  next: 'Next',
  tryReplay: 'what other policies would have cost, and what they would have lost',
  tryView: 'what of a conversation would be sent, and why',
  exampleTrimmed: (sent: string, held: string) =>
    `Plimsoll would send ${sent} of its ${held} tokens now, and lose no byte of the rest.`,
  tryExample: 'what that is, before and after, edit by edit',
  tryServe: 'the same in the browser, with a chat to try',
  tryChat: 'the agent that does this as it goes',
  looking: 'Looking for agent logs …',
  reading: (done: string, all: string, bytes: string, allBytes: string) => `${done} of ${all} logs · ${bytes} of ${allBytes}`,
}

/** The kinds of tokens in a conversation. */
export type OverviewCategory = keyof typeof overview.categories

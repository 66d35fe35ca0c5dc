import type { ToolKind } from '@plimsoll/core/policies'

/** Sentences of `plimsoll replay`. Numbers arrive formatted; names of files and sessions arrive clean. */
export const replay = {
  language: 'en',
  help: {
    replay: 'replay recorded sessions: what each policy set would have cost, and what it would have lost',
    path: 'logs of agents, or folders of them',
    policies: 'only these policy sets besides raw, with commas between them',
    prices: 'only these price rows, with commas between them',
    sessions: 'at most so many sessions',
    html: 'write a page with tables and plots',
    force: 'replace the file of --html',
    json: 'print the answer as JSON and nothing else',
  },
  title: (sessions: number, formatted: string, requests: string) =>
    `${sessions === 1 ? '1 session' : `${formatted} sessions`} replayed, ${requests} ${requests === '1' ? 'request' : 'requests'}`,
  basis: (date: string, configuration: string) => `prices of ${date} · one configuration for all, ${configuration}`,
  /** `group` is the heading of the sessions that the figures are of. */
  headline: (
    group: string,
    { gateway, signed, library }: { readonly gateway: string; readonly signed: string | null; readonly library: string | null },
  ) =>
    `${group}: ${gateway} % through the gateway in economy mode, recalls included${signed === null ? '' : `; ${signed} % if the provider signs the model's reasoning`}${library === null ? '' : `; ${library} % in the library, which may also shorten arguments and reasoning`}.`,
  assumption:
    'Assumed: the agent acts as recorded, whatever it is shown; what it used and could not see is charged as a recall in “effective”.',
  tier: (calibrated: string, timed: string, all: string) =>
    `Tier: ${calibrated} of ${all} sessions calibrated (95 % of recorded cache reads reproduced), ${timed} with times.`,
  stratum: {
    '>100': (sessions: string) => `Sessions of more than 100 requests (${sessions})`,
    '20-100': (sessions: string) => `Sessions of 20 to 100 requests (${sessions})`,
    '<20': (sessions: string) => `Sessions of fewer than 20 requests (${sessions})`,
    all: (sessions: string) => `All sessions (${sessions})`,
  },
  regimes: 'By how long the cache lasts, at r.05',
  split: (row: string) => `Where the bill goes, in % of raw, at ${row}`,
  models: 'Effective change by model',
  frontier: (row: string) => `Effective change and what stays in view, at ${row}`,
  distribution: (row: string) => `Change of the bill, session by session, at ${row}`,
  perRow: 'Effective change by price row',
  // Heads of columns: at most four columns wide if the table is narrow.
  policySet: 'policy set',
  bill: 'bill %',
  effective: 'effective %',
  needs: 'needs',
  inView: 'view',
  reachable: 'back',
  lost: 'lost',
  edits: 'edit',
  worst: 'worst',
  interval: '95 % interval',
  fiveMinutes: '5 min',
  hour: '1 h',
  warm: 'warm',
  hits: 'hits',
  peak: 'peak',
  parts: {
    read: 'read',
    write: 'write',
    fresh: 'fresh',
    output: 'out',
    summaries: 'sum.',
    keepAlive: 'keep',
    recalls: 'back',
  },
  faults: 'flts',
  removed: 'gone',
  regret: 'regret',
  priceRow: 'price row',
  otherBest: 'best of others',
  legend:
    'view: needs in view; back: in view or by a handle in view; lost: not to be had; edit: edits with every anchor in view; worst: dearest session against raw, at r.05.',
  regimesLegend:
    'Kept for 5 minutes at a write of 1.25, for 1 hour at a write of 2, and with no pause ever; hits: read from the cache, peak: largest request, both at 5 minutes.',
  splitLegend:
    'sum.: summaries; keep: keeping the cache alive; back: recalls; flts: recalls in 100 requests; gone: tokens of results not shown; p50, p99: milliseconds to decide.',
  sensitivity: (set: string, one: string, two: string, five: string) =>
    `Should a recall take 1, 2 or 5 requests, ${set} is at ${one}, ${two} or ${five} %.`,
  invalid: (set: string, sessions: number, gates: string) =>
    `! ${set} is invalid: ${sessions === 1 ? '1 session' : `${sessions} sessions`} did not pass: ${gates}.`,
  gates: {
    pairs: 'calls and results in pairs',
    'user-text': 'what people wrote unchanged',
    'same-bytes': 'the same bytes on a second run',
    prefix: 'rewrites declared',
    recall: 'originals to be had back',
    characters: 'no broken or control characters',
    'user-rules': 'what people asked for in view',
  },
  mismatched: (count: number) =>
    `Do not rely on the costs of ${count === 1 ? '1 session' : `${count} sessions`}, token counts do not fit the reported usage:`,
  mismatches: {
    'sent-too-much': (session: string) => `${session}: far more tokens were read than the provider reported`,
    'sent-too-little': (session: string) => `${session}: far fewer tokens were read than the provider reported`,
  },
  unreadable: (count: number) => (count === 1 ? '1 could not be read' : `${count} could not be read`),
  unreadableEntries: (path: string, entries: string) => `${path}: ${entries} ${entries === '1' ? 'entry' : 'entries'} left out`,
  moreUnreadable: (count: number) => `… and ${count} more; --json names them all`,
  notFound: (path: string) => `${path}: no such file or folder. Check the path.`,
  noRequests: (path: string) => `${path}: no request in it`,
  failed: (path: string, reason: string) => `${path}: ${reason}`,
  nothingRead:
    'nothing to replay: no session could be read. Name the log of an agent, or a folder with such logs, as ~/.claude/projects',
  unknownPolicySet: (name: string, names: string) => `there is no policy set ${name}: expected one of ${names}`,
  unknownPriceRow: (name: string, names: string) => `there is no price row ${name}: expected one of ${names}`,
  badSessions: (came: string) => `--sessions: expected a number from 1 on, got ${came}`,
  wrotePage: (file: string, size: string) => `Wrote ${file} (${size}).`,
  reading: (files: string) => `${files} logs read`,
  replaying: (done: string, all: string) => `${done} of ${all} requests replayed`,
}

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

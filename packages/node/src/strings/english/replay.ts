import type { ToolKind } from '@plimsoll/core/policies'

/** Prices that are not those of a model. */
const priceWords: Readonly<Record<string, string>> = {
  'r.10': 'cached input at a tenth of the price',
  'r.05': 'cached input at a twentieth of the price',
  'r.025': 'cached input at a fortieth of the price',
  'r.05-1h': 'cached input at a twentieth of the price, kept for an hour',
  'r.05-warm': 'cached input at a twentieth of the price, never expires',
}

const priceIn = (row: string) => priceWords[row] ?? `prices of ${row}`

/** Sentences of `plimsoll replay`. Numbers arrive formatted; names of files and sessions arrive clean. */
export const replay = {
  language: 'en',
  help: {
    replay: 'show what recorded sessions cost at API prices, what they would have cost in economy mode, and why',
    path: 'logs of agents, or folders of logs; default: all logs of agents on this machine',
    full: 'compare all policy sets, entry points and prices (takes minutes)',
    policies: 'compare only these policy sets with raw, separated by commas',
    prices: 'use only these prices, separated by commas: r.05 (cached input at 5 % of the input price), or the name of a model',
    sessions: 'replay at most this many sessions',
    html: 'write a page with tables and plots to this file',
    force: 'replace the file of --html if it exists',
    json: 'print only JSON',
  },
  title: (sessions: number, formatted: string, requests: string) =>
    `${sessions === 1 ? '1 session' : `${formatted} sessions`} replayed, ${requests} ${requests === '1' ? 'request' : 'requests'}`,
  brief: {
    cost: (sessions: number, formatted: string, dollars: string) =>
      `${sessions === 1 ? 'This session' : `These ${formatted} sessions`} cost ${dollars} at API prices.`,
    sent: (sessions: number, formatted: string, tokens: string) =>
      `${sessions === 1 ? 'This session' : `These ${formatted} sessions`} sent ${tokens} input tokens.`,
    withPlimsoll: 'With Plimsoll, in economy mode',
    /** By entry point. */
    settings: {
      gateway: (agent: string) => `With Plimsoll in front of ${agent}, in economy mode`,
      agent: (_agent: string) => 'In economy mode',
      library: (_agent: string) => 'With the Plimsoll library, in economy mode',
    },
    /** `amount` includes recalls. */
    verdict: (setting: string, amount: string, change: string, kept: string) => `${setting}: ${amount} (${change} %); ${kept}.`,
    kept: (lost: number, lostFormatted: string, recalls: number, formatted: string) =>
      `${lost === 0 ? 'nothing lost' : `${lostFormatted} later ${lost === 1 ? 'use' : 'uses'} lost`}, ${recalls === 1 ? '1 recall' : `${formatted} recalls`}`,
    unpriced: (sessions: number, models: string, command: string) =>
      `${sessions === 1 ? '1 session is' : `${sessions} sessions are`} shown in tokens, because the price of ${models} is unknown (set it: ${command}). The change assumes that cached input costs a tenth.`,
    reasons: 'Where the difference comes from',
    /** By the policy that made the edits. */
    policies: {
      'skip-shown-lines': 'repeated reads',
      'trim-repeated-reads': 'repeated reads',
      'stub-old-results': 'old results',
      'compress-old-results': 'old results',
      'cut-long-output': 'cuts in long output',
      'limit-tool-output': 'cuts in long output',
      'thin-line-numbers': 'line numbers',
      'shorten-losslessly': 'shorter forms of the same text',
      'trim-outdated-commands': 'outdated command output',
      'shorten-written-arguments': 'arguments of past edits',
      'drop-old-reasoning': 'old reasoning',
      'filter-binary': 'binary data',
    } as Readonly<Record<string, string>>,
    rewritten: 'cache written again after edits',
    recallTool: 'definition of the recall tool',
    recalls: 'recalls',
    byAgent: 'By agent and model (sessions)',
    tokens: 'tokens',
    block: (recorded: string, economy: string, change: string) =>
      `On a flat rate: the fullest five-hour block of Claude Code is worth ${recorded} at API prices, and ${economy} (${change} %) with Plimsoll.`,
    elsewhere: (dollars: string) => `Not replayed and not included: ${dollars} for sub-agents and abandoned branches.`,
    unpricedRequests: (count: number, formatted: string) =>
      `Not included: ${count === 1 ? '1 request' : `${formatted} requests`} to models without a known price.`,
    basis: (date: string) => `Prices are those of each request’s model and day (list of ${date}).`,
    reported: (requests: string, all: string) =>
      requests === all
        ? 'Tokens and cache reads are as the provider reported them.'
        : `The provider reported the usage of ${requests} of ${all} requests; that of the others is estimated.`,
    soFar: (recorded: string, economy: string) => `${recorded} → ${economy} tokens`,
    models: (count: number) => `${count} models`,
    unnamed: 'an unnamed model',
    assumption: 'Assumption: the agent acts as recorded, regardless of what it is shown.',
    full: 'Compare all policy sets, entry points and prices: plimsoll replay --full',
  },
  stopped: (done: string, found: string) => `Stopped: ${done} of ${found} sessions replayed.`,
  basis: (date: string, configuration: string) => `prices of ${date} · configuration ${configuration} for all sessions`,
  /** `group` is the heading of the sessions that the figures are of. */
  headline: (
    group: string,
    { gateway, signed, library }: { readonly gateway: string; readonly signed: string | null; readonly library: string | null },
  ) =>
    `${group}: ${gateway} % through the gateway in economy mode, recalls included${signed === null ? '' : `; ${signed} % if the provider signs the model's reasoning`}${library === null ? '' : `; ${library} % in the library`}.`,
  assumption:
    'Assumption: the agent acts as recorded, regardless of what it is shown. “effective” adds the cost of recalling what it used later and could not see.',
  tier: (calibrated: string, timed: string, all: string) =>
    `Reliability: ${calibrated} of ${all} sessions calibrated (95 % of recorded cache reads reproduced), ${timed} with timestamps.`,
  stratum: {
    '>100': (sessions: string) => `Sessions of more than 100 requests (${sessions})`,
    '20-100': (sessions: string) => `Sessions of 20 to 100 requests (${sessions})`,
    '<20': (sessions: string) => `Sessions of fewer than 20 requests (${sessions})`,
    all: (sessions: string) => `All sessions (${sessions})`,
  },
  regimes: 'By how long the cache lasts: cached input at a twentieth of the price',
  split: (row: string) => `Cost breakdown in % of the bill of raw: ${priceIn(row)}`,
  models: 'Effective change by model',
  frontier: (row: string) => `Effective change and later uses still visible: ${priceIn(row)}`,
  distribution: (row: string) => `Change of the bill by session: ${priceIn(row)}`,
  perRow: 'Effective change by price',
  policySet: 'policy set',
  bill: 'bill %',
  effective: 'effective %',
  needs: 'later uses',
  inView: 'visible',
  reachable: 'recallable',
  lost: 'lost',
  checked: 'checked',
  edits: 'edits',
  worst: 'worst',
  interval: '95 % interval',
  fiveMinutes: '5 min',
  hour: '1 hour',
  warm: 'always',
  hits: 'hits',
  peak: 'peak',
  parts: {
    read: 'read',
    write: 'write',
    fresh: 'uncached',
    output: 'output',
    summaries: 'summaries',
    keepAlive: 'keep-alive',
    recalls: 'recalls',
  },
  faults: 'per 100',
  removed: 'hidden',
  regret: 'regret',
  priceRow: 'price',
  otherBest: 'best of others',
  legend:
    'Changes are against raw, which sends everything. r.10, r.05, r.025: price of cached input, as a share of the input price. Later uses: strings from earlier tool output that a later action used; visible: still in the request; recallable: visible, or can be recalled; lost: neither. If there is room, edits: edits whose lines were all visible; worst: the bill in the worst session; regret: from 0 (as cheap as oracle) to 1 (as expensive as raw); checked: visible, without later uses that could have been guessed.',
  regimesLegend:
    '5 min: cache writes at 1.25 times the input price; 1 hour: at 2 times; always: as if there were no pauses. hits: share of input read from the cache; peak: change of the largest request; both at 5 min.',
  splitLegend:
    'read, write: prompt cache; uncached: other input; keep-alive: requests that keep the cache valid. If there is room, per 100: recalls per 100 requests; hidden: share of result tokens not shown; p50, p99: time to decide in ms, median and 99th percentile.',
  sensitivity: (set: string, one: string, two: string, five: string) =>
    `If a recall takes 1, 2 or 5 requests, ${set} is at ${one}, ${two} or ${five} %.`,
  invalid: (set: string, sessions: number, gates: string) =>
    `! ${set} is invalid: ${sessions === 1 ? '1 session' : `${sessions} sessions`} failed these checks: ${gates}.`,
  gates: {
    pairs: 'every call has its result',
    'user-text': 'user messages are unchanged',
    'same-bytes': 'a second run sends the same bytes',
    prefix: 'changes of sent content are reported',
    recall: 'originals can be recalled',
    characters: 'no broken or control characters',
    'user-rules': 'instructions of the user are visible',
    thoughts: 'signed thoughts stay valid',
  },
  mismatched: (count: number) =>
    `Costs of ${count === 1 ? '1 session' : `${count} sessions`} are unreliable because token counts do not match the reported usage:`,
  mismatches: {
    'sent-too-much': (session: string) => `${session}: the log has far more tokens than the provider reported`,
    'sent-too-little': (session: string) => `${session}: the log has far fewer tokens than the provider reported`,
  },
  unreadable: (count: number) => `${count === 1 ? '1 log' : `${count} logs`} not replayed in full`,
  unreadableEntries: (path: string, entries: string) => `${path}: ${entries} ${entries === '1' ? 'entry' : 'entries'} skipped`,
  moreUnreadable: (count: number) => `… and ${count} more; --json lists all`,
  notFound: (path: string) => `File or folder not found: ${path}. Check the path.`,
  noRequests: (path: string) => `${path}: no requests`,
  failed: (path: string, reason: string) => `${path}: ${reason}`,
  nothingRead: 'Nothing to replay: no readable session found. Pass an agent log or a folder of logs, such as ~/.claude/projects.',
  unknownPolicySet: (name: string, names: string) => `Unknown policy set ${name}: expected one of ${names}`,
  unknownPriceRow: (name: string, names: string) => `Unknown price ${name}: expected one of ${names}`,
  badSessions: (came: string) => `--sessions: expected a whole number of at least 1, got ${came}`,
  wrotePage: (file: string, size: string) => `Wrote ${file} (${size}).`,
  reading: (files: string) => `${files} ${files === '1' ? 'log' : 'logs'} read`,
  replaying: (done: string, all: string) => `${done} of ${all} requests replayed`,
}

/** Sentences of `plimsoll` alone. Numbers, sizes and times arrive formatted; text from a log or a file's name arrives clean. */
export const overview = {
  help: 'show what the agent logs on this machine contain and cost (the same as plimsoll alone)',
  json: 'print only JSON',
  by: 'show tokens and cost by day, week, month, model, project or session',
  since: 'count only requests on or after this day, such as 2026-11-01',
  until: 'count only requests on or before this day',
  badBy: (came: string, known: string) => `--by: expected one of ${known}, got ${came}`,
  badDay: (flag: string, came: string) => `${flag}: expected a day such as 2026-11-01, got ${came}`,
  nothingThen: 'No agent log has a request in that time.',
  byTitle: { day: 'By day', week: 'By week', month: 'By month', model: 'By model', project: 'By project', session: 'By session' },
  byHead: { day: 'day', week: 'week of', month: 'month', model: 'model', project: 'project', session: 'session' },
  noKey: 'unknown',
  moreRows: (count: string) => `… and ${count} more; --json lists all`,
  output: 'output',
  title: (sessions: number, formatted: string) => (sessions === 1 ? '1 session' : `${formatted} sessions`),
  titleRequests: (requests: number, formatted: string) => (requests === 1 ? '1 request' : `${formatted} requests`),
  titleTokens: (tokens: string) => `${tokens} tokens`,
  atPrices: (cost: string) => `${cost} at API prices`,
  asRecorded: (cost: string) => `${cost} recorded by the agents`,
  exampleTitle: 'example conversation',
  noLogs: (agents: string) =>
    `No agent logs found on this machine (${agents}), so this is the bundled example: an invented bug hunt.`,
  span: (first: string, last: string) => (first === last ? first : `${first} to ${last}`),
  logs: (size: string) => `${size} of logs`,
  cachedInput: (share: string) => `${share} of the input from the cache`,
  priceDate: (date: string) => `API prices on the day of each request, as known on ${date}.`,
  agent: 'agent',
  sessions: 'sessions',
  requests: 'requests',
  held: 'tokens stored',
  sent: 'tokens sent',
  fromCache: 'cached',
  cost: 'cost',
  total: 'all',
  noUsage: 'No log has usage reported by a provider, so cached tokens and cost are unknown.',
  someUsage: (requests: string, all: string) => `Providers reported usage for ${requests} of ${all} requests.`,
  unpriced: (models: string, command: string) => `No price for ${models}, so only their tokens are counted: ${command}`,
  recorded: (agents: string) => `Cost as recorded in the logs of ${agents}.`,
  partlyRecorded: (agents: string, date: string) =>
    `Cost as recorded in the logs of ${agents}; otherwise at API prices on the day of each request, as known on ${date}.`,
  searches: (count: string, cost: string) =>
    `The cost includes ${cost} for ${count} web ${count === '1' ? 'search' : 'searches'} by providers.`,
  badUsage: (answers: string, sessions: string) =>
    `${answers === '1' ? '1 answer reports' : `${answers} answers report`} token counts that cannot be right: below zero, larger than any context window, or not a number. ${answers === '1' ? 'It is' : 'They are'} in no sum (${sessions === '1' ? '1 session' : `${sessions} sessions`}).`,
  between: ', ',
  unpricedModel: (model: string, requests: string) => `${model} (${requests})`,
  moreModels: (count: number) => `${count} more`,
  noModel: 'requests without a model',
  repeated: (answers: string) =>
    `${answers} ${answers === '1' ? 'answer appears' : 'answers appear'} in more than one log, counted once.`,
  spending: 'Spending',
  today: 'today',
  week: 'this week',
  month: 'this month',
  spent: (period: string, cost: string) => `${period} ${cost}`,
  spentOf: (period: string, cost: string, budget: string, share: string) => `${period} ${cost} of ${budget} (${share})`,
  lastHour: (cost: string) => `last hour ${cost}`,
  budget: {
    near: (period: string, budget: string) => `Budget ${period}, ${budget}: more than 80 % is spent.`,
    over: (period: string, budget: string) => `Budget ${period}, ${budget}: exceeded.`,
  },
  block: (block: {
    readonly dollars: string
    readonly tokens: string
    readonly left: string
    readonly dollarsPerHour: string
    readonly tokensPerHour: string
  }) =>
    `Claude Code, current five-hour block: ${block.dollars}, ${block.tokens} tokens, ${block.left} left, ${block.dollarsPerHour} and ${block.tokensPerHour} tokens an hour`,
  left: (hours: number, minutes: number) => (hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`),
  minutes: (count: string) => `${count} min`,
  hours: (count: string) => `${count} h`,
  days: (count: string) => `${count} days`,
  holds: 'What fills the window',
  holdsTokens: 'Tokens are estimated.',
  holdsNote: 'Tokens are estimated; cost: sending them with each request, from the cache.',
  tokens: 'tokens',
  share: 'share',
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
    'repo-map': 'code maps',
    image: 'images',
    recall: 'recalls',
    other: 'other tools',
  } satisfies Record<ToolKind, string>,
  otherKinds: 'other',
  readsTitle: 'Files read again',
  reads: (again: string, reads: string, tokens: string) =>
    `${again} of ${reads} reads repeated a file that had not changed since: ${tokens} tokens`,
  sameReads: (same: string, tokens: string) => `${same} of them returned the same text: ${tokens} tokens`,
  noReads: 'no unchanged file was read twice',
  costing: (dollars: string) => `, ${dollars}`,
  readTimes: (repeats: string, reads: string) => `${repeats} of ${reads} reads`,
  biggest: 'Most expensive results',
  largest: 'Largest results',
  losses: 'Cache lost',
  lossCount: (count: number, formatted: string, dollars: string) =>
    `${count === 1 ? 'once' : `${formatted} times`} input was sent again as new although the request before had cached it: ${dollars}`,
  afterPauses: (count: string, dollars: string) => `, ${count} of these after a pause: ${dollars}`,
  lost: {
    pause: (pause: string) => `after a pause of ${pause}`,
    model: 'other model',
    change: 'changed prompt',
  },
  unnamedTool: 'unnamed tool',
  unreadable: (count: number) => `${count === 1 ? '1 log' : `${count} logs`} could not be read`,
  moreUnreadable: (count: number) => `… and ${count} more; --json lists all`,
  skippedLines: (count: number, lines: string, files: string) =>
    count === 1
      ? '1 line could not be read and was skipped.'
      : `${lines} lines in ${files === '1' ? '1 file' : `${files} files`} could not be read and were skipped.`,
  nothingRead: (files: number) =>
    files === 1 ? 'The only agent log found could not be read' : `None of the ${files} agent logs found could be read`,
  savedIn: (sessions: number, formatted: string, isAll: boolean) =>
    isAll
      ? sessions === 1
        ? 'the only session'
        : `all ${formatted} sessions`
      : sessions === 1
        ? 'a recent session'
        : `${formatted} recent sessions`,
  saved: (saved: string, recorded: string, share: string, which: string, command: string) =>
    `Plimsoll would have saved ${saved} of ${recorded} (${share}) in ${which}: ${command}`,
  noSaving: (which: string) => `Plimsoll would have saved nothing in ${which}: trimming is worth it in longer ones.`,
  compare: 'Session by session:',
  replaying: 'Replaying recent sessions in economy mode …',
  next: 'Next',
  tryView: 'show what would be sent for a conversation, and why',
  exampleTrimmed: (sent: string, held: string) =>
    `Plimsoll would now send ${sent} of its ${held} tokens and keep every byte of the rest.`,
  tryExample: 'show it before and after, edit by edit',
  tryServe: 'open it in the browser, with a chat to try',
  tryChat: 'chat with an agent that trims as it works',
  looking: 'Looking for agent logs …',
  reading: (done: string, all: string, bytes: string, allBytes: string) => `${done} of ${all} logs · ${bytes} of ${allBytes}`,
}

/** The kinds of tokens in a conversation. */
export type OverviewCategory = keyof typeof overview.categories

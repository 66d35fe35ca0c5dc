import { counted } from './counted.ts'

export const diff = {
  title: 'Two requests compared, as sent',
  tooFew: 'This session does not have two requests to compare yet.',
  first: 'First',
  second: 'Second',
  earlier: (which: string) => `${which}: previous request`,
  later: (which: string) => `${which}: next request`,
  previousPair: 'Move both back',
  nextPair: 'Move both forward',
  swap: 'Swap',
  loading: 'Rebuilding both requests …',
  about: (time: string, tokens: string) => `${time} · ${tokens} tokens`,
  proven: 'verified byte for byte',
  simulated: 'simulated: as it would have been sent',
  titleSimulated: 'Two requests compared, as they would have been sent',
  notProven: 'rebuilt from the log, not verified byte for byte',
  sum: (same: string, changed: string, removed: string, added: string) =>
    `${same} unchanged · ${changed} changed · ${removed} removed · ${added} added`,
  identical: 'Both requests contain exactly the same messages.',
  cacheHolds: (messages: string, tokens: string) =>
    `The cache covers ${counted(messages, 'message')} from the start, about ${tokens} tokens not counting tool definitions. Everything after them is billed again.`,
  cacheGoesOn: (messages: string, tokens: string, added: string) =>
    `Nothing earlier changed: the cache covers the complete first request (${counted(messages, 'message')}, about ${tokens} tokens not counting tool definitions). Messages added: ${added}.`,
  cacheNone: 'The first message already differs, so nothing is read from the cache.',
  otherModel: (before: string, after: string) => `The models differ (${before}, then ${after}), and models do not share a cache.`,
  backwards: 'The second request is the earlier one, so the cache cannot be compared.',
  endOfCache: (tokens: string) => `Cached up to here: about ${tokens} tokens`,
  steps: { same: 'unchanged', changed: 'changed', removed: 'removed', added: 'added' },
  folded: {
    same: (messages: string) => counted(messages, 'unchanged message'),
    changed: (messages: string) => counted(messages, 'changed message'),
    removed: (messages: string) => `${counted(messages, 'more message')} removed`,
    added: (messages: string) => `${counted(messages, 'more message')} added`,
  },
  foldedLines: (lines: string) => counted(lines, 'unchanged line'),
  show: 'Show',
  tokens: (tokens: string) => counted(tokens, 'token'),
  tokensChange: (before: string, after: string) => `${before} → ${after} tokens`,
  place: (place: string) => `position ${place}`,
  places: (before: string, after: string) => `position ${before} → ${after}`,
  reasoning: 'Reasoning',
  text: 'Text',
  media: (type: string) => `Attachment: ${type}`,
  mediaChanged: 'The attachment changed.',
  optionsChanged: 'The text is the same; the provider-specific data sent with it differs.',
  tooLarge: 'These texts are too large or too different to compare line by line: first all of one, then all of the other.',
  moreMessages: (messages: string) => `Show ${counted(messages, 'more message')}`,
  moreLines: (lines: string) => `Show ${counted(lines, 'more line')}`,
  wholeLine: (characters: string) => `… show ${counted(characters, 'more character')}`,
  emptyText: '(empty)',
}

const losing = (lost: string, count: number) =>
  count === 1 ? 'lost 1 item that was used later' : `lost ${lost} items that were used later`

const growing = (part: string | null) => (part === null ? '' : ` (largest increase: ${part})`)

/** How a policy set compares with the baseline `raw` in cost; `lossy` if it loses content that was used later. */
type Verdict = 'raw' | 'cheaper' | 'cheaper-lossy' | 'same' | 'same-lossy' | 'costlier' | 'costlier-lossy'
type VerdictText = (set: string, share: string, lost: string, count: number, grew: string | null) => string

const verdicts: Readonly<Record<Verdict, VerdictText>> = {
  raw: (set) => `${set} is the baseline: nothing is trimmed.`,
  cheaper: (set, share) => `${set} would have cost ${share} less and lost nothing that was used later.`,
  'cheaper-lossy': (set, share, lost, count) => `${set} would have cost ${share} less but ${losing(lost, count)}.`,
  same: (set) => `${set} would have cost about the same and lost nothing that was used later.`,
  'same-lossy': (set, _share, lost, count) => `${set} would have cost about the same but ${losing(lost, count)}.`,
  costlier: (set, share, _lost, _count, grew) =>
    `${set} would have cost ${share} more${growing(grew)} and lost nothing that was used later.`,
  'costlier-lossy': (set, share, lost, count, grew) =>
    `${set} would have cost ${share} more${growing(grew)} and ${losing(lost, count)}.`,
}

export const whatIf = {
  title: 'What if',
  about: 'Replays this session with other policies and prices, assuming the agent acts as recorded.',
  policies: 'Policies',
  prices: 'Prices',
  addPrice: 'Add a price …',
  removePrice: (name: string) => `Remove ${name}`,
  others: (count: string) => `Other approaches and theoretical bounds (${count})`,
  aboutPolicies: {
    raw: 'Sends everything unchanged.',
    'spec-immediate': 'The specification’s rules, each applied immediately.',
    spec: 'The specification’s rules, applied once rewriting the cache is worth it.',
    economy: 'Rules chosen for the lowest total bill, applied once rewriting the cache is worth it.',
    'economy-keep-alive': 'Same as economy, and keeps the cache alive during pauses.',
    'gateway-safe': 'The gateway in safe mode: trims only new tool results, never file reads.',
    'gateway-spec': 'The gateway in spec mode.',
    'gateway-economy': 'The gateway in economy mode: for Anthropic also arguments and reasoning.',
    'gateway-economy-keep-alive': 'The same, and the gateway keeps the cache alive during pauses.',
    'gateway-economy-signed':
      'The gateway in economy mode, for models with signed reasoning: old results change only between turns.',
    'rolling-mask-10': 'Hides all but the last ten results in every request.',
    'mask-batches-25': 'Hides old results in batches of 25.',
    'mask-batches-25-keep-30': 'Hides old results in batches of 25, but keeps the newest 30.',
    'clear-tool-uses': 'Anthropic’s context editing with its default settings.',
    'cap-head-tail-8k': 'Keeps 8,000 characters from the start and end of each result.',
    'cold-gap-clearing': 'Hides old results after a pause.',
    'opencode-prune': 'The cleanup that opencode does when a turn ends.',
    oracle: 'A bound: shows only what is used later, which cannot be known in advance.',
    'no-tool-output': 'A bound: shows no results at all.',
  } as Readonly<Record<string, string>>,
  /** Names of prices that are not models. */
  priceNames: {
    session: 'This session’s own prices',
    'r.10': 'Cached input at a tenth of the price',
    'r.05': 'Cached input at a twentieth of the price',
    'r.025': 'Cached input at a fortieth of the price',
    'r.05-1h': 'Cached input at a twentieth, kept for an hour',
    'r.05-warm': 'Cached input at a twentieth, never expires',
  } as Readonly<Record<string, string>>,
  aboutPrices: {
    session: 'prices of each request’s model and day, and tokens as the provider counted them',
    'r.10': 'cached input at 1/10 of the input price, cached for 5 minutes',
    'r.05': 'cached input at 1/20 of the input price, cached for 5 minutes',
    'r.025': 'cached input at 1/40 of the input price, cached for 5 minutes',
    'r.05-1h': 'cached input at 1/20 of the input price, cached for 1 hour, cache writes at twice the price',
    'r.05-warm': 'cached input at 1/20 of the input price, and the cache never expires',
  } as Readonly<Record<string, string>>,
  modelPrice: 'this model’s own prices and cache rules',
  compare: 'Compare',
  long: (requests: string) => `This session has ${counted(requests, 'request')}; replaying it may take a while.`,
  loading: 'Loading policies and prices …',
  working: 'Replaying the session …',
  cancel: 'Cancel',
  cancelled: 'Cancelled. Nothing was compared.',
  nothingChosen: 'Choose at least one policy set and one price.',
  compared: (requests: string, reported: string) =>
    `Compared over ${counted(requests, 'request')}, ${reported === requests ? 'all' : reported} with usage that the provider reported. What is not trimmed has the same tokens and cost in every row; “raw” is the session without trimming.`,
  estimated: (requests: string, overhead: string) =>
    `Estimated over ${counted(requests, 'request')}, because the log has no usage: tokens are counted here, with ${overhead} for system prompt and tool definitions in each request.`,
  unknownPrice: (model: string) =>
    `The price of ${model} is unknown, so the dollars are those of a made-up price ($4 for a million input tokens). The percentages hold if cached input costs a tenth.`,
  unnamedModel: 'this model',
  simulated: (requests: string, overhead: string) =>
    `Simulated over ${counted(requests, 'request')}; nothing was sent to a provider. Each request counts ${overhead} tokens for system prompt and tool definitions, regardless of their actual size.`,
  calibrated: 'Calibrated: the simulated cache matches what the provider’s cache did in this session.',
  notCalibrated:
    'Not calibrated: the provider’s cache reads in this session are unknown or could not be reproduced, so treat the costs as estimates.',
  noTimes: 'The log has no timestamps, so the cache never expires during pauses in this simulation.',
  set: 'Policy set',
  bill: 'Bill',
  effective: 'Effective',
  change: 'Change from raw',
  peak: 'Peak',
  inView: 'Visible',
  reachable: 'Recallable',
  lost: 'Lost',
  recalls: 'Recalls',
  notNeeded: 'no later uses',
  whatMeans: 'What the columns mean',
  meaning:
    'Bill: cost of all requests. Effective: bill plus the cost of recalling trimmed content that was used later. Compare sets by this. Peak: largest prompt, in tokens. A later use is a string from earlier tool output that a later action used. Visible: share of later uses that were still visible. Recallable: still visible, or can be recalled. Lost: later uses that cannot be recalled. Recalls: number of recalls needed.',
  parts: {
    read: 'cache read',
    write: 'cache write',
    fresh: 'uncached',
    output: 'output',
    recalls: 'recalls',
    keepAlive: 'keep-alive',
  },
  partsTitle: 'Cost breakdown',
  promptsTitle: 'Prompt size per request, in tokens',
  promptsAxis: (requests: string) => `requests 1 to ${requests}`,
  verdicts,
}

/** Two requests compared. */
export const diff = {
  title: 'Two requests compared, as sent',
  tooFew: 'There are not yet two requests to compare.',
  first: 'First',
  second: 'Second',
  earlier: (which: string) => `${which}: one earlier`,
  later: (which: string) => `${which}: one later`,
  previousPair: 'Both earlier',
  nextPair: 'Both later',
  swap: 'Swap',
  loading: 'Rebuilding both requests …',
  about: (time: string, tokens: string) => `${time} · ${tokens} tokens`,
  proven: 'proven byte for byte',
  simulated: 'simulated: as it would have been sent',
  titleSimulated: 'Two requests compared, as they would have been sent',
  notProven: 'rebuilt from the log; not proven byte for byte',
  sum: (same: string, changed: string, removed: string, added: string) =>
    `${same} the same · ${changed} changed · ${removed} removed · ${added} added`,
  identical: 'Both requests carry exactly the same messages.',
  cacheHolds: (messages: string, tokens: string) =>
    `The cache holds for the first ${messages} messages, about ${tokens} tokens besides the tool definitions. Everything behind them is paid for again.`,
  cacheGoesOn: (messages: string, tokens: string, added: string) =>
    `Nothing before changed: the cache holds for all ${messages} messages of the first request, about ${tokens} tokens besides the tool definitions. ${added} were added.`,
  cacheNone: 'The very first message differs: the cache holds nothing.',
  otherModel: (before: string, after: string) =>
    `The models differ (${before}, then ${after}): a cache is never shared between them.`,
  backwards: 'The second request is the earlier one, so nothing is said about the cache.',
  endOfCache: (tokens: string) => `The cache holds up to here: about ${tokens} tokens`,
  steps: { same: 'same', changed: 'changed', removed: 'removed', added: 'added' },
  folded: {
    same: (messages: string) => `${messages} messages are the same`,
    changed: (messages: string) => `${messages} messages changed`,
    removed: (messages: string) => `${messages} more messages were removed`,
    added: (messages: string) => `${messages} more messages were added`,
  },
  foldedLines: (lines: string) => `${lines} lines are the same`,
  show: 'Show',
  tokens: (tokens: string) => `${tokens} tokens`,
  tokensChange: (before: string, after: string) => `${before} → ${after} tokens`,
  place: (place: string) => `place ${place}`,
  places: (before: string, after: string) => `place ${before} → ${after}`,
  reasoning: 'Reasoning',
  text: 'Text',
  media: (type: string) => `Attachment: ${type}`,
  mediaChanged: 'The attachment is another one.',
  optionsChanged: 'The words are the same; what is sent with them for the provider differs.',
  tooLarge:
    'These texts are too large or too different to be compared line by line: first all of the one, then all of the other.',
  moreMessages: (messages: string) => `Show ${messages} more messages`,
  moreLines: (lines: string) => `Show ${lines} more lines`,
  wholeLine: (characters: string) => `… show ${characters} more characters`,
  emptyText: '(nothing)',
}

/** Loss is said in words wherever there is any. */
const losing = (lost: string, count: number) =>
  count === 1
    ? '1 thing that was needed later would have been lost'
    : `${lost} things that were needed later would have been lost`

const growing = (part: string | null) => (part === null ? '' : ` (what grew most: ${part})`)

/** What can come of a policy set: it is the measure itself, or it costs less, the same or more; `lossy` if that loses something. */
type Verdict = 'raw' | 'cheaper' | 'cheaper-lossy' | 'same' | 'same-lossy' | 'dearer' | 'dearer-lossy'
type VerdictText = (set: string, share: string, lost: string, count: number, grew: string | null) => string

const verdicts: Readonly<Record<Verdict, VerdictText>> = {
  raw: (set) => `${set} is the measure: nothing is trimmed.`,
  cheaper: (set, share) => `${set} would have cost ${share} less, and nothing that was needed later would have been lost.`,
  'cheaper-lossy': (set, share, lost, count) => `${set} would have cost ${share} less, but ${losing(lost, count)}.`,
  same: (set) => `${set} would have cost about the same, and lost nothing.`,
  'same-lossy': (set, _share, lost, count) => `${set} would have cost about the same, and ${losing(lost, count)}.`,
  dearer: (set, share, _lost, _count, grew) =>
    `${set} would have cost ${share} more${growing(grew)}; nothing that was needed later would have been lost.`,
  'dearer-lossy': (set, share, lost, count, grew) =>
    `${set} would have cost ${share} more${growing(grew)}, and ${losing(lost, count)}.`,
}

/** The same session under other policies and prices. */
export const whatIf = {
  title: 'What if',
  about: 'The same session, replayed under other policies and prices. The agent is assumed to act as recorded.',
  policies: 'Policies',
  prices: 'Prices',
  addPrice: 'Add a price …',
  removePrice: (name: string) => `Remove ${name}`,
  others: (count: string) => `What others do, and the bounds (${count})`,
  aboutPolicies: {
    raw: 'Everything is sent as it is.',
    'spec-immediate': 'The specification’s rules, each at once.',
    spec: 'The specification’s rules, when a rewrite pays.',
    economy: 'Chosen for the whole bill, when a rewrite pays.',
    'economy-keep-alive': 'Economy, and the cache is kept alive in pauses.',
    'gateway-safe': 'The gateway in safe mode: only new tool results, never what was read from files.',
    'gateway-spec': 'The gateway in spec mode.',
    'gateway-economy': 'The gateway in economy mode: only the content of tool results changes.',
    'gateway-economy-signed': 'The same, for models whose provider signs their reasoning: nothing that was sent changes.',
    'rolling-mask-10': 'All but the last ten results are hidden at every request.',
    'mask-batches-25': 'Old results are hidden in batches of 25.',
    'clear-tool-uses': 'Anthropic’s context editing with its defaults.',
    'cap-head-tail-8k': 'Every result keeps 8,000 characters of head and tail.',
    'cold-gap-clearing': 'Old results are hidden after a pause.',
    'opencode-prune': 'What opencode clears when a turn ends.',
    oracle: 'A bound: only what is needed later is shown. Nobody can know that.',
    'no-tool-output': 'A bound: no result is shown at all.',
  } as Readonly<Record<string, string>>,
  aboutPrices: {
    'r.10': 'a cached read costs a tenth of fresh input, kept 5 minutes',
    'r.05': 'a cached read costs a twentieth, kept 5 minutes',
    'r.025': 'a cached read costs a fortieth, kept 5 minutes',
    'r.05-1h': 'a cached read costs a twentieth, kept 1 hour, written at twice the price',
    'r.05-warm': 'a cached read costs a twentieth, and nobody ever pauses',
  } as Readonly<Record<string, string>>,
  modelPrice: 'this model’s own prices and cache rules',
  compare: 'Compare',
  long: (requests: string) => `This session has ${requests} requests; replaying it may take a while.`,
  loading: 'Looking up what can be compared …',
  working: 'Replaying the session …',
  cancel: 'Cancel',
  cancelled: 'Cancelled. Nothing was compared.',
  nothingChosen: 'Choose at least one policy set and one price.',
  simulated: (requests: string, overhead: string) =>
    `These numbers are simulated, over ${requests} requests; nothing was sent to a provider. Each request counts ${overhead} tokens for system prompt and tools, whatever they really were.`,
  calibrated: 'Calibrated: the simulated cache did what the provider’s cache did in this session.',
  notCalibrated:
    'Not calibrated: the provider’s cache reads in this session are not known or were not reproduced, so take the money as an estimate.',
  noTimes: 'The log has no times: pauses, after which a cache is cold, are not counted.',
  atPrice: (price: string) => `At ${price}`,
  set: 'Policy set',
  bill: 'Bill',
  effective: 'Effective',
  change: 'Against raw',
  peak: 'Peak',
  inView: 'In view',
  reachable: 'Reachable',
  lost: 'Lost',
  recalls: 'Recalls',
  notNeeded: 'nothing needed',
  whatMeans: 'What the columns mean',
  meaning:
    'Bill: all requests. Effective: with everything had back that was needed later and not in view; this is what counts. Peak: the largest prompt in tokens. In view: of what was needed later, the share that was still shown. Reachable: shown, or to be had back. Lost: needed later and not to be had. Recalls: how often something had to be had back.',
  parts: {
    read: 'cache read',
    write: 'cache written',
    fresh: 'neither',
    output: 'output',
    recalls: 'recalls',
    keepAlive: 'keep-alive',
  },
  partsTitle: 'What the money goes to',
  promptsTitle: 'Size of each prompt, in tokens',
  promptsAxis: (requests: string) => `request 1 to ${requests}`,
  verdicts,
}

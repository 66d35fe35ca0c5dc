import type { WindowCategory } from '@plimsoll/core/bill'
import type { Role } from '@plimsoll/core/wire'
import { counted } from './counted.ts'

/** The inspector's frame and header. Numbers, sizes and times arrive formatted. */
export const inspector = {
  title: 'Inspector',
  loading: 'Reading the session …',
  untitled: 'Untitled session',
  openChat: 'Open the chat',
  savePage: 'Save as a page',
  savePageAbout: 'One file that opens without a server, with keys and your home folder redacted. Read it before you share it.',
  savingPage: 'Writing the page …',
  tabsLabel: 'Views of this session',
  tabs: {
    overview: 'Overview',
    timeline: 'Timeline',
    ledger: 'Edits',
    messages: 'Messages',
    diff: 'Diff',
    'what-if': 'What if',
  },
  header: {
    own: 'Plimsoll session',
    logOf: (format: string) => `Log: ${format}`,
    model: 'Model',
    requests: 'Requests',
    messages: 'Messages',
    tokens: 'Last request',
    size: (tokens: string) => `${tokens} tokens`,
    cost: 'Cost',
    unpriced: (count: string) => `at least; no price for ${counted(count, 'request')}`,
    unknown: (count: string) => `unknown: no price for ${counted(count, 'request')}`,
    unreported: (count: string) => `at least; no usage reported for ${counted(count, 'request')}`,
    noUsage: 'unknown: the log has no usage',
    elsewhere: (cost: string, more: string) => `${cost}, and ${more} for sub-agents and abandoned branches`,
    time: 'Time',
    span: (first: string, last: string) => `${first} to ${last}`,
    troubles: (count: string) => `${counted(count, 'problem')} with this log. Everything that could be read is shown.`,
    moreProblems: (count: string) => `${count} more`,
  },
  under: {
    label: 'Show',
    recorded: 'as recorded',
    set: (policies: string) => `with ${policies}`,
    others: 'other approaches',
    working: (policies: string) => `Calculating what ${policies} would have sent …`,
    simulated: (policies: string) => `Simulated: this is what would have been sent with ${policies}.`,
    assumed: 'Assumes that the agent acts as recorded. Nothing was sent or changed.',
    sameScale:
      'Both sides are in the same tokens and at the same prices: what is not trimmed is equal. Recalls are not included.',
    compared: 'Recorded and simulated',
    simulatedSide: 'Simulated',
    recordedSide: 'Recorded',
    difference: 'Difference',
    allRequests: 'Input tokens of all requests',
    lastRequest: 'Tokens of the last request',
    back: 'Show as recorded',
    cost: 'Simulated cost',
  },
}

/** Search in a session. */
export const find = {
  label: 'Search this session',
  placeholder: 'Search this session (f)',
  searching: 'Searching …',
  found: (count: string) => counted(count, 'message'),
  previous: 'Previous hit (Shift+Enter)',
  next: 'Next hit (Enter)',
  clear: 'Clear the search',
}

/** What cost most in a session. Numbers and times arrive formatted. */
export const findings = {
  title: 'What cost most',
  reads: (file: string, repeats: string, times: string) => `${file} was read ${times} times, ${repeats} of them unchanged`,
  pause: (tokens: string, pause: string) => `Cache of ${tokens} tokens lost after a pause of ${pause}`,
  model: (tokens: string) => `Cache of ${tokens} tokens lost by a change of model`,
  change: (tokens: string) => `Cache of ${tokens} tokens lost by a changed prompt`,
  result: (what: string, tokens: string) => `${what}: a result of ${tokens} tokens stayed in context`,
  mcp: (server: string, tokens: string, requests: string) =>
    `MCP server ${server}: never used, ${tokens} tokens of definitions in ${counted(requests, 'request')}`,
  tools: (names: string, count: string, all: string, tokens: string, requests: string) =>
    `${count} of ${all} tools never used, ${tokens} tokens of definitions in ${counted(requests, 'request')}: ${names}`,
  /** What would help in a session of another agent, and in one of Plimsoll. */
  helps: {
    result: (program: string) => `Ask for less output, or let it be shortened: \`plimsoll run --trim economy -- ${program}\``,
    mcp: 'Turn it off for this project: its tools are described in every request.',
    tools: 'Turn off tools that this project does not need, or their servers: they are described in every request.',
    own: 'Let old results be trimmed sooner: set `policies: economy` in your configuration.',
  },
  /** Opens a finding's place. */
  toMessage: (number: string) => `Message ${number}`,
  toRequest: (number: string) => `Request ${number}`,
  toMessages: 'Results',
  toTimeline: 'Timeline',
  about:
    'A lost cache: what sending it as new cost more. Reads, results and definitions: what carrying them in each request cost.',
}

/** Prices that users type into the inspector. */
export const prices = {
  title: 'Try other prices',
  typed: 'At prices that you typed',
  unknown: 'A price is unknown: type it',
  about:
    'Dollars for a million tokens. They apply to this page, in this browser. Without a price, cached input and cache writes cost as much as input.',
  of: (model: string) => `Prices of ${model}`,
  parts: { input: 'Input', cache_read: 'Cached input', cache_write: 'Cache writes', output: 'Output' },
  apply: 'Apply',
  reset: 'Back to known prices',
  noUsage: 'The log has no usage by a named model, so prices have nothing to count.',
  toKeep: 'To use them everywhere, add these lines to your configuration (`plimsoll config` shows where it is):',
}

export const loadLine = {
  used: (tokens: string, window: string, share: string) => `${tokens} of ${window} tokens, ${share} of the window`,
  counted: 'The provider counted the total; the categories are estimated and scaled to it.',
  scaled: 'Simulated, and scaled to what the provider counted of the recorded request.',
  estimated: 'Estimated: the provider has not counted this request.',
  free: (tokens: string, share: string) => `${tokens} tokens (${share}) free below the load line`,
  over: (tokens: string) => `${tokens} tokens over the load line: the answer may not fit`,
  overWindow: (tokens: string) => `${tokens} tokens over the window: the provider will reject this request`,
  hiddenPrompt:
    'This log has no system prompt or tool definitions. The tokens the provider counted for both are shown as system prompt.',
  reserve: (tokens: string, window: string) =>
    `${tokens} of the ${window} tokens are reserved for the answer; the load line marks the rest.`,
  picture: (used: string, window: string, line: string) =>
    `The window drawn as a ship’s hull: ${used} of ${window} tokens in context, load line at ${line}. The table lists every number.`,
  waterline: 'waterline',
  line: 'load line',
  category: 'Category',
  tokens: 'Tokens',
  share: 'Share of window',
  /** How to make a category smaller. */
  remedies: {
    system: 'Shorten the system prompt; it is sent with every request.',
    rules: 'Shorten the rules files; they are sent with every request.',
    tools: 'Turn off unused tools and MCP servers.',
    assistant: 'Compact the conversation: a summary replaces older rounds.',
    reasoning: 'Lower the reasoning effort; old reasoning is compacted with its round.',
    calls: 'Edit files instead of rewriting them in full.',
    results: 'Trim old results; the originals are kept.',
    images: 'Use smaller images, and remove those no longer needed.',
  } as Readonly<Partial<Record<WindowCategory, string>>>,
  showMessages: (category: string) => `Show messages: ${category}`,
  compare: 'Compare policies',
  total: 'In context',
  freeRow: 'Free up to the limit',
  overRow: 'Over the limit',
  reserveRow: 'Reserved for the answer',
  windowRow: 'Window',
  unknownTool: 'unnamed tool',
  otherTools: (count: string) => `Show ${counted(count, 'more tool')}`,
  fewerTools: 'Show fewer tools',
  empty: 'Nothing in context yet: no requests and no messages.',
}

export const treemap = {
  title: 'Largest messages',
  about: 'Each area is a message, grouped by category and tool. Choose one to zoom in.',
  shown: 'As last sent',
  stored: 'As stored',
  sizes: 'Sizes',
  whole: 'All',
  path: 'Current location',
  up: 'Go up',
  keys: 'Arrow keys move, Enter opens, Esc goes up.',
  others: (count: string) => `${count} more`,
  message: (number: string) => `Message ${number}`,
  tile: (name: string, tokens: string, share: string) => `${name}: ${counted(tokens, 'token')}, ${share}`,
  empty: 'No messages with tokens here.',
}

export const messageList = {
  list: 'Messages',
  roles: { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool' } satisfies Record<Role, string>,
  role: 'Role',
  category: 'Category',
  tool: 'Tool',
  state: 'State',
  states: { edited: 'Edited', folded: 'Compacted', pinned: 'Pinned', 'left-out': 'Not sent', whole: 'Sent in full' },
  order: 'Order',
  inOrder: 'Conversation order',
  largest: 'Largest first',
  all: 'All',
  clear: 'Clear filters',
  jump: 'Message number',
  go: 'Go',
  count: (shown: string, all: string) => `${shown} of ${all} messages`,
  none: 'No message matches these filters.',
  empty: 'This session has no messages yet.',
  tokens: (tokens: string) => counted(tokens, 'token'),
  marks: { edited: 'edited', folded: 'compacted', pinned: 'pinned', 'left-out': 'not sent' },
  unread: 'This part of the session could not be loaded.',
  choose: 'Choose a message to see its content.',
}

export const messageDetail = {
  title: (number: string) => `Message ${number}`,
  loading: 'Loading the message …',
  close: 'Close',
  previous: 'Previous message',
  next: 'Next message',
  pin: 'Pin',
  unpin: 'Unpin',
  pinned: 'Pinned: never trimmed',
  hide: 'Hide',
  unhide: 'Show again',
  hidden: 'Hidden from the model',
  hidingCost: (saved: string, rewritten: string, dollars: string) =>
    rewritten === '0'
      ? `Removes ${saved} tokens from each request. Nothing after it is cached, so this costs nothing.`
      : `Removes ${saved} tokens from each request. Once, ${rewritten} tokens after it are written to the cache again${dollars === '' ? '' : ` (${dollars})`}.`,
  onlyObserved: 'This gateway only observes, so it applies once it runs with --trim safe, spec or economy.',
  hideNow: 'Hide it',
  cancel: 'Cancel',
  text: 'Text',
  reasoning: 'Reasoning',
  call: (tool: string) => `Call to ${tool}`,
  result: (tool: string) => `Result of ${tool}`,
  failed: 'error',
  media: (type: string) => `Attachment: ${type}`,
  picture: (number: string) => `Image in message ${number}`,
  noImage: 'Not stored here, so it cannot be shown.',
  more: (characters: string) => `Show more (${counted(characters, 'more character')})`,
  extract: (size: string) => `This is an excerpt. The full result has ${size}.`,
  save: 'Save the full result',
  nothing: 'This message is empty.',
  missing: 'This message no longer exists.',
  edits: (count: string) => `Edits to what the model sees: ${count}`,
  noEdits: 'The model sees this message as stored.',
  leftOut: 'The last request did not include this message.',
  saved: (before: string, after: string) => `${before} → ${after} tokens`,
  rewrite: 'rewrote cached content',
  range: (first: string, last: string) => `messages ${first} to ${last}`,
  showTexts: 'Before and after',
  before: 'Before',
  after: 'After',
  emptyText: '(empty)',
  restore: 'Restore the original',
}

import type { ColdReason, TimingAccount } from '@plimsoll/core/policies'
import { english as shared } from '../../shared/strings/english.ts'

/** Sentences of `plimsoll chat` in the terminal. Numbers arrive formatted; text from a model, a tool or a log arrives clean. */
export const chat = {
  ...shared.turn,
  hint: '/help for commands and keys · @ for files · Esc stops',
  placeholder: 'Ask for something, or type /',

  thought: (characters: string) => `thought (${characters} characters)`,
  moreLines: (count: string) => `… ${count} more`,

  escStops: 'Esc stops',
  waiting: 'next:',

  atLeast: (money: string) => `≥ ${money}`,
  hotCache: (share: string) => `cache hot ${share}`,
  coldCache: 'cache cold',
  noCache: 'no cache',
  waitingTokens: (tokens: string) => `waiting ${tokens}`,
  keptAlive: (times: number, money: string) => `kept alive ${times}× ${money}`,

  mayRun: {
    write: (tool: string) => `${tool} wants to change a file:`,
    run: (tool: string) => `${tool} wants to run:`,
  },
  permissionKeys: {
    tool: (tool: string) => `[y] yes  [a] always allow ${tool} in this session  [n] no  [t] no, and tell why  Esc stops`,
    call: (_tool: string) => '[y] yes  [a] always allow exactly this in this session  [n] no  [t] no, and tell why  Esc stops',
  },
  typeReason: 'What should the model do instead? Enter sends it, Esc goes back.',
  listKeys: (place: string) => `${place} · ↑↓ choose · Enter takes it · Esc leaves`,
  yes: 'yes',
  no: 'no',
  overflow: {
    sizes: (requested: string, most: string) => `${requested} tokens were asked for; the model takes ${most}. What takes most:`,
    part: (what: string, tokens: string) => `${what}: ${tokens} tokens`,
    compress: 'compress and try again',
    newSession: 'new session with a hand-over',
    otherModel: 'another model',
    dismiss: 'leave it',
  },

  pasted: (lines: number) => `pasted ${lines} lines`,
  againToQuit: 'Ctrl-C again leaves',
  againToRewind: 'Esc again goes back to an earlier message',
  costOfFile: (tokens: string) => `${tokens} tokens`,
  goodbye: 'The session is kept. To go on with it:',

  commandsTitle: 'Commands',
  commands: {
    help: 'this list',
    context: 'what fills the window, by category',
    trimmed: 'what the next request leaves out, and why',
    cost: 'requests, tokens and money of this session',
    compact: 'fold older rounds into a summary, after a preview',
    undo: 'take back the last turn',
    pin: 'keep a message whole',
    unpin: 'let a pinned message be trimmed again',
    recall: 'show what a view left out, by its handle or by words in it',
    model: 'show the model, or change it',
    mode: 'what the agent may do without asking: read-only, ask, accept-edits, auto',
    sessions: 'the stored sessions',
    resume: 'go on with another session',
    new: 'begin a new session',
    export: 'write the session to a file',
    quit: 'leave',
  },
  keysTitle: 'Keys',
  keys: {
    enter: 'send',
    newLine: 'a new line (\\ at the end of one, then Enter; Ctrl-J too)',
    mention: 'mention a file; its cost in tokens stands beside it',
    tab: 'take the completion',
    history: 'what you said before',
    stop: 'stop the running turn; Ctrl-C twice leaves',
    rewind: 'go back to an earlier message',
    leave: 'leave',
  },
  unknownCommand: (name: string, near: string | null) =>
    near === null ? `There is no command ${name}; /help lists them.` : `There is no command ${name}. Did you mean ${near}?`,
  toolDefinitions: 'tool definitions',
  trimmedSum: (tokens: string) => `${tokens} tokens are left out; /trimmed shows what and why.`,
  nothingTrimmed: 'Nothing is left out of the next request.',
  waitingTitle: 'Waiting: shown whole until changing it pays (/context says why)',
  /** Amounts arrive as dollars if the price is known, otherwise as tokens. */
  timing: {
    title: 'What waits',
    decisions: {
      nothing: 'Nothing waits: all that the rules propose is in force.',
      cold: 'All that the rules propose takes effect, because the provider has none of it cached.',
      pays: 'What waited takes effect: carrying it has cost more than changing it.',
      waits: 'It waits: changing it now would cost more than carrying it has cost so far.',
      bank: 'It waits: what was saved so far does not cover changing it.',
    } satisfies Record<TimingAccount['decision'], string>,
    cold: {
      model: 'another model was asked before',
      first: 'nothing was sent yet',
      idle: 'the provider has forgotten the conversation',
      prefix: 'the prompt, the rules, the tools or the model have changed',
      uncached: 'the model has no prompt cache',
      folded: 'older rounds were folded into a summary',
      full: 'the window is full',
    } satisfies Record<ColdReason, string>,
    rows: {
      waiting: 'waiting',
      debt: 'cost of carrying it so far',
      price: 'cost of changing it now',
      bank: 'saved so far by trimming',
      lifetime: 'the provider keeps a prompt',
      last: 'last request',
    },
    tokens: (count: string) => `${count} tokens`,
    lifetime: (minutes: string | null) => (minutes === null ? 'not known how long' : `about ${minutes} min`),
  },
  recallTitle: 'To have one back',
  noHandle: '/recall: expected a handle, such as those that /trimmed shows, or words to look for',
  placesFound: (count: number, query: string) =>
    `${count === 1 ? '1 place has' : `${count} places have`} something of “${query}”, the best first. /recall HANDLE shows all of it.`,
  noPlace: (query: string) => `Nothing in this session matches “${query}”. Try other words, or a handle that /trimmed shows.`,
  placeLines: (lines: string) => (lines.includes('-') ? `lines ${lines}` : `line ${lines}`),
  cost: (money: string) => `This session has cost ${money}`,
  costAtLeast: (money: string, unpriced: number) =>
    `This session has cost at least ${money}; nobody knows the price of ${unpriced === 1 ? '1 request' : `${unpriced} requests`}`,
  costUnknown: (unpriced: number) =>
    `Nobody knows what this session has cost: ${unpriced === 1 ? '1 request has' : `${unpriced} requests have`} no known price`,
  requestsTitle: 'requests',
  usage: { input: 'input, not cached', cacheRead: 'read from cache', cacheWrite: 'written to cache', output: 'output' },
  keepAliveTitle: 'of it to keep alive',
  turnsTitle: 'Turns',
  unpriced: 'price not known',
  compactNow: {
    model: 'Fold these rounds now? The model writes the summary; nothing stored is lost.',
    outline: 'Fold these rounds now? The summary comes from the log, as shown; nothing stored is lost.',
  },
  nothingToFold: 'There is nothing to fold yet: at least one round has to stay.',
  notCompacted: 'Nothing was changed.',
  rewindTitle: 'Go back to before …',
  nothingToRewind: 'Nothing was said yet that could be taken back.',
  rewound: (text: string, messages: number) =>
    `Taken back: “${text}” and what came of it (${messages === 1 ? '1 message' : `${messages} messages`}). Files stay as they are.`,
  howToGoBack: (command: string) => `To have it back: ${command}`,
  sessionsTitle: 'Go on with …',
  newSession: (id: string) => `New session ${id}`,
  handedOver: (id: string) =>
    `The old session ${id} is kept as it is. This one has what is needed of it and goes on with what you said last.`,
  inThisSession: 'You are in that session already.',
  resumed: (id: string, title: string, messages: number) =>
    `Session ${id}: ${title} (${messages === 1 ? '1 message' : `${messages} messages`})`,
  coldResume: (tokens: string, money: string | null) =>
    `The provider's cache has likely expired: about ${tokens} tokens will be billed in full${money === null ? '' : ` (≈ ${money})`}. /compact first?`,
  modelFacts: (window: string | null, output: string | null) =>
    [
      window === null ? 'its window is not known' : `window ${window} tokens`,
      ...(output === null ? [] : [`answers up to ${output}`]),
    ].join(' · '),
  price: (input: string, cacheRead: string, output: string, date: string) =>
    `per million tokens: input ${input}, cached ${cacheRead}, output ${output} (as of ${date})`,
  noPrice: 'its price is not known',
  howToModel: '/model NAME changes it, such as anthropic/claude-sonnet-5; offline is always the built-in one',
  badMode: (came: string, modes: string, near: string | null) =>
    `/mode: expected one of ${modes}, got ${came}.${near === null ? '' : ` Did you mean ${near}?`}`,
  howToExport: (id: string) => `/export FILE writes it as Markdown; plimsoll export ${id} knows other formats.`,
}

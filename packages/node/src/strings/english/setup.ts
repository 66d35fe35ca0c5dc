/** Sentences of `plimsoll config`. */
export const config = {
  help: {
    config: 'show the active settings as YAML',
    key: 'one setting or one section, such as compaction.threshold (default: all)',
    showOrigin: 'show where each setting comes from: default, file and line, environment variable, or option',
    root: 'read plimsoll.yaml from this folder (default: the current folder)',
    json: 'print only JSON: { "config", "origins", "warnings" }',
  },
  unknownKey: (key: string, near: string | null) =>
    `Unknown setting ${key}. ${near === null ? 'plimsoll config shows all settings.' : `Did you mean ${near}?`}`,
  secret: '(hidden)',
  promptFile: (path: string) => `prompt file: ${path}`,
}

/** Sentences of `plimsoll prices`. Amounts arrive formatted. */
export const prices = {
  help: {
    prices: 'show what models cost, and where the prices are from',
    model: 'models by the names that logs and requests have (default: those of the configuration and of the built-in table)',
    day: 'the prices on this day, such as 2026-03-01 (default: today)',
    json: 'print only JSON: { "day", "pricesFrom", "prices", "unknown" }',
  },
  title: (day: string, date: string) => `US dollars per million tokens on ${day}. Built-in prices were looked up on ${date}.`,
  model: 'model',
  input: 'input',
  cacheRead: 'cached',
  cacheWrite: 'written',
  hour: 'written for 1 h',
  output: 'output',
  from: 'from',
  origins: { configuration: 'your configuration', table: 'built in', list: 'public list (genai-prices)' },
  ownPattern: (key: string) => `your configuration (${key})`,
  longPrompt: (tokens: string, input: number, output: number) => `over ${tokens} tokens: input ×${input}, output ×${output}`,
  webSearch: (amount: string) => `web search ${amount} per 1,000`,
  busy: (factor: number) => `up to ×${factor} at peak hours`,
  until: (day: string) => `until ${day}`,
  more: 'Hundreds of other models are in a public list: plimsoll prices MODEL',
  unknown: (models: string, first: string) =>
    `No price is known for ${models}. Set it in the configuration, in dollars per million tokens: prices: { ${first}: { input: 1, output: 5 } }`,
  badDay: (came: string, today: string) => `--day: expected a day such as ${today}, got ${came}`,
}

/** Sentences of `plimsoll statusline`, as short as possible. Numbers arrive formatted. */
export const statusline = {
  help: {
    statusline: 'print one line about the running session, for the status line of Claude Code or a shell prompt',
    json: 'print only JSON',
  },
  measured: (used: string, usable: string, share: string) => `${used} of ${usable} tokens measured (${share})`,
  estimated: (used: string, usable: string, share: string) => `${used} of ${usable} tokens estimated (${share})`,
  usedOnly: (used: string) => `${used} tokens`,
  cacheHot: (left: string) => `cache valid for ${left}`,
  cacheCold: 'cache expired',
  minutes: (minutes: number) => `${minutes} min`,
  seconds: (seconds: number) => `${seconds} s`,
  cost: (money: string) => money,
  today: (cost: string, lastHour: string | null) => `today ${cost}${lastHour === null ? '' : ` (last hour ${lastHour})`}`,
  budget: {
    day: (spent: string, budget: string) => `daily budget ${spent} of ${budget}`,
    week: (spent: string, budget: string) => `weekly budget ${spent} of ${budget}`,
    month: (spent: string, budget: string) => `monthly budget ${spent} of ${budget}`,
  },
  trimmable: (tokens: string) => `${tokens} could be trimmed`,
}

/** Sentences of `plimsoll completion`. */
export const completion = {
  help: {
    completion: 'print a shell script that completes commands, options, sessions and agents with the Tab key',
    shell: (shells: string) => `the shell: ${shells}`,
  },
  badShell: (shells: string, came: string) => `SHELL: expected one of ${shells}, got ${came}`,
}

/** Sentences of `plimsoll repair`. Numbers and sizes arrive formatted; text from a log or a file's name arrives clean. */
export const repair = {
  help: {
    repair: 'repair a broken log or conversation in a copy, and list what was repaired',
    file: 'a log of Plimsoll, Claude Code, Codex, Gemini CLI, opencode, pi, Cline, Copilot CLI or snow-cli, a list of messages, or a request',
    out: 'write the copy to this new file (default: the same name with .repaired in it)',
    keepImages: 'keep very large images in the copy (default: move them to files next to it)',
    json: 'print only JSON: { "format", "mends", "copy", … }',
  },
  title: (file: string, format: string) => `${file}, read as ${format}`,
  lines: (count: number, formatted: string) => (count === 1 ? '1 line' : `${formatted} lines`),
  whole: 'Nothing is broken, so nothing was written.',
  mended: (count: number, formatted: string) => (count === 1 ? '1 repair' : `${formatted} repairs`),
  line: (line: string) => `line ${line}`,
  /** Places in a JSON document are counted by messages. */
  message: (message: string) => `message ${message}`,
  more: (count: string) => `… and ${count} more; --json lists all`,
  mends: {
    'byte-order-mark': 'removed a byte order mark',
    'nul-bytes': 'removed NUL bytes',
    'control-characters': 'escaped control characters as JSON requires',
    'not-utf8': 'replaced bytes that are not UTF-8 by �',
    'lone-surrogates': 'replaced halves of characters, which providers reject, by �',
    'split-line': 'put several entries of one line on separate lines',
    'cut-piece': 'removed a piece of another entry on the same line',
    'cut-line': 'removed: not a JSON object',
    'cut-end': 'removed: incomplete',
    'closed-document': 'closed the JSON, which is cut off or garbled here, after the last complete message',
    'dropped-entry': 'removed: nothing readable in it',
    'repeated-entry': 'removed: repeats an earlier entry',
    'new-id': 'kept, with a new id: another entry with a different text has the same',
    'new-head': 'added the missing first entry of such a log',
    'moved-head': 'moved to the front: such a log starts with it',
    'moved-entry': 'moved after the entry it continues',
    relinked: 'names a parent that cannot be reached',
    'answered-call': 'added a result that reports the interruption to a call without one',
    'moved-result': 'moved a result after its call',
    'dropped-result': 'removed a result without a call',
    'doubled-result': 'removed a second result of a call',
    'lifted-image': 'moved a very large image to a file',
    'lost-entries': 'entries that came before this line are lost',
    'changed-entry': 'kept, but changed after it was written: the checksum did not match',
    'misplaced-entry': 'kept, but it does not follow the line that was written before it',
  },
  entries: (count: number, shown: string) => (count === 1 ? '1 entry' : `${shown} entries`),
  to: (line: string) => `attached to line ${line}`,
  toBeginning: 'made the start of a branch',
  tool: (tool: string) => `tool ${tool}`,
  written: (file: string, size: string) => `Wrote ${file} (${size}). Only you can read it.`,
  pictures: (count: number, folder: string) =>
    count === 1 ? `Moved 1 image to ${folder}.` : `Moved ${count} images to ${folder}.`,
  untouched: 'The original is unchanged.',
  checked: 'The copy was checked: every entry can be read, and every call has its result.',
  left: (unreadable: number, problems: number) =>
    `Not everything could be repaired. Entries that cannot be read: ${unreadable}. Calls or results that a provider would reject: ${problems}.`,
  reading: (file: string) => `Reading ${file} …`,
  progress: (bar: string, done: string) => `${bar}  ${done}`,
  notFound: (file: string) => `File not found: ${file}. Check the path.`,
  emptied: (file: string, entries: number) =>
    `${file} is empty: its ${entries === 1 ? 'entry is' : `${entries} entries are`} lost. Restore it from a backup.`,
  exists: (file: string) => `${file} already exists and is not replaced. Name another file with --out, or delete it first.`,
  notWritten: (file: string, reason: string) => `${file} could not be written: ${reason}.`,
  store: (agent: string) =>
    `${agent} keeps this session in many files or a database, which cannot be repaired directly. Export it to one file (opencode export ID > session.json) and repair that.`,
  sameFile: '--out names the original, which is never changed. Name another file.',
}

/** The kinds of repairs, by stable names. */
export type RepairKind = keyof typeof repair.mends

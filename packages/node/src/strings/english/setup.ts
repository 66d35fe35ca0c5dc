/** Sentences of `plimsoll config`. */
export const config = {
  help: {
    config: 'show the settings in force here, as YAML, and where each of them comes from',
    key: 'one setting or one section, such as compaction.threshold (default: all)',
    showOrigin: 'say for each setting where it comes from: default, file and line, variable, or option',
    root: 'the folder whose plimsoll.yaml counts (default: here)',
    json: 'print { "config", "origins", "warnings" } as JSON and nothing else',
  },
  unknownKey: (key: string, near: string | null) =>
    `there is no setting ${key}. ${near === null ? 'plimsoll config shows all there are.' : `Did you mean ${near}?`}`,
  secret: '(hidden)',
}

/** Sentences of `plimsoll statusline`, as short as possible. Numbers arrive formatted. */
export const statusline = {
  help: {
    statusline: 'one line about the running session, for the status line of Claude Code or a prompt',
    json: 'print the same as JSON and nothing else',
  },
  measured: (used: string, usable: string, share: string) => `${used} of ${usable} measured (${share})`,
  estimated: (used: string, usable: string, share: string) => `${used} of ${usable} estimated (${share})`,
  usedOnly: (used: string) => `${used} tokens`,
  cacheHot: (left: string) => `cache hot, ${left} left`,
  cacheCold: 'cache cold',
  minutes: (minutes: number) => `${minutes} min`,
  seconds: (seconds: number) => `${seconds} s`,
  cost: (money: string) => money,
  trimmable: (tokens: string) => `${tokens} could be trimmed`,
}

/** Sentences of `plimsoll completion`. */
export const completion = {
  help: {
    completion: 'print a script that completes commands, options, sessions and agents in a shell',
    shell: (shells: string) => `the shell: ${shells}`,
  },
  badShell: (shells: string, came: string) => `expected one of ${shells}, got ${came}`,
}

/** Sentences of `plimsoll repair`. Numbers and sizes arrive formatted; text from a log or a file's name arrives clean. */
export const repair = {
  help: {
    repair: 'mend a broken log or conversation into a copy, and say what was done',
    file: 'a log of Plimsoll, Claude Code, Codex, Gemini CLI, opencode, pi, Cline or Copilot CLI, a list of messages, or a request',
    out: 'where the copy goes; nothing may be there (default: the same name with .repaired in it)',
    keepImages: 'leave very large pictures where they are (default: into files beside the copy)',
    json: 'print { "format", "mends", "copy", … } as JSON and nothing else',
  },
  title: (file: string, format: string) => `${file}, read as ${format}`,
  lines: (count: number, formatted: string) => (count === 1 ? '1 line' : `${formatted} lines`),
  whole: 'Nothing is broken, so nothing was written.',
  mended: (count: number, formatted: string) => (count === 1 ? '1 thing was mended' : `${formatted} things were mended`),
  line: (line: string) => `line ${line}`,
  /** Places in a JSON document are counted by messages. */
  message: (message: string) => `message ${message}`,
  more: (count: string) => `… and ${count} more; --json lists them all`,
  mends: {
    'byte-order-mark': 'a byte order mark was taken away',
    'nul-bytes': 'NUL bytes were taken away',
    'control-characters': 'control characters were written as JSON wants them',
    'not-utf8': 'bytes that are no UTF-8 became �',
    'lone-surrogates': 'halves of characters, which providers refuse, became �',
    'split-line': 'entries that stood on one line got lines of their own',
    'cut-piece': 'a piece of another entry on the same line was left out',
    'cut-line': 'is no JSON object and was left out',
    'cut-end': 'was never finished and was left out',
    'closed-document': 'is where the JSON breaks off or is garbled: closed behind the last whole message',
    'dropped-entry': 'holds nothing that can be read and was left out',
    'repeated-entry': 'repeats an earlier entry and was left out',
    'new-id': 'had the id of another entry and got one of its own',
    'new-head': 'the entry that such a log begins with was lost and was put in again',
    'moved-head': 'is what such a log begins with and was moved to the front',
    'moved-entry': 'stood before the entry it hangs on and was moved behind it',
    relinked: 'named a parent that cannot be reached',
    'answered-call': 'a call without a result got one that says so',
    'moved-result': 'a result was moved behind its call',
    'dropped-result': 'a result without a call was left out',
    'doubled-result': 'a second result of a call was left out',
    'lifted-image': 'a very large picture was put into a file',
  },
  to: (line: string) => `joined to line ${line}`,
  toBeginning: 'made a beginning',
  tool: (tool: string) => `tool ${tool}`,
  written: (file: string, size: string) => `Written: ${file} (${size}), readable by you alone.`,
  pictures: (count: number, folder: string) =>
    count === 1 ? `1 picture went to ${folder}.` : `${count} pictures went to ${folder}.`,
  untouched: 'The original is as it was.',
  checked: 'The copy was read again: every entry can be read, and every call has its result.',
  left: (unreadable: number, problems: number) =>
    `Not all could be mended: ${unreadable} entries cannot be read, and ${problems} calls or results stand where a provider would refuse them.`,
  reading: (file: string) => `Reading ${file} …`,
  progress: (bar: string, done: string) => `${bar}  ${done}`,
  notFound: (file: string) => `${file}: no such file. Check the path.`,
  exists: (file: string) => `${file} exists already, and nothing is replaced. Name another file with --out, or remove it first.`,
  notWritten: (file: string, reason: string) => `${file} could not be written: ${reason}.`,
  store: (agent: string) =>
    `${agent} keeps this session in many files or a database, which is not mended in place. Export it into one file (opencode export ID > session.json) and repair that.`,
  sameFile: '--out names the file itself, which is never changed. Name another one.',
}

/** The kinds of repairs, by stable names. */
export type MendKind = keyof typeof repair.mends

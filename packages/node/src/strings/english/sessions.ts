import { english as shared } from '../../shared/strings/english.ts'
/** Problems with a stored session, and what to do about them. */
export const session = {
  noHome:
    'Nobody knows your home folder, so there is no place for sessions. Set HOME, or XDG_STATE_HOME to a folder of your own.',
  notFound: (id: string, folder: string) => `There is no session ${id} in ${folder}. \`plimsoll sessions\` lists what there is.`,
  inUse: (pid: number, lock: string) =>
    `The session is open for writing in process ${pid}. Only one may write at a time: end that one first. The lock is ${lock}.`,
  inUseElsewhere: (pid: number, host: string, lock: string) =>
    `The session is locked by process ${pid} on ${host}, and from here it cannot be told whether that one still runs. If it does not, remove ${lock}.`,
  newerFormat: (version: number, known: number) =>
    `The session is in format ${version}, and this version writes format ${known}. It can be read as far as it is understood; to go on with it, use a Plimsoll that knows format ${version}.`,
  cannotRead: (file: string, reason: string) => `${file} could not be read: ${reason}.`,
  cannotWrite: (file: string, reason: string) =>
    `${file} could not be written: ${reason}. Nothing was added; what was there before is unchanged.`,
  cannotRestore: (file: string, reason: string) =>
    `${file} could not be put back to its length before a failed write (${reason}), so nothing more is written to it. All that was reported as written is there. Open the session again.`,
  changedBehind: (file: string) =>
    `${file} was shortened, replaced or removed while it was open: something else changed it. Nothing more is written to it. Look at the file, then open the session again.`,
  closed: 'The session is closed: open it again to read it or add to it.',
  badEntry: (reason: string) => `The entry cannot be stored: ${reason}.`,
  noEntry: (id: string) => `The session has no entry ${id}.`,
  nothingToUndo: 'There is nothing to undo on this branch.',
  reason: (code: string) => {
    if (code === 'ENOSPC' || code === 'EDQUOT') return `the disk is full (${code}); make room and try again`
    if (code === 'EFBIG') return `the file may not become larger (${code})`
    if (code === 'EROFS') return `the file system is read-only (${code})`
    if (code === 'EACCES' || code === 'EPERM') return `no permission (${code}); check the rights of the folder`
    if (code === 'ENOTDIR') return `something on its path is a file and no folder (${code})`
    if (code === 'ENOENT') return `it is not there any more (${code})`
    return code
  },
  lineTorn: (line: number, reason: string) =>
    `Line ${line} is torn (${reason}) and was skipped: a write was cut off there, or the file was damaged.`,
  lineForeign: (line: number, reason: string) => `Line ${line} is no entry of a session (${reason}) and was skipped.`,
  lineNewer: (line: number, reason: string) => `Line ${line} holds ${reason}; it was skipped. A newer Plimsoll can read it.`,
  lineDuplicate: (line: number, id: string) => `Line ${line} repeats the id ${id} of an earlier entry and was skipped.`,
  lineUnreachable: (line: number, parent: string) =>
    `Line ${line} continues entry ${parent}, which cannot be found before it; it was joined to the entry before it.`,
  blobLost: (file: string) =>
    `${file} is missing, so the content it held cannot be had back. Put the file back from a backup; everything else of the session is there.`,
  blobDamaged: (file: string) =>
    `${file} is damaged: its content does not have the hash that is its name. Put the file back from a backup; everything else of the session is there.`,
  blobTooLarge: (file: string, megabytes: string) =>
    `${file} has ${megabytes} MB, too many to be held at once. Ask for a part of it, or open the file itself.`,
}

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

/** Sentences of the commands for stored sessions. Numbers, sizes and times arrive formatted; text from a log arrives clean. */
export const sessionCommands = {
  help: {
    sessions: 'list the stored sessions, the latest first',
    remove: 'remove sessions with all they hold',
    rewind: 'go on after an earlier message; what came later stays in the log',
    fork: 'begin a new session with the messages of another one',
    pin: 'keep a message whole in every view',
    unpin: 'let a pinned message be trimmed again',
    restore: 'take an edit or a fold back, so that the original is shown again',
    import: 'store a conversation, or the log of another agent, as a session',
    show: 'show what a session holds, or one of its messages whole',
    recall: 'give back what was cut, filtered or folded, bit for bit',
    export: 'write a whole session, originals in place of folds',
    id: 'the id of a session, 4 or more of its first characters, its last 6, or the word last',
    fullId: 'the whole id of a session',
    message: 'the number of a message as show prints it, or its id',
    shownMessage: 'the number of a message, or its id: prints it whole (default: the list)',
    rewindMessage: 'the last message to keep, by its number or id; 0 for none',
    forkMessage: 'the last message to take over, by its number or id (default: all)',
    edit: 'the id of an edit or fold as show prints it',
    file: 'a conversation as JSON or JSON lines, - for standard input',
    conversation: 'which conversation of a file that holds several, counted from 1',
    title: 'what the session is called (default: the first words of the user)',
    everyConversation: 'import every conversation of the file, each as a session',
    everySession: 'list every session, however many there are',
    everyRow: 'list every message and edit, however many there are',
    branches: 'show the tree of branches with their ends',
    handle: 'the digits behind the word recall in a view, or the first 6 of them',
    session: 'where to look: as ID elsewhere (default: all sessions, the latest first)',
    messageId: 'the id of a message or of a tool call',
    tool: 'the name or kind of a tool: its latest result',
    about: 'text that the arguments of the call contain, such as a path',
    query: 'words to search the session for',
    lines: 'these lines only, such as 120-180',
    characters: 'these characters only, such as 1-4000: for lines that are very long',
    pattern: 'only lines that match a regular expression, with their numbers',
    budget: 'the most tokens the answer may have',
    format: (names: string) => `one of ${names} (default: openai-chat); log alone keeps everything`,
    out: 'write to a new file that only you can read (default: standard output)',
    force: 'replace the file of --out where there is one',
    redact: 'blank keys, tokens and passwords',
    leaf: 'the branch that ends at this entry (default: the active one)',
    sessionsJson: 'print { "sessions", "unreadable" } as JSON and nothing else',
    importJson: 'print { "format", "sessions", "skipped" } as JSON and nothing else',
    showJson: 'print what is shown as JSON and nothing else',
    recallJson: 'print { "session", "answer" } as JSON and nothing else',
  },
  noSessions: (folder: string) => `There are no sessions yet in ${folder}.`,
  howToImport: 'Store one with: plimsoll import FILE',
  noSuchSession: (came: string, near: string | null) =>
    `There is no session ${came}.${near === null ? '' : ` Did you mean ${near}?`} \`plimsoll sessions\` lists what there is.`,
  severalSessions: (came: string, ids: string, more: number) =>
    `${came} may be several sessions: ${ids}${more === 0 ? '' : ` and ${more} more`}. Give more of the id.`,
  fullIdsOnly: (came: string, near: string | null) =>
    near === null
      ? `${came} is not the whole id of a session. Nothing was removed. \`plimsoll sessions\` lists the whole ids.`
      : `${came} is not the whole id of a session; did you mean ${near}? Nothing was removed.`,
  noSuchMessage: (came: string, messages: string) =>
    `There is no message ${came}: the branch has ${messages}. Use a number from the list of \`plimsoll show\`, or the id of a message.`,
  notOnBranch: (came: string) =>
    `Message ${came} is not on the active branch. \`plimsoll show ID --branches\` shows where it is; rewind to its branch first.`,
  list: (count: number) => plural(count, '1 session (times in UTC)', `${count} sessions, the latest first (times in UTC)`),
  messages: (count: number, formatted: string) => plural(count, '1 message', `${formatted} messages`),
  untitled: shared.turn.untitled,
  splitFrom: (id: string) => `split from ${id}`,
  olderSessions: (count: number) => `… and ${plural(count, '1 older session', `${count} older sessions`)}; --all lists every one`,
  unreadable: (ids: string) => `Could not be read: ${ids}`,
  howToShow: 'Look into the latest: plimsoll show last',
  removed: (id: string, title: string | null) => `Removed ${id}${title === null ? '' : `: ${title}`}`,
  removedBefore: (ids: string) => `Before that, ${ids} was removed.`,
  rewound: (number: string, first: string, left: number) =>
    `The conversation now ends with message ${number}: ${first}${left === 0 ? '' : `\n${plural(left, '1 later message stays in the log, on a branch of its own.', `${left} later messages stay in the log, on a branch of their own.`)}`}`,
  rewoundToStart: (left: number) =>
    `The conversation now begins anew. ${plural(left, '1 message stays in the log, on a branch of its own.', `${left} messages stay in the log, on a branch of their own.`)}`,
  alreadyThere: 'The conversation ends there already; nothing was changed.',
  howToGoBack: (command: string) => `Go back with: ${command}`,
  forked: (messages: string, id: string) => `${messages} taken over into the new session ${id}. The original is unchanged.`,
  pinned: (message: string) =>
    `Message ${message} is pinned: no trimming or summary takes it away. Output limits and binary filtering still apply.`,
  alreadyPinned: (message: string) => `Message ${message} is pinned already; nothing was changed.`,
  unpinned: (message: string) => `Message ${message} is no longer pinned.`,
  notPinned: (message: string) => `Message ${message} is not pinned; nothing was changed.`,
  restored: (edit: string) => `${edit} was taken back: what it stood for is shown again.`,
  restoredAndPinned: (edit: string, message: string) =>
    `${edit} was taken back, and message ${message} is pinned so that it stays whole. \`plimsoll sessions unpin\` lets it be trimmed again.`,
  comesBack: (policy: string) =>
    `${policy} does not heed pins and may do the same at the next request; recall gives the original at any time.`,
  noSuchEdit: (came: string, near: string | null) =>
    `No edit ${came} is in force.${near === null ? '' : ` Did you mean ${near}?`} \`plimsoll show ID --all\` lists those that are.`,
  imported: (messages: string, id: string) => `Imported ${messages} into session ${id}`,
  importedFormat: (format: string) => `read as ${format}`,
  importedUsages: (count: string) => `what the provider counted for ${count} answers is kept as notes`,
  importedRest: (abandoned: number, sidechains: number) =>
    `Not taken over: ${plural(abandoned, '1 message', `${abandoned} messages`)} on branches that were left, ${sidechains} of sub-agents.`,
  severalConversations: (file: string, count: string) =>
    `${file} holds ${count} conversations. Choose one with --conversation N, or import each of them with --all`,
  importStopped: (before: number) =>
    before === 0
      ? 'Stopped. Nothing was imported.'
      : `Stopped. Imported before that: ${plural(before, '1 session', `${before} sessions`)}; \`plimsoll sessions\` lists them.`,
  nothingToImport: (file: string) => `${file} holds no message, so there is nothing to import.`,
  blobsBeside: (file: string) =>
    `${file} is the log of a session whose larger contents lie in files beside it. Copy it with \`plimsoll sessions fork ID\`, or write it whole with \`plimsoll export ID --format log\`.`,
  reading: (file: string) => `reading ${file} …`,
  storing: (done: string, all: string) => `storing ${done} of ${all} messages …`,
  tryNext: 'What to try next:',
  tryShow: 'what is stored',
  tryNextRequest: 'what the next request would be',
  tryRecall: 'search what was said and done',
  session: (id: string) => `Session ${id}`,
  begun: (time: string) => `begun ${time}`,
  format: (version: number) => `format ${version}`,
  branch: (leaf: string, branches: number) =>
    branches === 1 ? `ends at ${leaf}` : `ends at ${leaf}; ${branches} branches, --branches shows them`,
  tokens: (count: string) => `${count} tokens`,
  messageList: 'Messages',
  earlierMessages: (count: string) => `… ${count} earlier; --all lists every one`,
  isPinned: 'pinned',
  isFolded: 'folded',
  isSummary: 'summary',
  folds: (count: number) => plural(count, '1 fold in force', `${count} folds in force`),
  fold: (first: string, last: string, tokens: string) => `messages ${first} to ${last} are shown as a summary of ${tokens}`,
  edits: (count: number) => plural(count, '1 edit in force', `${count} edits in force`),
  moreEdits: (count: string) => `… and ${count} more; --all lists every one`,
  pins: (count: number) => plural(count, '1 pinned message', `${count} pinned messages`),
  troubles: (count: number) => plural(count, '1 thing to know about this log', `${count} things to know about this log`),
  unreadableMessage: 'cannot be read',
  branches: (count: number) => plural(count, '1 branch', `${count} branches`),
  active: 'active',
  endsAt: (entry: string) => `ends at ${entry}`,
  noMessages: 'no messages',
  mediaLeftOut: (kinds: string) => `${kinds} belongs to it and is no text; --json prints it`,
  role: { system: 'system', user: 'user', assistant: 'assistant', tool: 'tool' },
  badLines: (came: string) => `--lines: expected first and last line such as 120-180, got ${came}`,
  badCharacters: (came: string) => `--characters: expected first and last character such as 1-4000, got ${came}`,
  badBudget: (came: string) => `--budget: expected a number of tokens from 1, got ${came}`,
  nothingAsked: 'Say what to recall: a HANDLE, --id, --tool (with --about) or --query',
  askedTwice: 'Say what to recall in one way only: a HANDLE, --id, --tool (with --about) or --query',
  foundIn: (id: string, message: string, what: string) => `${id}, message ${message}${what === '' ? '' : `: ${what}`}`,
  shownLines: (ranges: string, lines: string) => `lines ${ranges} of ${lines}`,
  otherOriginals: (count: string, handles: string) => `The latest of several; ${count} older: ${handles}`,
  extractLeft: (trouble: string) => `${trouble} This is the extract that is left.`,
  nowhere: (count: number) => `None of the ${count} sessions has it. Of the latest one:`,
  /** The reason's stable name serves the languages that translate it; `text` is the sentence in English. */
  missing: (_reason: string, text: string) => text,
  badFormat: (names: string, came: string) => `--format: expected one of ${names}, got ${came}`,
  fileExists: (file: string) => `${file} exists already; nothing was written. --force replaces it.`,
  notAFile: (file: string) =>
    `${file} is a folder or a device, not a file; nothing was written. Name a file, or leave out --out to print.`,
  cannotWrite: (file: string, reason: string) => `${file} could not be written: ${reason}.`,
  noFolder: (file: string) => `${file} could not be written: its folder does not exist.`,
  exported: (file: string, size: string, messages: string) => `${file}: ${size}, ${messages}`,
  redacted: (count: string) => `Secrets blanked: ${count}`,
  leftOutOfFormat: (what: string, format: string) => `${format} has no place for ${what}; --format log keeps everything.`,
  thoughts: (count: string) => (count === '1' ? "one of the model's thoughts" : `${count} of the model's thoughts`),
  media: (count: string) =>
    count === '1'
      ? 'one image or block of another vendor, which is only named'
      : `${count} images or blocks of another vendor, which are only named`,
  notWhole: (count: string) => `Not whole in the session itself, and so not here: ${count}. \`plimsoll show ID\` says why.`,
  noSuchEntry: (came: string) =>
    `--leaf: the session has no entry ${came}. \`plimsoll show ID --branches\` lists the ends of branches.`,
}

import type { SessionCommandStrings } from './session-command-strings.ts'

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

/** What the commands for stored sessions say, in English. */
export const sessionCommandsEnglish: SessionCommandStrings = {
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
    format: (names) => `one of ${names} (default: openai-chat); log alone keeps everything`,
    out: 'write to a new file that only you can read (default: standard output)',
    force: 'replace the file of --out where there is one',
    redact: 'blank keys, tokens and passwords',
    leaf: 'the branch that ends at this entry (default: the active one)',
    sessionsJson: 'print { "sessions", "unreadable" } as JSON and nothing else',
    importJson: 'print { "format", "sessions", "skipped" } as JSON and nothing else',
    showJson: 'print what is shown as JSON and nothing else',
    recallJson: 'print { "session", "answer" } as JSON and nothing else',
  },

  noSessions: (folder) => `There are no sessions yet in ${folder}.`,
  howToImport: 'Store one with: plimsoll import FILE',
  noSuchSession: (came, near) =>
    `There is no session ${came}.${near === null ? '' : ` Did you mean ${near}?`} \`plimsoll sessions\` lists what there is.`,
  severalSessions: (came, ids, more) =>
    `${came} may be several sessions: ${ids}${more === 0 ? '' : ` and ${more} more`}. Give more of the id.`,
  fullIdsOnly: (came, near) =>
    near === null
      ? `${came} is not the whole id of a session. Nothing was removed. \`plimsoll sessions\` lists the whole ids.`
      : `${came} is not the whole id of a session; did you mean ${near}? Nothing was removed.`,
  noSuchMessage: (came, messages) =>
    `There is no message ${came}: the branch has ${messages}. Use a number from the list of \`plimsoll show\`, or the id of a message.`,
  notOnBranch: (came) =>
    `Message ${came} is not on the active branch. \`plimsoll show ID --branches\` shows where it is; rewind to its branch first.`,

  list: (count) => plural(count, '1 session (times in UTC)', `${count} sessions, the latest first (times in UTC)`),
  messages: (count, formatted) => plural(count, '1 message', `${formatted} messages`),
  untitled: 'nothing was said yet',
  splitFrom: (id) => `split from ${id}`,
  olderSessions: (count) => `… and ${plural(count, '1 older session', `${count} older sessions`)}; --all lists every one`,
  unreadable: (ids) => `Could not be read: ${ids}`,
  howToShow: 'Look into the latest: plimsoll show last',

  removed: (id, title) => `Removed ${id}${title === null ? '' : `: ${title}`}`,
  removedBefore: (ids) => `Before that, ${ids} was removed.`,
  rewound: (number, first, left) =>
    `The conversation now ends with message ${number}: ${first}${left === 0 ? '' : `\n${plural(left, '1 later message stays in the log, on a branch of its own.', `${left} later messages stay in the log, on a branch of their own.`)}`}`,
  rewoundToStart: (left) =>
    `The conversation now begins anew. ${plural(left, '1 message stays in the log, on a branch of its own.', `${left} messages stay in the log, on a branch of their own.`)}`,
  alreadyThere: 'The conversation ends there already; nothing was changed.',
  howToGoBack: (command) => `Go back with: ${command}`,
  forked: (messages, id) => `${messages} taken over into the new session ${id}. The original is unchanged.`,
  pinned: (message) =>
    `Message ${message} is pinned: no trimming or summary takes it away. Output limits and binary filtering still apply.`,
  alreadyPinned: (message) => `Message ${message} is pinned already; nothing was changed.`,
  unpinned: (message) => `Message ${message} is no longer pinned.`,
  notPinned: (message) => `Message ${message} is not pinned; nothing was changed.`,
  restored: (edit) => `${edit} was taken back: what it stood for is shown again.`,
  restoredAndPinned: (edit, message) =>
    `${edit} was taken back, and message ${message} is pinned so that it stays whole. \`plimsoll sessions unpin\` lets it be trimmed again.`,
  comesBack: (policy) =>
    `${policy} does not heed pins and may do the same at the next request; recall gives the original at any time.`,
  noSuchEdit: (came, near) =>
    `No edit ${came} is in force.${near === null ? '' : ` Did you mean ${near}?`} \`plimsoll show ID --all\` lists those that are.`,

  imported: (messages, id) => `Imported ${messages} into session ${id}`,
  importedFormat: (format) => `read as ${format}`,
  importedUsages: (count) => `what the provider counted for ${count} answers is kept as notes`,
  importedRest: (abandoned, sidechains) =>
    `Not taken over: ${plural(abandoned, '1 message', `${abandoned} messages`)} on branches that were left, ${sidechains} of sub-agents.`,
  severalConversations: (file, count) =>
    `${file} holds ${count} conversations. Choose one with --conversation N, or import each of them with --all`,
  importStopped: (before) =>
    before === 0
      ? 'Stopped. Nothing was imported.'
      : `Stopped. Imported before that: ${plural(before, '1 session', `${before} sessions`)}; \`plimsoll sessions\` lists them.`,
  nothingToImport: (file) => `${file} holds no message, so there is nothing to import.`,
  blobsBeside: (file) =>
    `${file} is the log of a session whose larger contents lie in files beside it. Copy it with \`plimsoll sessions fork ID\`, or write it whole with \`plimsoll export ID --format log\`.`,
  reading: (file) => `reading ${file} …`,
  storing: (done, all) => `storing ${done} of ${all} messages …`,
  tryNext: 'What to try next:',
  tryShow: 'what is stored',
  tryResume: 'what the next request would be',
  tryRecall: 'search what was said and done',

  session: (id) => `Session ${id}`,
  begun: (time) => `begun ${time}`,
  format: (version) => `format ${version}`,
  branch: (leaf, branches) =>
    branches === 1 ? `ends at ${leaf}` : `ends at ${leaf}; ${branches} branches, --branches shows them`,
  tokens: (count) => `${count} tokens`,
  messageList: 'Messages',
  earlierMessages: (count) => `… ${count} earlier; --all lists every one`,
  isPinned: 'pinned',
  isFolded: 'folded',
  isSummary: 'summary',
  folds: (count) => plural(count, '1 fold in force', `${count} folds in force`),
  fold: (first, last, tokens) => `messages ${first} to ${last} are shown as a summary of ${tokens}`,
  edits: (count) => plural(count, '1 edit in force', `${count} edits in force`),
  moreEdits: (count) => `… and ${count} more; --all lists every one`,
  pins: (count) => plural(count, '1 pinned message', `${count} pinned messages`),
  troubles: (count) => plural(count, '1 thing to know about this log', `${count} things to know about this log`),
  unreadableMessage: 'cannot be read',
  branches: (count) => plural(count, '1 branch', `${count} branches`),
  active: 'active',
  endsAt: (entry) => `ends at ${entry}`,
  noMessages: 'no messages',
  mediaLeftOut: (kinds) => `${kinds} belongs to it and is no text; --json prints it`,
  role: { system: 'system', user: 'user', assistant: 'assistant', tool: 'tool' },

  badLines: (came) => `--lines: expected first and last line such as 120-180, got ${came}`,
  badCharacters: (came) => `--characters: expected first and last character such as 1-4000, got ${came}`,
  badBudget: (came) => `--budget: expected a number of tokens from 1, got ${came}`,
  nothingAsked: 'Say what to recall: a HANDLE, --id, --tool (with --about) or --query',
  askedTwice: 'Say what to recall in one way only: a HANDLE, --id, --tool (with --about) or --query',
  foundIn: (session, message, what) => `${session}, message ${message}${what === '' ? '' : `: ${what}`}`,
  shownLines: (ranges, lines) => `lines ${ranges} of ${lines}`,
  otherOriginals: (count, handles) => `The latest of several; ${count} older: ${handles}`,
  extractLeft: (trouble) => `${trouble} This is the extract that is left.`,
  nowhere: (count) => `None of the ${count} sessions has it. Of the latest one:`,
  missing: (_reason, text) => text,

  badFormat: (names, came) => `--format: expected one of ${names}, got ${came}`,
  fileExists: (file) => `${file} exists already; nothing was written. --force replaces it.`,
  notAFile: (file) =>
    `${file} is a folder or a device, not a file; nothing was written. Name a file, or leave out --out to print.`,
  cannotWrite: (file, reason) => `${file} could not be written: ${reason}.`,
  noFolder: (file) => `${file} could not be written: its folder does not exist.`,
  exported: (file, size, messages) => `${file}: ${size}, ${messages}`,
  redacted: (count) => `Secrets blanked: ${count}`,
  leftOutOfFormat: (what, format) => `${format} has no place for ${what}; --format log keeps everything.`,
  thoughts: (count) => (count === '1' ? "one of the model's thoughts" : `${count} of the model's thoughts`),
  media: (count) =>
    count === '1'
      ? 'one image or block of another vendor, which is only named'
      : `${count} images or blocks of another vendor, which are only named`,
  notWhole: (count) => `Not whole in the session itself, and so not here: ${count}. \`plimsoll show ID\` says why.`,
  noSuchEntry: (came) => `--leaf: the session has no entry ${came}. \`plimsoll show ID --branches\` lists the ends of branches.`,
}

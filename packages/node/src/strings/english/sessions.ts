import { english as shared } from '../../shared/strings/english.ts'
/** Problems with a stored session, and what to do about them. */
export const session = {
  noHome: 'Cannot store sessions: no home folder found. Set HOME or XDG_STATE_HOME.',
  notFound: (id: string, folder: string) => `There is no session ${id} in ${folder}. \`plimsoll sessions\` lists all sessions.`,
  inUse: (pid: number, lock: string) =>
    `The session is open for writing in process ${pid}, and only one process can write at a time. End that process first. Lock file: ${lock}`,
  inUseElsewhere: (pid: number, host: string, lock: string) =>
    `The session is locked by process ${pid} on ${host}, which cannot be checked from here. If it no longer runs, delete ${lock}.`,
  newerFormat: (version: number, known: number) =>
    `The session has format ${version}, but this version of Plimsoll writes format ${known}. The entries that this version knows can be read; to continue the session, use a version that supports format ${version}.`,
  cannotRead: (file: string, reason: string) => `${file} could not be read: ${reason}.`,
  cannotWrite: (file: string, reason: string) =>
    `${file} could not be written: ${reason}. Nothing was added, and existing content is unchanged.`,
  cannotRestore: (file: string, reason: string) =>
    `A write to ${file} failed and could not be rolled back (${reason}), so writing stopped. Everything reported as written is intact. Open the session again.`,
  changedBehind: (file: string) =>
    `${file} was shortened, replaced or deleted by another program while it was open, so writing stopped. Check the file, then open the session again.`,
  emptied: (file: string, entries: number) =>
    `${file} has no readable entry left${entries === 0 ? '' : `; it had ${entries}`}. It was left as it is, and nothing can be added to it. Restore it from a backup, or remove the session with \`plimsoll sessions rm\`.`,
  closed: 'The session is closed. Open it again to read it or add to it.',
  badEntry: (reason: string) => `The entry cannot be stored: ${reason}.`,
  noEntry: (id: string) => `The session has no entry ${id}.`,
  nothingToUndo: 'There is nothing to undo on this branch.',
  reason: (code: string) => {
    if (code === 'ENOSPC' || code === 'EDQUOT') return `the disk is full (${code}); free some space and try again`
    if (code === 'EFBIG') return `the file has reached its maximum size (${code})`
    if (code === 'EROFS') return `the file system is read-only (${code})`
    if (code === 'EACCES' || code === 'EPERM') return `no permission (${code}); check the permissions of the folder`
    if (code === 'ENOTDIR') return `part of its path is a file instead of a folder (${code})`
    if (code === 'ENOENT') return `it no longer exists (${code})`
    return code
  },
  lineTorn: (line: number, reason: string) =>
    `Line ${line} is incomplete (${reason}) and was skipped: a write was interrupted there, or the file is damaged.`,
  lineForeign: (line: number, reason: string) => `Line ${line} is not a session entry (${reason}) and was skipped.`,
  lineNewer: (line: number, reason: string) =>
    `Line ${line} has ${reason} and was skipped. A newer version of Plimsoll can read it.`,
  lineDuplicate: (line: number, id: string) => `Line ${line} repeats the id ${id} of an earlier entry and was skipped.`,
  lineUnreachable: (line: number, parent: string) =>
    `Line ${line} continues entry ${parent}, which is not found before it; it was attached to the previous entry.`,
  lineChanged: (line: number) =>
    `Line ${line} was changed after it was written: its checksum does not match. It is used as it is; do not rely on it. Compare it with a backup, or write a repaired copy with \`plimsoll repair\`.`,
  lineMoved: (line: number) =>
    `Line ${line} does not follow the line that was written before it: lines were swapped, or come from another log. Compare the log with a backup, or write a repaired copy with \`plimsoll repair\`.`,
  entriesMissing: (line: number, count: number) =>
    `${count === 1 ? '1 entry is' : `${count} entries are`} missing before line ${line}. Restore the log from a backup; \`plimsoll repair\` writes a copy that continues without ${count === 1 ? 'it' : 'them'}.`,
  endMissing: (file: string) =>
    `${file} is missing, so nothing shows whether the last entries of the log are there. It is created again when the session is next written to.`,
  endDamaged: (file: string) =>
    `${file} is damaged, so nothing shows whether the last entries of the log are there. It is written again when the session is next written to.`,
  blobLost: (file: string) =>
    `${file} is missing, so its content cannot be recalled. Restore it from a backup; the rest of the session is intact.`,
  blobDamaged: (file: string) =>
    `${file} is damaged: its content does not match the hash in its name. Restore it from a backup; the rest of the session is intact.`,
  blobTooLarge: (file: string, megabytes: string) =>
    `${file} has ${megabytes} MB, too many to load at once. Ask for a part of it, or open the file itself.`,
}

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

/** Sentences of the commands for stored sessions. Numbers, sizes and times arrive formatted; text from a log arrives clean. */
export const sessionCommands = {
  help: {
    sessions: 'list the stored sessions, latest first',
    remove: 'delete sessions with everything in them',
    rewind: 'continue after an earlier message; later messages stay in the log',
    fork: 'start a new session with the messages of another one',
    pin: 'pin a message, so that every request has it in full',
    unpin: 'unpin a message, so that it can be trimmed again',
    hide: 'hide the result of a message from the model, after printing what that costs',
    unhide: 'show the hidden result of a message to the model again',
    restore: 'undo an edit or a compaction, so that the original is shown again',
    import: 'store a conversation, or the log of another agent, as a session',
    show: 'show the content of a session, or one of its messages in full',
    recall: 'recall what was truncated, filtered or compacted, bit for bit',
    export: 'export a session in full, with the original messages instead of summaries',
    id: 'the id of a session, at least 4 of its first characters, its last 6, or the word last',
    fullId: 'the full id of a session',
    message: 'the number of a message as in plimsoll show, or its id',
    shownMessage: 'the number or id of a message to show in full (default: list the messages)',
    rewindMessage: 'the number or id of the last message to keep; 0 for none',
    forkMessage: 'the number or id of the last message to copy (default: all)',
    edit: 'the id of an edit or compaction as in plimsoll show',
    file: 'a conversation as JSON or JSON Lines, or - for standard input',
    conversation: 'choose one of several conversations in the file, counting from 1',
    title: "set the title of the session (default: the start of the user's first message)",
    everyConversation: 'import all conversations of the file, each as a session',
    everySession: 'list all sessions',
    everyRow: 'list all messages and edits',
    branches: 'show the tree of branches and where they end',
    handle: 'the hexadecimal digits after the word recall in trimmed text, or the first 6 of them',
    session: 'search only this session, by its id or last (default: all sessions, latest first)',
    messageId: 'recall the message or tool call with this id',
    tool: 'recall the latest result of a tool, by its name or kind',
    about: 'choose a call whose arguments contain this text, such as a path',
    query: 'search the session for these words',
    lines: 'print only these lines, such as 120-180',
    characters: 'print only these characters, such as 1-4000; useful for very long lines',
    pattern: 'print only lines that match a regular expression, with their numbers',
    budget: 'limit the result to this many tokens',
    escape: 'escape control characters in texts also into a pipe or a file, as on a terminal',
    format: (names: string) => `choose the format: ${names} (default: openai-chat); only log keeps everything`,
    out: 'write to a new file that only you can read (default: standard output)',
    force: 'replace the file of --out if it exists',
    redact: 'redact keys, tokens and passwords',
    leaf: 'export the branch that ends at this entry (default: the active one)',
    sessionsJson: 'print only JSON: { "sessions", "unreadable" }',
    importJson: 'print only JSON: { "format", "sessions", "skipped" }',
    showJson: 'print only JSON',
    recallJson: 'print only JSON: { "session", "answer" }',
  },
  noSessions: (folder: string) => `There are no sessions yet in ${folder}.`,
  howToImport: 'To store one: plimsoll import FILE',
  noSuchSession: (came: string, near: string | null) =>
    `There is no session ${came}.${near === null ? '' : ` Did you mean ${near}?`} \`plimsoll sessions\` lists all sessions.`,
  severalSessions: (came: string, ids: string, more: number) =>
    `${came} matches several sessions: ${ids}${more === 0 ? '' : ` and ${more} more`}. Give more characters of the id.`,
  fullIdsOnly: (came: string, near: string | null) =>
    `${came} is not the full id of a session, so nothing was deleted. ${near === null ? '`plimsoll sessions` lists the full ids.' : `Did you mean ${near}?`}`,
  noSuchMessage: (came: string, messages: string) =>
    `There is no message ${came}: the branch has ${messages}. Use a number from \`plimsoll show\`, or the id of a message.`,
  notOnBranch: (came: string) =>
    `Message ${came} is not on the active branch. \`plimsoll show ID --branches\` shows where it is; rewind to its branch first.`,
  list: (count: number) => plural(count, '1 session (times in UTC)', `${count} sessions, latest first (times in UTC)`),
  messages: (count: number, formatted: string) => plural(count, '1 message', `${formatted} messages`),
  untitled: shared.turn.untitled,
  splitFrom: (id: string) => `forked from ${id}`,
  olderSessions: (count: number) => `… and ${plural(count, '1 older session', `${count} older sessions`)}; --all lists all`,
  unreadable: (ids: string) => `Could not be read: ${ids}`,
  howToShow: 'To show the latest: plimsoll show last',
  removed: (id: string, title: string | null) => `Deleted ${id}${title === null ? '' : `: ${title}`}`,
  removedBefore: (ids: string) => `Deleted before that: ${ids}.`,
  rewound: (number: string, first: string, left: number) =>
    `The conversation now ends with message ${number}: ${first}${left === 0 ? '' : `\n${plural(left, '1 later message stays in the log, on a separate branch.', `${left} later messages stay in the log, on a separate branch.`)}`}`,
  rewoundToStart: (left: number) =>
    `The conversation now starts from scratch. ${plural(left, '1 message stays in the log, on a separate branch.', `${left} messages stay in the log, on a separate branch.`)}`,
  alreadyThere: 'The conversation already ends there. Nothing was changed.',
  howToGoBack: (command: string) => `To go back: ${command}`,
  forked: (messages: string, id: string) => `Copied ${messages} into the new session ${id}. The original is unchanged.`,
  pinned: (message: string) =>
    `Message ${message} is pinned: it is neither trimmed nor summarised. Output limits and binary filtering still apply.`,
  alreadyPinned: (message: string) => `Message ${message} is already pinned. Nothing was changed.`,
  unpinned: (message: string) => `Message ${message} is no longer pinned.`,
  hidingCost: (saved: string, rewritten: string, dollars: string | null) =>
    rewritten === '0'
      ? `Removes ${saved} tokens from each request. Nothing after it is cached, so this costs nothing.`
      : `Removes ${saved} tokens from each request. Once, ${rewritten} tokens after it are written to the cache again${dollars === null ? '' : ` (${dollars})`}.`,
  hidden: (message: string) =>
    `The result of message ${message} is hidden from the next request on. \`plimsoll sessions unhide\` shows it again.`,
  alreadyHidden: (message: string) => `The result of message ${message} is already hidden. Nothing was changed.`,
  unhidden: (message: string) => `The result of message ${message} is shown again from the next request on.`,
  notHidden: (message: string) => `The result of message ${message} is not hidden. Nothing was changed.`,
  nothingToHide: (message: string) => `Message ${message} has no tool result to hide. Nothing was changed.`,
  notPinned: (message: string) => `Message ${message} is not pinned. Nothing was changed.`,
  restored: (edit: string) => `${edit} was undone: the original is shown again.`,
  restoredAndPinned: (edit: string, message: string) =>
    `${edit} was undone, and message ${message} is pinned so that it stays in full. \`plimsoll sessions unpin\` lets it be trimmed again.`,
  comesBack: (policy: string) =>
    `${policy} ignores pins and may make the same edit at the next request; \`plimsoll recall\` always returns the original.`,
  noSuchEdit: (came: string, near: string | null) =>
    `There is no active edit ${came}.${near === null ? '' : ` Did you mean ${near}?`} \`plimsoll show ID --all\` lists all active edits.`,
  imported: (messages: string, id: string) => `Imported ${messages} into session ${id}`,
  importedFormat: (format: string) => `read as ${format}`,
  importedUsages: (count: string) =>
    `the usage the provider reported for ${count === '1' ? '1 answer' : `${count} answers`} is kept as notes`,
  importedRest: (abandoned: number, sidechains: number) =>
    `Not imported: ${plural(abandoned, '1 message', `${abandoned} messages`)} on abandoned branches, ${plural(sidechains, '1 message', `${sidechains} messages`)} of sub-agents.`,
  severalConversations: (file: string, count: string) =>
    `${file} has ${count} conversations. Choose one with --conversation N, or import all with --all`,
  importStopped: (before: number) =>
    before === 0
      ? 'Stopped. Nothing was imported.'
      : `Stopped. Imported before that: ${plural(before, '1 session', `${before} sessions`)}; \`plimsoll sessions\` lists them.`,
  nothingToImport: (file: string) => `${file} has no messages to import.`,
  blobsBeside: (file: string) =>
    `${file} is a session log that keeps large content in separate files. Copy it with \`plimsoll sessions fork ID\`, or export it in full with \`plimsoll export ID --format log\`.`,
  reading: (file: string) => `reading ${file} …`,
  storing: (done: string, all: string) => `storing ${done} of ${all} messages …`,
  tryNext: 'Try next:',
  tryShow: 'show what is stored',
  tryNextRequest: 'show the next request',
  tryRecall: 'search messages and tool output',
  session: (id: string) => `Session ${id}`,
  begun: (time: string) => `started ${time}`,
  format: (version: number) => `format ${version}`,
  branch: (leaf: string, branches: number) =>
    branches === 1 ? `ends at ${leaf}` : `ends at ${leaf}; ${branches} branches, shown by --branches`,
  tokens: (count: string) => `${count} tokens`,
  messageList: 'Messages',
  earlierMessages: (count: string) => `… ${count} earlier; --all lists all`,
  isPinned: 'pinned',
  isFolded: 'compacted',
  isSummary: 'summary',
  folds: (count: number) => plural(count, '1 active compaction', `${count} active compactions`),
  fold: (first: string, last: string, tokens: string) => `messages ${first} to ${last} are shown as a summary of ${tokens}`,
  edits: (count: number) => plural(count, '1 active edit', `${count} active edits`),
  moreEdits: (count: string) => `… and ${count} more; --all lists all`,
  pins: (count: number) => plural(count, '1 pinned message', `${count} pinned messages`),
  troubles: (count: number) => plural(count, '1 problem in this log', `${count} problems in this log`),
  unreadableMessage: 'cannot be read',
  branches: (count: number) => plural(count, '1 branch', `${count} branches`),
  active: 'active',
  endsAt: (entry: string) => `ends at ${entry}`,
  noMessages: 'no messages',
  mediaLeftOut: (kinds: string) => `Not shown because it is not text: ${kinds}. --json prints it.`,
  role: { system: 'system', user: 'user', assistant: 'assistant', tool: 'tool' },
  badLines: (came: string) => `--lines: expected first and last line such as 120-180, got ${came}`,
  badCharacters: (came: string) => `--characters: expected first and last character such as 1-4000, got ${came}`,
  badBudget: (came: string) => `--budget: expected a number of tokens of at least 1, got ${came}`,
  nothingAsked: 'Nothing to recall was named: pass a HANDLE, --id, --tool (with --about) or --query',
  askedTwice: 'Name what to recall in one way only: a HANDLE, --id, --tool (with --about) or --query',
  foundIn: (id: string, message: string, what: string) => `${id}, message ${message}${what === '' ? '' : `: ${what}`}`,
  shownLines: (ranges: string, lines: string) => `lines ${ranges} of ${lines}`,
  otherOriginals: (count: string, handles: string) => `This is the latest of several; ${count} older: ${handles}`,
  extractLeft: (problem: string) => `${problem} Only this extract is left.`,
  nowhere: (count: number) => `Not found in any of the ${count} sessions. About the latest one:`,
  /** The reason's stable name serves the languages that translate it; `text` is the sentence in English. */
  missing: (_reason: string, text: string) => text,
  badFormat: (names: string, came: string) => `--format: expected one of ${names}, got ${came}`,
  fileExists: (file: string) => `${file} already exists, so nothing was written. Use --force to replace it.`,
  notAFile: (file: string) =>
    `${file} is a folder or a device, so nothing was written. Pass a file name, or print without --out.`,
  cannotWrite: (file: string, reason: string) => `${file} could not be written: ${reason}.`,
  noFolder: (file: string) => `${file} could not be written: its folder does not exist.`,
  exported: (file: string, size: string, messages: string) => `Wrote ${file} (${size}, ${messages}).`,
  redacted: (count: string) => `Secrets redacted: ${count}`,
  leftOutOfFormat: (what: string, format: string) => `${format} cannot represent ${what}; --format log keeps everything.`,
  thoughts: (count: string) => (count === '1' ? '1 block of reasoning' : `${count} blocks of reasoning`),
  media: (count: string) =>
    count === '1'
      ? '1 image or vendor-specific block, which is only named'
      : `${count} images or vendor-specific blocks, which are only named`,
  notWhole: (count: string) => `Incomplete in the session and therefore in the export: ${count}. \`plimsoll show ID\` shows why.`,
  noSuchEntry: (came: string) =>
    `--leaf: the session has no entry ${came}. \`plimsoll show ID --branches\` lists the ends of branches.`,
}

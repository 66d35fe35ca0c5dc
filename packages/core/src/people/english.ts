import { agentEnglish } from './agent-english.ts'
import { chatEnglish } from './chat-english.ts'
import { completionEnglish } from './completion-english.ts'
import { configEnglish } from './config-english.ts'
import { engineEnglish } from './engine-english.ts'
import { gatewayEnglish } from './gateway-english.ts'
import { offlineModelEnglish } from './offline-model-english.ts'
import { overviewEnglish } from './overview-english.ts'
import type { PeopleStrings } from './people-strings.ts'
import { repairEnglish } from './repair-english.ts'
import { replayEnglish } from './replay-english.ts'
import { requestCommandsEnglish } from './request-commands-english.ts'
import { englishServer } from './server-english.ts'
import { sessionCommandsEnglish } from './session-commands-english.ts'
import { statuslineEnglish } from './statusline-english.ts'
import { englishWeb } from './web-english.ts'

/** What is said to people, in English. */
export const english: PeopleStrings = {
  ...engineEnglish,
  view: {
    standardInput: 'standard input',
    exampleName: 'example conversation',
    example: 'No file was given, so this is the bundled example: an invented bug hunt.',
    exampleHint: 'Your own conversation: plimsoll view FILE',
    messages: (count) => (count === 1 ? '1 message' : `${count} messages`),
    estimated: 'tokens estimated (--exact counts them)',
    exact: (tokenizer) => `tokens counted exactly (${tokenizer})`,
    asOf: (time) => `as of ${time}`,
    window: (size, reserve, cell) => `window ${size} tokens, ${reserve} kept free for the answer; a cell is ${cell}`,
    windowWithSource: (size, reserve, source) => `window ${size} tokens, ${reserve} kept free for the answer; ${source}`,
    windowFrom: {
      model: (model, date) => `the window is that of ${model}, as known on ${date}`,
      modelInput: (model, tokens, date) => `${model} reads at most ${tokens} tokens, as known on ${date}`,
      setting: (where) => `the window is set by ${where}`,
      unknownModel: (model) => `the window of ${model} is not known, so this is the default; context_window sets it`,
      noModel: 'no model is named, so the window is the default',
    },
    load: (tokens, low, high, share) => `load: about ${tokens} tokens (between ${low} and ${high}), ${share} of what is usable`,
    overLine: (excess, usable) => `${excess} tokens over the line: ${usable} are usable`,
    before: 'before',
    after: 'after',
    system: 'system',
    user: 'user',
    assistant: 'assistant',
    reasoning: 'reasoning',
    calls: 'tool calls',
    results: 'tool results',
    unnamedTool: 'unnamed tool',
    otherTools: (count) => `${count} other tools`,
    media: 'images and media',
    free: 'free',
    reserve: 'output reserve',
    edits: (count) => (count === 1 ? '1 edit' : `${count} edits`),
    policy: 'policy',
    message: 'message',
    tool: 'tool',
    tokens: 'tokens',
    why: 'why',
    moreEdits: (count) => `… and ${count} smaller ${count === 1 ? 'edit' : 'edits'}; --all shows every one`,
    editsOfPolicy: 'edits',
    saved: 'tokens saved',
    settings: 'settings',
    truncationRate: (percent, results) => `truncation rate: ${percent} of ${results} tool results cut by their limit`,
    problems: (count) => `${count === 1 ? '1 problem' : `${count} problems`} a provider would refuse`,
    problem: (rule, message) => `${rule} at message ${message}`,
    nothingToTrim: 'Nothing to trim: this conversation can go out as it is.',
    nothingTrimmed: 'No policy found anything to trim; see above for what still stands in the way.',
    noTimes: 'no message has a timestamp, so no command has an age',
    closing: (before, after, percent) => `${before} → ${after} tokens (${percent})`,
    conversations: (count, shown) =>
      `The file holds ${count} conversations; showing number ${shown}. Choose with --conversation N.`,
    skippedLines: (count, line, reason) =>
      count === 1
        ? `Line ${line} was left out: ${reason}. plimsoll repair mends such a file into a copy.`
        : `${count} lines were left out, the first is line ${line}: ${reason}. plimsoll repair mends such a file into a copy.`,
    skipReasons: {
      'not-json': 'it is not JSON',
      'not-utf8': 'it is not UTF-8 text',
      'too-long': 'it is too long to be read',
      'too-deep': 'it is nested too deep',
      'not-an-object': 'it is no object',
      'no-message': 'its message has no content',
      repeated: 'it has the id of an earlier line',
      'bad-compaction': 'it is a compaction whose kept messages or summary are not in the log',
      'cut-off': 'the file is cut off or damaged from here on',
    },
    leftOut: (abandoned, sidechains) =>
      `Not shown: ${abandoned} messages on branches that were left, ${sidechains} messages of sub-agents.`,
    sentTooMuch: (requests, times) =>
      `In ${requests} requests in a row, the messages read from this log have ${times} times the tokens that the provider reported. Some of them were probably not sent.`,
    sentTooLittle: (requests, times) =>
      `In ${requests} requests in a row, the provider reported ${times} times the tokens of the messages read from this log. Some messages are probably missing.`,
  },
  trouble: {
    notFound: (file) => `${file}: no such file. Check the path, or use - to read standard input.`,
    isFolder: (file) => `${file} is a folder: expected a file with one conversation. Name a file inside it.`,
    noPermission: (file) => `${file}: no permission to read it. Check the rights of the file and its folders.`,
    unreadable: (file, code) => `${file} could not be read (${code}).`,
    tooLarge: (file, limit) =>
      `${file} is larger than ${limit}, the most that is read at once. Split it into one file per conversation.`,
    tooManyValues: (file, limit) =>
      `${file} holds more than ${limit} JSON values, the most that is read at once. Split it into one file per conversation.`,
    tooManyParts: (file, limit) =>
      `${file} has more than ${limit} messages and parts in one conversation, the most that is viewed at once. View a part of it.`,
    empty: (file) => `${file} is empty: expected a conversation as JSON.`,
    notUtf8: (file) => `${file} is not UTF-8 text: expected a conversation as JSON. If it is text, save it as UTF-8.`,
    utf16: (file) => `${file} is UTF-16 text: expected UTF-8. Save it as UTF-8 and try again.`,
    notJson: (file, line, column, expected, came) =>
      `${file}, line ${line}, column ${column}: not JSON: expected ${expected}, got ${came}. Was the file cut off or edited by hand?`,
    endOfText: 'the end of the text',
    expected: {
      value: 'a value',
      key: 'a field name in double quotes',
      colon: '":"',
      'comma-or-brace': '"," or "}"',
      'comma-or-bracket': '"," or "]"',
      end: 'the end of the text',
      quote: 'the closing double quote of a string',
      escape: 'an escape such as \\n or \\u0041',
      printable: 'a control character to be written as an escape',
      digit: 'a digit',
    },
    tooDeep: (file, place, limit) => `${file}: ${place} is nested more than ${limit} levels deep: expected a conversation.`,
    otherFormat: (file, format) =>
      `${file} looks like ${format}, which this version does not read yet. It reads message lists of OpenAI chat, Anthropic, the AI SDK and Gemini, and logs of Claude Code, Codex, Gemini CLI, opencode, pi, Cline, Copilot CLI, OpenHands and SWE-agent.`,
    noMessages: (file, came) =>
      `${file}: expected a list of messages, or an object with such a list under "messages", "history" or "traj", got ${came}.`,
    lineWithoutMessage: (file, line) =>
      `${file}, line ${line}: expected a message with a "role", or an object with a list under "messages", "history" or "traj".`,
    noSuchConversation: (file, wanted, count) =>
      `${file}: there is no conversation ${wanted}: expected a number from 1 to ${count}.`,
    notReadable: (file, dialect, problem) => `${file} cannot be read as ${dialect}: ${problem}.`,
    tooLargeToPrint: (file) => `${file}: the answer is too large to print as one JSON document. Leave out --json.`,
  },
  command: {
    program: "See what fills an LLM agent's context window, and keep it under the load line.",
    view: 'show what would be sent for a conversation, as if it had never been sent before, and why',
    file: 'a conversation as JSON or JSON lines, - for standard input (default: the bundled example)',
    now: 'the time of the request, such as 2026-01-31T10:00:00Z (default: now)',
    root: "the project's folder, so that two spellings of a path are one file (default: here)",
    config: 'a configuration file in place of ./plimsoll.yaml',
    policies: 'spec, economy, or policy names with commas between them (default: the configuration)',
    model: 'the model the conversation is for; its window counts unless context_window is set',
    dialect: (names) => `how the messages are written: ${names} (default: detected)`,
    conversation: 'which conversation of a file that holds several, counted from 1',
    exact: 'count tokens with the o200k vocabulary in place of estimating them',
    all: 'list every edit, however many there are',
    json: 'print { "messages", "report", "window" } as JSON and nothing else',
    noColor: 'print without colours',
    help: 'show this help',
    version: 'show the version',
    helpTitles: { 'Usage:': 'Usage:', 'Options:': 'Options:', 'Arguments:': 'Arguments:', 'Commands:': 'Commands:' },
    helpGroups: {
      look: 'Look:',
      agent: 'The agent:',
      behind: 'Behind your own agent:',
      sessions: 'Sessions:',
      mend: 'Mend and set up:',
    },
    helpHint: 'plimsoll COMMAND --help says more about a command; plimsoll completion bash lets the Tab key complete them.',
    examples: 'Examples:',
    error: (message) => `error: ${message}`,
    sentence: (text) => `${text}.`,
    betweenSentences: ' ',
    seeHelp: (command) => `Run ${command} --help to see what there is.`,
    didYouMean: (name) => `Did you mean ${name}?`,
    unknownCommand: (name) => `there is no command ${name}`,
    unknownOption: (name) => `there is no option ${name}`,
    missingValue: (option) => `${option} needs a value`,
    tooManyArguments: 'too many arguments: expected one file',
    excessArguments: 'too many arguments',
    missingArgument: (name) => `${name} is missing`,
    badNow: (came) => `--now: expected a time such as 2026-01-31T10:00:00Z, got ${came}`,
    badConversation: (came) => `--conversation: expected a whole number from 1, got ${came}`,
    badDialect: (names, came) => `--dialect: expected one of ${names}, got ${came}`,
    noPolicies: '--policies: expected spec, economy, or policy names with commas between them, got nothing',
    badLogLevel: (came) => `PLIMSOLL_LOG: expected debug, info, warn or silent, got ${came}`,
    folderGone: 'The current folder is not there any more; change to another one and try again.',
    notPrinted: (reason) => `The answer could not be printed: ${reason}. What the command was to store is stored.`,
    unexpected: (message) =>
      `Something went wrong inside Plimsoll: ${message}. Please report it with what you ran; PLIMSOLL_DEBUG=1 shows where.`,
  },
  notices: {
    answer_cut: 'The answer reached the most it may have and is cut off; say “go on” to get the rest.',
    answer_filtered: 'The provider broke the answer off by its own rules for content.',
    max_steps: 'The turn has taken as many requests as it may (agent.max_steps); say “go on” to continue.',
    max_cost: 'The next request would cost more than the session may (agent.max_cost or --max-cost); raise the limit to go on.',
    result_not_summarized: 'A long result was cut in place of being summarised.',
    tools_trouble: 'Some tools cannot be used.',
    summary_failed: 'The summary could not be written.',
    summary_overflow: 'The history is too long for the model that writes the summary.',
    summary_empty: 'The summary came back empty.',
    summary_longer: 'The summary came back longer than what it stands for.',
    summary_error_text: 'An error text came back in place of a summary.',
    summary_no_template: 'What came back does not have the form of a summary.',
    summary_not_asked:
      'The model failed three times in a row to write a summary, so it was not asked this time; compact by hand to ask it again.',
    summary_too_dear:
      'A summary by the model could cost more than the session may (agent.max_cost or --max-cost), so the model was not asked.',
    outline_kept: 'An outline of the older rounds, taken from the log, was kept in place of a summary.',
    recent_kept: 'Only the recent history is kept.',
    compaction_ineffective: 'A summary would be no smaller than what it stands for, so nothing was folded.',
    compaction_stopped:
      'The last compactions made the context no smaller, so none was tried; compact by hand, with fewer rounds kept, to try again.',
    retrying: 'The request did not succeed; it is sent again.',
    answer_restarted: 'The answer broke off and begins anew.',
    history_compressed: 'The history was compressed by itself; the model is asked again.',
    answer_shortened: 'There is less room for the answer than was asked for; it may be shorter.',
    media_dropped: 'The provider takes fewer or smaller pictures and files; older ones are left out of the request.',
    pairs_repaired: 'The provider did not accept how calls, results and thoughts belong together; the request was mended.',
    silent_overflow: 'The model did not read all of the conversation and said nothing about it; it will be compressed.',
    small_window: 'The server gives the model little room, so that only short conversations fit.',
    kept_alive: 'The conversation was kept in the provider’s cache while nobody asked anything.',
    keep_alive_failed: 'The conversation could not be kept in the provider’s cache.',
  },
  agentErrors: {
    CONTEXT_LENGTH_EXCEEDED: {
      message: () => 'The conversation is too long for the model’s context window.',
      suggestion: () => 'Compress it and try again, go on in a new session, or choose a model with a larger window.',
    },
    REQUEST_TOO_LARGE: {
      message: () => 'The request has more bytes than the provider takes, and what is left cannot be made smaller.',
      suggestion: () => 'Go on in a new session, or leave the largest files and pictures out.',
    },
    IMAGES_REFUSED: {
      message: () => 'The provider does not take the pictures in this conversation.',
      suggestion: () => 'Send fewer or smaller pictures, or choose a model that takes them.',
    },
    TOOL_PAIRS_REFUSED: {
      message: () => 'The provider does not accept how calls, results and thoughts belong together.',
      suggestion: () => 'Rewind to an earlier message, go on in a new session, or choose another model.',
    },
    KEY_REFUSED: {
      message: () => 'The provider refused the key.',
      suggestion: (variable) =>
        variable === '' ? 'Check the key and what it is allowed to use.' : `Check the key in ${variable} and what it may use.`,
    },
    RATE_LIMITED: {
      message: (words, { tries, wait }) => {
        const facts = [...(tries > 1 ? [`asked ${tries} times`] : []), ...(wait === '' ? [] : [`it asks to wait for ${wait}`])]
        return `The provider’s limit was hit${facts.length === 0 ? '' : ` (${facts.join('; ')})`}${words === '' ? '' : `: ${words}`}`
      },
      suggestion: () => 'Try again later, choose another model, or check the limits of the account.',
    },
    MODEL_NOT_REACHED: {
      message: (words) => `The model did not answer, however often it was asked${words === '' ? '' : `: ${words}`}`,
      suggestion: () => 'Check the connection and the address of the server, then try again; nothing is lost.',
    },
    MODEL_REFUSED: {
      message: (words, { isElsewhere }) =>
        `${isElsewhere ? 'What answered at this address is likely no model' : 'The model refused the request'}${words === '' ? '' : `: ${words}`}`,
      suggestion: (_words, { isElsewhere }) =>
        isElsewhere
          ? 'Check the address of the server (--base-url or its variable): it is likely not that of a model’s API, such as http://localhost:8080/v1.'
          : 'Check the name of the model and its settings, or choose another model.',
    },
  },
  session: {
    noHome:
      'Nobody knows your home folder, so there is no place for sessions. Set HOME, or XDG_STATE_HOME to a folder of your own.',
    notFound: (id, folder) => `There is no session ${id} in ${folder}. \`plimsoll sessions\` lists what there is.`,
    inUse: (pid, lock) =>
      `The session is open for writing in process ${pid}. Only one may write at a time: end that one first. The lock is ${lock}.`,
    inUseElsewhere: (pid, host, lock) =>
      `The session is locked by process ${pid} on ${host}, and from here it cannot be told whether that one still runs. If it does not, remove ${lock}.`,
    newerFormat: (version, known) =>
      `The session is in format ${version}, and this version writes format ${known}. It can be read as far as it is understood; to go on with it, use a Plimsoll that knows format ${version}.`,
    cannotRead: (file, reason) => `${file} could not be read: ${reason}.`,
    cannotWrite: (file, reason) =>
      `${file} could not be written: ${reason}. Nothing was added; what was there before is unchanged.`,
    cannotRestore: (file, reason) =>
      `${file} could not be put back to its length before a failed write (${reason}), so nothing more is written to it. All that was reported as written is there. Open the session again.`,
    changedBehind: (file) =>
      `${file} was shortened, replaced or removed while it was open: something else changed it. Nothing more is written to it. Look at the file, then open the session again.`,
    closed: 'The session is closed: open it again to read it or add to it.',
    badEntry: (reason) => `The entry cannot be stored: ${reason}.`,
    noEntry: (id) => `The session has no entry ${id}.`,
    nothingToUndo: 'There is nothing to undo on this branch.',
    reason: (code) => {
      if (code === 'ENOSPC' || code === 'EDQUOT') return `the disk is full (${code}); make room and try again`
      if (code === 'EFBIG') return `the file may not become larger (${code})`
      if (code === 'EROFS') return `the file system is read-only (${code})`
      if (code === 'EACCES' || code === 'EPERM') return `no permission (${code}); check the rights of the folder`
      if (code === 'ENOTDIR') return `something on its path is a file and no folder (${code})`
      if (code === 'ENOENT') return `it is not there any more (${code})`
      return code
    },
    lineTorn: (line, reason) =>
      `Line ${line} is torn (${reason}) and was skipped: a write was cut off there, or the file was damaged.`,
    lineForeign: (line, reason) => `Line ${line} is no entry of a session (${reason}) and was skipped.`,
    lineNewer: (line, reason) => `Line ${line} holds ${reason}; it was skipped. A newer Plimsoll can read it.`,
    lineDuplicate: (line, id) => `Line ${line} repeats the id ${id} of an earlier entry and was skipped.`,
    lineUnreachable: (line, parent) =>
      `Line ${line} continues entry ${parent}, which cannot be found before it; it was joined to the entry before it.`,
    blobLost: (file) =>
      `${file} is missing, so the content it held cannot be had back. Put the file back from a backup; everything else of the session is there.`,
    blobDamaged: (file) =>
      `${file} is damaged: its content does not have the hash that is its name. Put the file back from a backup; everything else of the session is there.`,
    blobTooLarge: (file, megabytes) =>
      `${file} has ${megabytes} MB, too many to be held at once. Ask for a part of it, or open the file itself.`,
  },
  sessionCommands: sessionCommandsEnglish,
  requestCommands: requestCommandsEnglish,
  offlineModel: offlineModelEnglish,
  overview: overviewEnglish,
  replay: replayEnglish,
  agent: agentEnglish,
  chat: chatEnglish,
  server: englishServer,
  web: englishWeb,
  gateway: gatewayEnglish,
  repair: repairEnglish,
  config: configEnglish,
  statusline: statuslineEnglish,
  completion: completionEnglish,
}

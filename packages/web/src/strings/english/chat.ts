import type { PermissionMode } from '@plimsoll/core/policies'
import type { ToolAccess } from '../../../../node/src/shared/event.ts'

/** What kind of thing a large part of a request is. */
export type BigPartKind =
  | 'system'
  | 'user'
  | 'assistant'
  | 'reasoning'
  | 'summary'
  | 'tool-definitions'
  | 'call'
  | 'result'
  | 'media'
  | 'other'

/** What the web app says around the field that is typed into. Numbers arrive formatted. */
const composer = {
  field: 'Message',
  placeholder: 'Ask for something; @ mentions a file',
  placeholderBusy: 'Type what comes next; it is said when this turn ends',
  hint: 'Enter sends · Shift+Enter new line · @ files · ↑ what you said before',
  hintBusy: 'Enter queues · Esc stops',
  send: 'Send',
  queue: 'Queue',
  stop: 'Stop',
  stopping: 'Stopping …',
  /** Over what was typed while the agent was busy. */
  queued: (count: number) => (count === 1 ? 'Said next' : `Said next (${count})`),
  queuedHint: 'Stopping brings it back into the field.',
  model: 'Model',
  mode: 'What the agent may do',
  modes: {
    'read-only': 'Read only',
    ask: 'Ask first',
    'accept-edits': 'Edit freely',
    auto: 'Never ask',
  } satisfies Record<PermissionMode, string>,
  menu: 'Commands',
  files: 'Files of the workspace',
  filesFound: (count: number) => (count === 1 ? '1 file found' : `${count} files found`),
  noFiles: (search: string) => `No file matches “${search}”.`,
  fileTokens: (tokens: string) => `${tokens} tokens`,
  fileTokensUnknown: 'size not known',
  commands: {
    compact: 'Compress …',
    compactAbout: 'Fold older rounds into a summary',
    goBack: 'Go back to …',
    goBackAbout: 'Say something you said before in another way',
    resume: 'Go on',
    resumeAbout: 'Take up the turn that was cut off',
    handOver: 'Carry on in a new session',
    handOverAbout: 'With what was decided and the last request',
    fork: 'Fork',
    forkAbout: 'A copy to try something in',
    inspect: 'Open in the inspector',
    inspectAbout: 'What fills the window, request by request',
    export: 'Export …',
    exportAbout: 'Save the conversation to a file',
  },
}

/** What the web app says in the conversation of a chat and above it. Numbers, sizes and times arrive formatted; what comes from a model or a tool arrives clean. */
const conversation = {
  loading: 'Loading …',
  untitled: 'New chat',
  /** The list of messages. */
  list: 'Conversation',
  you: 'You',
  model: 'Answer',
  thinking: 'Thinking …',
  thought: (characters: string) => `Thought (${characters} characters)`,
  folded: 'Folded: the model sees a summary in its place',
  summary: 'Summary that stands for the messages above',
  newMessages: 'New messages',
  toEnd: 'To the end',
  broken: 'This message cannot be read',
  /** Of an answer that broke off. */
  lost: 'This answer broke off and is not part of the conversation.',
  empty: 'Ask for something. The agent reads and changes files and runs commands in the workspace, and asks before it does.',
  emptyOffline: 'The built-in offline model answers. It follows plain commands; click one to try it:',
  offlineExamples: ['list', 'read package.json', 'search TODO', 'run git status'],
  connectionLost: 'The connection to the server is lost. Connecting again; nothing will be missed.',
  from: { fork: 'Forked from another session', compaction: 'Goes on from another session' },
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Could not be copied',
  showMore: (characters: string) => `Show more (${characters} more characters)`,
  showAll: (characters: string) => `Show all (${characters} characters)`,
  showLess: 'Show less',
  /** A picture in a text, which is never loaded. */
  remoteImage: (about: string) => `image: ${about}`,
  tool: {
    status: { running: 'running', done: 'done', failed: 'failed', refused: 'not allowed', missing: 'no result' },
    access: { read: 'read only', write: 'changes files', run: 'may have effects' } satisfies Record<ToolAccess, string>,
    waits: 'waits for you',
    unnamed: 'tool',
    input: 'Input',
    output: 'Output so far',
    result: 'Result',
    changes: 'Changes',
    progress: (tool: string) => `Progress of ${tool}`,
    /** How far a picture is, for those who do not read the words that come with it; the seconds are those it has taken. */
    picture: {
      model: (model: string) => `With the model ${model}`,
      expanding: 'Writing a fuller description …',
      generating: 'Making the picture (about 30 to 60 seconds) …',
      generatingFor: (seconds: string) => `Making the picture … ${seconds} s`,
      complete: 'The picture is made',
    },
    image: 'Picture',
    imageAt: (path: string) => `Picture ${path}`,
    enlarge: (image: string) => `${image}: enlarge`,
    close: 'Close',
    imageLoading: 'Loading the picture …',
    imageFailed: 'The picture cannot be shown.',
  },
  compaction: {
    title: 'Folding older messages into a summary',
    folding: (messages: string, rounds: string, kept: string, tokens: string) =>
      `${messages} messages of ${rounds} ${rounds === '1' ? 'round' : 'rounds'}, ${tokens} tokens; the latest ${kept} stay as they are. Nothing stored is lost.`,
    takesTime: 'The model writes the summary, which takes its time. Please wait; Stop ends it without a change.',
  },
  head: {
    /** Around the small load line, which leads to the inspector. */
    inspect: 'Open in the inspector',
    load: (used: string, usable: string, reserve: string, source: string) =>
      `${used} / ${usable} usable, ${reserve} reserved, ${source}`,
    loadShort: (used: string, usable: string) => `${used} / ${usable}`,
    unmeasured: 'Nothing measured yet',
    cost: (money: string) => money,
    costAtLeast: (money: string) => `at least ${money}`,
    costUnknown: 'price not known',
    cacheWarm: (minutes: string) => `cache warm, ${minutes} min`,
    cacheCold: 'cache cold',
    cacheAbout: 'Whether the provider still has the beginning of the conversation, which then costs less.',
    waiting: (tokens: string) => `${tokens} waiting`,
    waitingAbout: 'Tokens that will be left out once changing them costs less than carrying them.',
    mode: (mode: string) => `mode: ${mode}`,
  },
  message: {
    menu: 'What can be done with this message',
    rewind: 'Rewind to here',
    rewindAbout: 'Takes this message and what came of it back; its text returns to the field. Files stay as they are.',
    fork: 'Fork here',
    forkAbout: 'A new session with everything before this message.',
    rewound: (count: number) => (count === 1 ? 'Taken back: 1 message' : `Taken back: ${count} messages`),
  },
  /** What is said to those who cannot see it, when a turn begins and ends. */
  announce: { began: 'The agent is working.', ended: 'The agent is done.' },
}

/** What the web app says in the dialogs of a chat. Numbers arrive formatted; what comes from a model or a tool arrives clean. */
const dialogs = {
  close: 'Close',
  cancel: 'Cancel',
  permission: {
    title: {
      read: (tool: string) => `${tool} wants to look at something`,
      write: (tool: string) => `${tool} wants to change a file`,
      run: (tool: string) => `${tool} wants to run something`,
    } satisfies Record<ToolAccess, (tool: string) => string>,
    preview: 'What it would do',
    /** Of a preview that is cut: lines that are not shown. */
    moreLines: (count: string) => `${count} more lines`,
    showAll: 'Show all',
    once: 'Allow once',
    session: 'Allow for this session',
    /** What answering for the session allows. */
    scope: {
      tool: (tool: string) => `“For this session” lets every call of ${tool} run without being asked about again.`,
      call: (_tool: string) =>
        '“For this session” lets exactly this call run again without being asked about; any other is asked about.',
    },
    no: 'No',
    noWithWords: 'No, and say why …',
    reason: 'What should the model do instead?',
    reasonPlaceholder: 'Such as: use the test database',
    sendReason: 'Say no with this',
    back: 'Back',
    stop: 'Stop the turn',
    later: 'Not yet',
    keysHint: 'Esc sets the question aside; nothing runs until it is answered.',
    /** Beside the question while it is set aside. */
    waiting: (tool: string) => `${tool} waits for your answer.`,
    answer: 'Answer',
    sending: 'Sending the answer …',
  },
  overflow: {
    title: 'The conversation is too long',
    sizes: (requested: string, max: string) => `${requested} tokens were asked for; the model takes ${max}.`,
    overBy: (tokens: string) => `${tokens} too many.`,
    biggest: 'What takes most',
    part: {
      system: (_about: string) => 'System prompt',
      user: (_about: string) => 'What you said',
      assistant: (_about: string) => 'An answer of the model',
      reasoning: (_about: string) => 'Reasoning of the model',
      summary: (_about: string) => 'A summary',
      'tool-definitions': (_about: string) => 'Definitions of tools',
      call: (about: string) => `Call of ${about}`,
      result: (about: string) => `Result of ${about}`,
      media: (about: string) => `Picture or file (${about})`,
      other: (about: string) => about,
    } satisfies Record<BigPartKind, (about: string) => string>,
    tokens: (tokens: string) => `${tokens} tokens`,
    tried: (remedies: string) => `Tried already: ${remedies}.`,
    remedies: {
      compress: 'compressing',
      'shorten-answer': 'asking for a shorter answer',
      'drop-media': 'leaving older pictures out',
      'repair-pairs': 'mending the request',
    },
    newSession: 'New session',
    newSessionAbout: 'Carries on with what was decided and your last request. This session stays as it is.',
    compress: 'Compress and retry',
    compressAbout: 'Folds older rounds into a summary, then asks again. Nothing is lost.',
    largerModel: 'Larger model',
    largerModelAbout: 'Asks again with a model that has more room.',
    windowOf: (model: string, window: string) => `${model} (${window})`,
    windowUnknown: (model: string) => `${model} (window not known)`,
    noLargerModel: 'With the keys that are set there is no model with a larger window.',
    setAside: 'The conversation is too long for the model.',
    choose: 'What can be done …',
    inHand: 'At work …',
  },
  compact: {
    title: 'Compress the conversation',
    about:
      'Older rounds are folded into a summary; the latest stay whole. Everything stays in the log and can be had back. With a model this takes a moment.',
    focus: 'What the summary should keep above all (optional)',
    focusPlaceholder: 'Such as: decisions about the database',
    start: 'Compress',
  },
  goBack: {
    title: 'Go back to …',
    about:
      'The conversation goes on from before what you choose, and its text comes back into the field. Nothing is removed from the log.',
    search: 'Search in what you said',
    list: 'What you said, newest first',
    earlier: 'Show earlier ones',
    loading: 'Loading …',
    nothing: 'Nothing was said in this session yet.',
    noMatch: 'Nothing you said matches.',
    nothingSaid: '(no words)',
  },
}

/** What the web app says in the chat: messages, tool cards, progress, approvals, overflow, errors. Numbers, sizes and times arrive formatted. */
export const chat = {
  composer,
  conversation,
  dialogs,
  title: 'Chat',
}

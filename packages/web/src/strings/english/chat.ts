import type { PermissionMode } from '@plimsoll/core/policies'
import type { ToolAccess } from '../../../../node/src/shared/event.ts'
import { counted } from './counted.ts'

/** The input field of a chat and its menus. Numbers arrive formatted. */
export const composer = {
  field: 'Message',
  placeholder: 'Describe a task; type @ to mention a file',
  placeholderBusy: 'Type your next message; it is sent when this turn ends',
  hint: 'Enter to send · Shift+Enter for a new line · @ for files · ↑ for previous messages',
  hintBusy: 'Enter to queue · Esc to stop',
  send: 'Send',
  queue: 'Queue',
  stop: 'Stop',
  stopping: 'Stopping …',
  /** Above messages typed while the agent was busy. */
  queued: (count: number) => (count === 1 ? 'Queued' : `Queued (${count})`),
  queuedHint: 'If you stop the turn, it returns to the input field.',
  model: 'Model',
  mode: 'Permission mode',
  modes: {
    'read-only': 'Read only',
    ask: 'Ask first',
    'accept-edits': 'Accept edits',
    auto: 'Never ask',
  } satisfies Record<PermissionMode, string>,
  menu: 'Commands',
  files: 'Files in the workspace',
  filesFound: (count: number) => `${counted(String(count), 'file')} found`,
  noFiles: (search: string) => `No file matches “${search}”.`,
  fileTokens: (tokens: string) => `${tokens} tokens`,
  fileTokensUnknown: 'size unknown',
  commands: {
    compact: 'Compact …',
    compactAbout: 'Replace older rounds with a summary',
    goBack: 'Rewind to …',
    goBackAbout: 'Edit and resend an earlier message',
    resume: 'Resume',
    resumeAbout: 'Continue the interrupted turn',
    handOver: 'Continue in a new session',
    handOverAbout: 'Keep the decisions and the last request',
    fork: 'Fork',
    forkAbout: 'Copy this session to try something out',
    inspect: 'Open in the inspector',
    inspectAbout: 'See what fills the window, request by request',
    export: 'Export …',
    exportAbout: 'Save the conversation to a file',
  },
}

/** A chat's messages and header. Numbers, sizes and times arrive formatted; text of models and tools arrives cleaned. */
export const conversation = {
  loading: 'Loading …',
  untitled: 'New chat',
  /** The list of messages. */
  list: 'Conversation',
  you: 'You',
  model: 'Answer',
  thinking: 'Thinking …',
  thought: (characters: string) => `Reasoning (${characters} characters)`,
  folded: 'Compacted: the model sees a summary instead',
  summary: 'Summary of the messages above',
  newMessages: 'New messages',
  toEnd: 'Jump to the end',
  broken: 'This message cannot be read',
  /** Below an answer that was cut off. */
  lost: 'This answer was cut off and is not part of the conversation.',
  empty: 'Describe a task. The agent reads and edits files and runs commands in the workspace, and asks for permission first.',
  emptyOffline: 'The built-in offline model follows simple commands. Click one to try it:',
  offlineExamples: ['list', 'read package.json', 'search TODO', 'run git status'],
  connectionLost: 'Connection to the server lost. Reconnecting; nothing will be missed.',
  from: { fork: 'Forked from another session', compaction: 'Continued from another session' },
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Could not copy',
  showMore: (characters: string) => `Show more (${characters} more characters)`,
  showAll: (characters: string) => `Show all (${characters} characters)`,
  showLess: 'Show less',
  /** A remote image in a text; it is never loaded. */
  remoteImage: (about: string) => `image: ${about}`,
  tool: {
    status: { running: 'running', done: 'done', failed: 'failed', refused: 'denied', missing: 'no result' },
    access: { read: 'read only', write: 'changes files', run: 'may have side effects' } satisfies Record<ToolAccess, string>,
    waits: 'waiting for you',
    unnamed: 'tool',
    input: 'Input',
    output: 'Output so far',
    result: 'Result',
    changes: 'Changes',
    progress: (tool: string) => `Progress of ${tool}`,
    /** Progress of generating an image; the server's own progress text is Chinese. */
    picture: {
      model: (model: string) => `Using the model ${model}`,
      expanding: 'Expanding the description …',
      generating: 'Generating the image (about 30 to 60 seconds) …',
      generatingFor: (seconds: string) => `Generating the image … ${seconds} s`,
      complete: 'Image generated',
    },
    image: 'Image',
    imageAt: (path: string) => `Image ${path}`,
    enlarge: (image: string) => `Enlarge: ${image}`,
    close: 'Close',
    imageLoading: 'Loading the image …',
    imageFailed: 'The image cannot be shown.',
  },
  compaction: {
    title: 'Compacting older messages into a summary',
    folding: (messages: string, rounds: string, kept: string, tokens: string) =>
      `${counted(messages, 'message')} in ${counted(rounds, 'round')}, ${tokens} tokens. Rounds kept in full: ${kept}. Nothing stored is lost.`,
    takesTime: 'The model is writing the summary. Please wait; Stop cancels it and changes nothing.',
  },
  head: {
    /** Tooltip of the small load line, which links to the inspector. */
    inspect: 'Open in the inspector',
    load: (used: string, usable: string, reserve: string, source: string) =>
      `${used} of ${usable} usable tokens, ${reserve} reserved, ${source}`,
    unmeasured: 'Not measured yet',
    costAtLeast: (money: string) => `at least ${money}`,
    costUnknown: 'cost unknown',
    cacheWarm: (minutes: string) => `cache valid, ${minutes} min left`,
    cacheCold: 'cache expired',
    cacheAbout: 'Whether the provider still has the start of this conversation cached; cached input costs less.',
    waiting: (tokens: string) => `${tokens} tokens pending`,
    waitingAbout: 'Can be trimmed, but editing cached content now would cost more than keeping it has cost so far.',
    mode: (mode: string) => `mode: ${mode}`,
  },
  message: {
    menu: 'Message actions',
    rewind: 'Rewind to here',
    rewindAbout: 'Undoes this message and everything after it, and returns its text to the input field; files do not change.',
    fork: 'Fork here',
    forkAbout: 'Starts a new session with everything before this message.',
  },
  /** For screen readers, when a turn starts and ends. */
  announce: { began: 'The agent is working.', ended: 'The agent is done.' },
}

/** Dialogs of a chat. Numbers arrive formatted; text of models and tools arrives cleaned. */
export const dialogs = {
  close: 'Close',
  cancel: 'Cancel',
  permission: {
    title: {
      read: (tool: string) => `Allow ${tool} to read?`,
      write: (tool: string) => `Allow ${tool} to change a file?`,
      run: (tool: string) => `Allow ${tool} to run?`,
    } satisfies Record<ToolAccess, (tool: string) => string>,
    preview: 'Preview',
    /** Lines that a shortened preview does not show. */
    moreLines: (count: string) => counted(count, 'more line'),
    showAll: 'Show all',
    once: 'Allow once',
    session: 'Allow for this session',
    /** What “Allow for this session” covers. */
    scope: {
      tool: (tool: string) => `“Allow for this session” runs every call to ${tool} without asking again.`,
      call: () => '“Allow for this session” runs this exact call without asking again; other calls still ask.',
    },
    no: 'Deny',
    noWithWords: 'Deny with a reason …',
    reason: 'What should the model do instead?',
    reasonPlaceholder: 'For example: use the test database',
    sendReason: 'Deny and send the reason',
    back: 'Back',
    stop: 'Stop the turn',
    later: 'Answer later',
    keysHint: 'Esc hides this question. Nothing runs until you answer.',
    /** While the question is hidden. */
    waiting: (tool: string) => `${tool} is waiting for your answer.`,
    answer: 'Answer',
    sending: 'Sending the answer …',
  },
  overflow: {
    title: 'The conversation is too long',
    sizes: (requested: string, max: string) => `${requested} tokens requested; the model accepts ${max}.`,
    overBy: (tokens: string) => `${tokens} too many.`,
    biggest: 'Largest parts',
    tokens: (tokens: string) => `${tokens} tokens`,
    tried: (remedies: string) => `Already tried: ${remedies}.`,
    remedies: {
      compress: 'compacting',
      'shorten-answer': 'asking for a shorter answer',
      'drop-media': 'omitting older images',
      'repair-pairs': 'repairing the request',
    },
    newSession: 'Start a new session',
    newSessionAbout: 'Continues with the decisions so far and your last request. This session does not change.',
    compress: 'Compact and retry',
    compressAbout: 'Replaces older rounds with a summary, then retries. Nothing is lost.',
    largerModel: 'Use a larger model',
    largerModelAbout: 'Retries with a model that has a larger window.',
    windowOf: (model: string, window: string) => `${model} (${window})`,
    windowUnknown: (model: string) => `${model} (window unknown)`,
    noLargerModel: 'No model with a larger window is available with your API keys.',
    setAside: 'The conversation is too long for the model.',
    choose: 'Show options …',
    inHand: 'Working …',
  },
  compact: {
    title: 'Compact the conversation',
    about:
      'Older rounds are replaced with a summary; the latest are kept in full. A round is one of your messages and everything up to the next. The full log is kept, and anything in it can be recalled. If a model writes the summary, this takes a moment.',
    focus: 'What the summary must keep (optional)',
    focusPlaceholder: 'For example: decisions about the database',
    start: 'Compact',
  },
  goBack: {
    title: 'Rewind to …',
    about:
      'The conversation continues from before the message you choose, and its text returns to the input field. Nothing is deleted from the log.',
    search: 'Search your messages',
    list: 'Your messages, newest first',
    earlier: 'Show earlier messages',
    loading: 'Loading …',
    nothing: 'You have not sent a message in this session yet.',
    noMatch: 'None of your messages match.',
    nothingSaid: '(no text)',
  },
}

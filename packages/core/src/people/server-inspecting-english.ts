import type { InspectingStrings } from './server-inspecting-strings.ts'

/** What the server says about what is looked at, in English. */
export const englishInspecting: InspectingStrings = {
  originalCut: (megabytes) =>
    `Only the first ${megabytes} MB are shown here. All of it is kept: recall it, or export the session.`,
  notKept: '(The gateway kept the size of this message, not its text.)',
  textNotKept:
    'The gateway kept sizes and numbers, not texts: what was trimmed can be read, the rest is shown by its size. Start it with --keep-text to keep the texts too.',
  refusals: {
    NO_SUCH_LOG: { message: 'There is no such log here any more.', suggestion: 'Load the list of logs again.' },
    NO_SUCH_CONVERSATION: { message: 'The log holds no such conversation.', suggestion: 'Choose one from the list of the log.' },
    NO_SUCH_REQUEST: { message: 'The session has no such request.', suggestion: 'Load the session again.' },
    NO_SUCH_CHANGE: { message: 'The session has no such edit.', suggestion: 'Load the session again.' },
    NO_SUCH_CONTENT: { message: 'This content is lost or damaged, or was never kept.', suggestion: null },
    NOT_A_LOG: {
      message: 'The file is no log that Plimsoll can read.',
      suggestion: 'Logs of Claude Code, Codex, Gemini CLI, opencode and others can be read, and lists of messages as JSON.',
    },
    EMPTY_FILE: { message: 'The file is empty.', suggestion: 'Choose another one.' },
    TOO_MANY_FILES: {
      message: 'Too many files were handed over to this server.',
      suggestion: 'Start the server again; it keeps none of them.',
    },
    NOTHING_TO_REPLAY: { message: 'This conversation cannot be replayed.', suggestion: null },
  },
}

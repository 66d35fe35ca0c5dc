import type { SessionRefusalStrings } from './server-sessions-strings.ts'

/** What the server says about sessions, in English. */
export const englishSessionRefusals: SessionRefusalStrings = {
  BUSY: {
    message: 'The agent is at work in this session.',
    suggestion: 'Wait until it is done, or stop it first.',
  },
  NO_QUESTION: { message: 'This call does not wait for an answer any more.', suggestion: null },
  NOTHING_TO_RESUME: {
    message: 'There is nothing to go on with: the last answer is complete.',
    suggestion: 'Say what you would like next.',
  },
  NOTHING_TO_FOLD: {
    message: 'There is nothing to compact yet: all rounds are recent.',
    suggestion: null,
  },
  NOTHING_SAID: { message: 'There is no text to send.', suggestion: 'Write something first.' },
  NO_SUCH_COMMAND: { message: 'Nothing of that name can be done to a session.', suggestion: null },
  NO_SUCH_EDIT: {
    message: 'No edit of that name is in force in this session.',
    suggestion: 'It may have been taken back already; load the session again.',
  },
  NO_SUCH_MESSAGE: {
    message: 'This message is not part of the conversation any more.',
    suggestion: 'Load the session again to see how it stands.',
  },
  NO_SUCH_RESULT: { message: 'This session has no result of that call.', suggestion: null },
  NO_SUCH_BLOB: {
    message: 'This content is not in the session, or it is lost or damaged.',
    suggestion: null,
  },
  NO_SUCH_FORMAT: { message: 'Sessions cannot be exported in that format.', suggestion: null },
  BAD_REQUEST: { message: 'The request is not in the form that the server expects.', suggestion: 'Load the page again.' },
  TOO_LONG_TO_EXPORT: {
    message: 'This session is too long for one text in that format.',
    suggestion: 'Export it as a log, which has no limit.',
  },
}

import type { EngineStrings } from './people-strings.ts'

/** What the engine itself says to people, in English. */
export const engineEnglish: EngineStrings = {
  reasons: {
    outdatedCommand: (minutes, recent) =>
      `successful command older than ${minutes} minutes, not among the ${recent} most recent results`,
    repeatedRead: (kept) => (kept === 1 ? 'a newer read of this file is kept' : `the ${kept} latest reads of this file are kept`),
    oldResult: (before, after) => `the round of this result is over: ${before} characters shown as a digest of ${after}`,
    interruptedCall: 'the call has no result; providers refuse a call without one',
    orphanResult: 'the result has no call; providers refuse a result without one',
    doubledResult: 'the call has its result already; providers refuse a second one',
    strayedResult: 'the result stood apart from its call; providers want it right after',
    binaryFiltered: (kilobytes) => `${kilobytes} KB of binary data replaced by a placeholder`,
    roundsFolded: (messages, rounds, kept) =>
      `${messages} messages of ${rounds} ${rounds === 1 ? 'round' : 'rounds'} folded into a summary; the latest ${kept} stay`,
    summariesHidden: (count) =>
      `${count} old ${count === 1 ? 'summary' : 'summaries'} hidden: all of them together exceed their limit`,
    clientAsked: 'the client asked for it with context_management',
    economy: {
      cut: (before, after) => `long output: ${before} characters shown as ${after}`,
      superseded: 'the same lines are shown whole further on',
      repeated: 'the same command succeeded later',
      old: (requests) => `older than ${requests} requests and not in use`,
      numbers: 'line numbers that can be counted',
      notShown: 'the lines it refers to are not shown any more',
      shownAbove: (lines) => `${lines} lines are shown in an earlier result`,
      written: (before, after) => `arguments whose effect is in a file: ${before} characters shown as ${after}`,
      reasoning: 'thoughts of a round that is over',
    },
    outputCut: ({ characters, maxCharacters, maxLines, kept, salientLines }) => {
      const lines = maxLines === null ? '' : ` and ${maxLines} ${kept === 'matches' ? 'matches' : 'lines'}`
      const ends = { head: 'the head', 'head-and-tail': 'head and tail', matches: 'the first matches' }[kept]
      const salient = salientLines === 0 ? '' : ` and ${salientLines} salient ${salientLines === 1 ? 'line' : 'lines'}`
      return `${characters} characters, limit ${maxCharacters}${lines}; kept ${salient === '' ? ends : ends.replace(' and ', ', ')}${salient}`
    },
    window: {
      rounds: (kept) => `the request did not fit; older rounds are folded, the latest ${kept} stay`,
      steps: 'the request did not fit; older steps of the running round are folded',
      result: (before, after) => `the request did not fit; ${before} tokens of a result shown in ${after}`,
      call: (before, after) => `the request did not fit; ${before} tokens of an old call shown in ${after}`,
      media: 'the request did not fit; a line stands in place of an image or a file',
    },
  },
  overflow: {
    tokens: (tokens, limit) => `This request cannot be made to fit: it has about ${tokens} tokens, and ${limit} are usable.`,
    bytes: (bytes, limit) => `This request cannot be made to fit: it has ${bytes} bytes, and ${limit} are allowed.`,
    images: (images, limit) => `This request cannot be made to fit: it has ${images} images, and ${limit} are allowed.`,
    whatToDo:
      'Shorten what is listed here, set context_window to what the model really has, choose a model with a larger window, or go on in a new session.',
    part: (tokens, message, why) => `${tokens} tokens${message === null ? '' : `, message ${message}`}: ${why}`,
    why: {
      user: 'what a user wrote is never changed',
      system: 'a system message is never changed',
      summary: 'a summary is never shortened again',
      assistant: "the assistant's own words of the running round stay",
      reasoning: 'providers refuse reasoning that was changed',
      call: 'a tool call that cannot get shorter',
      result: 'a tool result that cannot get shorter',
      media: 'a block of the provider that only it can read',
      overhead: 'system prompt, tool definitions and whatever else stands around the conversation',
    },
  },
}

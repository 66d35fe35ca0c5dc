import type { ModelStrings } from './specification.ts'

/** How a result was shortened. Numbers are formatted, except `salientLines`. */
export interface OutputCut {
  readonly characters: string
  readonly maxCharacters: string
  readonly maxLines: string | null
  readonly kept: 'head' | 'head-and-tail' | 'matches'
  /** Lines with failures, warnings or totals kept from the middle. */
  readonly salientLines: number
}

/** Why a part of an oversized request cannot be shrunk. */
export type HeavyReason = 'user' | 'system' | 'summary' | 'assistant' | 'reasoning' | 'call' | 'result' | 'media' | 'overhead'

export const reasons = {
  lossless: 'the same in a shorter form',
  outdatedCommand: (minutes: number, recent: number) =>
    `successful command older than ${minutes} minutes, not among the ${recent} most recent results`,
  repeatedRead: (kept: number) =>
    kept === 1 ? 'a newer read of this file is kept' : `the ${kept} latest reads of this file are kept`,
  oldResult: (before: string, after: string) => `result of a finished round: ${before} characters shown as a digest of ${after}`,
  interruptedCall: 'the call has no result, and providers reject a call without one',
  orphanResult: 'the result has no call, and providers reject a result without one',
  doubledResult: 'the call already has a result, and providers reject a second one',
  strayedResult: 'the result was not right after its call, where providers require it',
  binaryFiltered: (kilobytes: string) => `${kilobytes} KB of binary data replaced by a placeholder`,
  roundsFolded: (messages: number, rounds: number, kept: number) =>
    `${messages} messages of ${rounds === 1 ? '1 round' : `${rounds} rounds`} compacted into a summary; the latest ${kept === 1 ? 'round stays' : `${kept} rounds stay`}`,
  summariesHidden: (count: number) =>
    `${count} old ${count === 1 ? 'summary' : 'summaries'} hidden: together the summaries exceed their limit`,
  hidden: 'hidden by the user',
  clientAsked: 'the client asked for it with context_management',
  economy: {
    cut: (before: string, after: string) => `long output: ${before} characters shown as ${after}`,
    superseded: 'the same lines are shown in full further down',
    repeated: 'the same command succeeded later',
    old: (requests: number) => `older than ${requests} requests and not in use`,
    numbers: 'line numbers that follow from the first one',
    notShown: 'the lines it refers to are no longer shown',
    shownAbove: (lines: string) => `${lines} lines are shown in an earlier result`,
    written: (before: string, after: string) => `arguments already written to a file: ${before} characters shown as ${after}`,
    reasoning: 'reasoning of a finished round',
  },
  outputCut: ({ characters, maxCharacters, maxLines, kept, salientLines }: OutputCut) => {
    const lines = maxLines === null ? '' : ` and ${maxLines} ${kept === 'matches' ? 'matches' : 'lines'}`
    const ends = { head: 'the head', 'head-and-tail': 'head and tail', matches: 'the first matches' }[kept]
    const salient = salientLines === 0 ? '' : ` and ${salientLines} salient ${salientLines === 1 ? 'line' : 'lines'}`
    return `${characters} characters, limit ${maxCharacters}${lines}; kept ${salient === '' ? ends : ends.replace(' and ', ', ')}${salient}`
  },
  window: {
    rounds: (kept: number) =>
      `the request did not fit; older rounds are compacted, the latest ${kept === 1 ? 'round stays' : `${kept} rounds stay`}`,
    steps: 'the request did not fit; older steps of the current round are compacted',
    result: (before: string, after: string) => `the request did not fit; ${before} tokens of a result shown in ${after}`,
    call: (before: string, after: string) => `the request did not fit; ${before} tokens of an old call shown in ${after}`,
    media: 'the request did not fit; a line of text replaces an image or a file',
  },
}

/** A request that cannot be made to fit. Numbers are formatted. */
export const overflow = {
  tokens: (tokens: string, limit: string) =>
    `The request does not fit the window: it has about ${tokens} tokens, and ${limit} are usable.`,
  bytes: (bytes: string, limit: string) => `The request is too large: it has ${bytes} bytes, and ${limit} are allowed.`,
  images: (images: string, limit: string) => `The request has too many images: ${images}, and ${limit} are allowed.`,
  whatToDo:
    'Shorten the parts listed here, set context_window to the real size of the model, choose a model with a larger window, or continue in a new session.',
  /** One of the parts that cannot be shrunk; the message is null for overhead. */
  part: (tokens: string, message: string | null, why: string) =>
    `${tokens} tokens${message === null ? '' : `, message ${message}`}: ${why}`,
  why: {
    user: 'user messages are never changed',
    system: 'system messages are never changed',
    summary: 'summaries are never shortened again',
    assistant: "the assistant's text in the current round is kept",
    reasoning: 'providers reject changed reasoning',
    call: 'a tool call that cannot be shortened further',
    result: 'a tool result that cannot be shortened further',
    media: 'a block that only the provider can read',
    overhead: 'system prompt, tool definitions and everything else outside the conversation',
  } satisfies Record<HeavyReason, string>,
}

/** English model text where the specification has Chinese. */
export const model: Partial<ModelStrings> = {
  namesOriginals: true,
  outdatedCommand: '[output of an outdated command removed]',
  repeatedRead: '[earlier read of this file removed; see the latest read]',
  cutByCap: (characters, lines) => `\n\n... [cut ${characters} characters / ${lines} lines] ...\n\n`,
  cutByTool: (characters) => `\n\n... [cut ${characters} characters] ...\n\n`,
  cutByLines: (lines) => `... [cut ${lines} lines] ...`,
  matchesShown: (shown, total) => `\n... [the first ${shown} of ${total} results] ...\n`,
  imageTimedOut:
    'Creating the image timed out.\n\nA FLUX model usually takes 30 to 60 seconds for an image.\nIf this happens again:\n1. The network may be unstable\n2. The service may be busy\n\nTry again later, or use a simpler description.',
  summarizeResult: (maxCharacters, content) =>
    `Summarize the following in at most ${maxCharacters} characters and keep what matters:\n\n${content}\n\nRules:\n1. Keep all important definitions and structures\n2. Drop repeated and redundant information\n3. Keep code readable`,
}

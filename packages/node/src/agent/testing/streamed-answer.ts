import type { Answer } from '../../model/testing/openai-server.ts'

/** A call as a model makes it. */
export interface ModelCall {
  readonly id: string
  readonly tool: string
  /** As JSON; a text goes as it is, whatever it holds. */
  readonly input: unknown
}

/** One answer of a model, and how it arrives. */
export interface StreamedAnswer {
  readonly text?: string
  readonly calls?: readonly ModelCall[]
  /** Action between two pieces: a pause in milliseconds, or a function. Default: none. */
  readonly between?: (kind: 'text' | 'input') => number | (() => Promise<void> | void)
  /** Reported usage. Default: none. */
  readonly usage?: unknown
  /** Breaks the line after so many pieces. */
  readonly breaksAfter?: number
}

/** An answer in the words of OpenAI's chat completions, its text and its arguments in pieces of eight characters. */
export function streamedAnswer({ text = '', calls = [], between, usage, breaksAfter }: StreamedAnswer): Answer {
  const deltas = [
    ...piecesOf(text).map((content) => ({ kind: 'text' as const, delta: { content } })),
    ...calls.flatMap(({ id, tool, input }, index) => [
      {
        kind: 'input' as const,
        delta: { tool_calls: [{ index, id, type: 'function', function: { name: tool, arguments: '' } }] },
      },
      ...piecesOf(typeof input === 'string' ? input : JSON.stringify(input)).map((piece) => ({
        kind: 'input' as const,
        delta: { tool_calls: [{ index, function: { arguments: piece } }] },
      })),
    ]),
  ]
  const pieces = deltas
    .slice(0, breaksAfter)
    .flatMap(({ kind, delta }) => [
      chunk({ choices: [{ index: 0, delta, finish_reason: null }] }),
      ...(between === undefined ? [] : [between(kind)]),
    ])
  if (breaksAfter !== undefined) return { kind: 'raw', pieces, ending: 'break' }
  const finish = calls.length > 0 ? 'tool_calls' : 'stop'
  return {
    kind: 'raw',
    pieces: [...pieces, chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }], usage }), 'data: [DONE]\n\n'],
  }
}

function piecesOf(text: string): readonly string[] {
  return text.match(/[\s\S]{1,8}/gu) ?? []
}

function chunk(fields: object): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-0', object: 'chat.completion.chunk', created: 0, model: 'test', ...fields })}\n\n`
}

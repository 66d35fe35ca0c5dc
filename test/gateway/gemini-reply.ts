import { halves, type ModelReply, replyUsage } from './reply.ts'

/** The body of an answer to `:generateContent`. */
export function geminiReply(reply: ModelReply, model: string): string {
  return JSON.stringify(answer(model, parts(reply), 'STOP'))
}

/** The same as events; each is a complete response object with the new part, and lines end with CRLF. */
export function geminiEvents({ text, calls = [] }: ModelReply, model: string): readonly string[] {
  const pieces = [
    ...(text === undefined ? [] : halves(text).map((piece) => parts({ text: piece }))),
    ...(calls.length > 0 ? [parts({ calls })] : []),
  ]
  return pieces.map((piece, index) => {
    const isLast = index === pieces.length - 1
    return `data: ${JSON.stringify(answer(model, piece, isLast ? 'STOP' : null))}\r\n\r\n`
  })
}

function parts({ text, calls = [] }: ModelReply): readonly unknown[] {
  return [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
  ]
}

function answer(model: string, content: readonly unknown[], finishReason: string | null) {
  return {
    candidates: [{ content: { parts: content, role: 'model' }, ...(finishReason === null ? {} : { finishReason }), index: 0 }],
    usageMetadata: {
      promptTokenCount: replyUsage.input + replyUsage.cacheRead,
      cachedContentTokenCount: replyUsage.cacheRead,
      candidatesTokenCount: replyUsage.output,
      totalTokenCount: replyUsage.input + replyUsage.cacheRead + replyUsage.output,
    },
    modelVersion: model,
    responseId: 'fake-response',
  }
}

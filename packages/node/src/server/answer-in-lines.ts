import type { Context } from 'hono'
import type { AnswerLine } from '../shared/inspection/embedded-inspection.ts'
import { errorAnswer } from './refusal.ts'
import type { RouteOptions } from './server-options.ts'

const mediaType = 'application/x-ndjson'

export function wantsLines(context: Context): boolean {
  return context.req.header('accept')?.includes(mediaType) === true
}

/**
 * Answers with a line of JSON for everything the work says, and the work's own JSON in the last one. An error before the first line
 * is thrown, a later one is a line. The signal is aborted once the client is gone.
 */
export function answerInLines<Answer>(
  context: Context,
  { strings }: Pick<RouteOptions, 'strings'>,
  work: (say: (line: AnswerLine<Answer>) => void, gone: AbortSignal) => Promise<Uint8Array>,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const lines = new TransformStream<Uint8Array, Uint8Array>()
  const writer = lines.writable.getWriter()
  const encoder = new TextEncoder()
  const gone = new AbortController()
  writer.closed.catch(() => gone.abort())
  let isStarted = false
  const write = (...pieces: readonly (string | Uint8Array)[]) => {
    if (!isStarted) resolve(context.body(lines.readable, 200, { 'content-type': mediaType, 'cache-control': 'no-store' }))
    isStarted = true
    for (const piece of pieces) writer.write(typeof piece === 'string' ? encoder.encode(piece) : piece).catch(ignore)
  }
  work((line) => write(`${JSON.stringify(line)}\n`), gone.signal).then(
    (answer) => {
      write('{"answer":', answer, '}\n')
      writer.close().catch(ignore)
    },
    async (error: unknown) => {
      if (!isStarted) return reject(error)
      write(`${await errorAnswer(error, context, strings).text()}\n`)
      writer.close().catch(ignore)
    },
  )
  return promise
}

/** The client is gone, which the signal reports. */
function ignore(): void {}

import { recall, resultText, type ToolResultPart } from '@plimsoll/core'
import { type ExportFormat, exportFormats } from '@plimsoll/core/session'
import { Hono } from 'hono'
import { createBlobStore } from '../session/blob-store.ts'
import { branchMessages } from '../session/branch.ts'
import { exportSession, type SessionExport } from '../session/export-session.ts'
import { readSession, sessionPaths } from '../session/open-session.ts'
import { recallSourceOf } from '../session/recall-source.ts'
import type { ReadOnlySession, StoredSession } from '../session/session.ts'
import { imageOf } from '../tools/image/save-image.ts'
import type { LiveSessions } from './live-sessions.ts'
import { refusal } from './refusal.ts'
import type { RouteOptions } from './server-options.ts'

/** The complete content of a session: its export, its blobs, complete results, and recall. */
export function sessionContentRoutes({ sessions, config }: RouteOptions, live: LiveSessions): Hono {
  return new Hono()
    .get('/:id/export', async (context) => {
      const id = context.req.param('id')
      const format = formatOf(context.req.query('format'))
      const session = await readSession(sessions, id)
      const exported = await exportOf(session, format, context.req.query('redact') === '1')
      const file = `plimsoll-${session.id}.${extensions[format] ?? 'json'}`
      return streamedText(exported.pieces, session.close, {
        'content-type': exported.isJson && format !== 'log' ? 'application/json' : 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="${file}"`,
      })
    })
    .get('/:id/blobs/:sha256', (context) => {
      const { blobs } = sessionPaths(sessions, context.req.param('id'))
      const sha256 = context.req.param('sha256')
      const read = createBlobStore(blobs).read(sha256)
      if (!('bytes' in read)) throw refusal('NO_SUCH_BLOB')
      // The type comes from the bytes, and only for images, which a browser cannot execute.
      const image = imageOf(read.bytes)
      const name = `${sha256.slice(0, 12)}${image?.extension ?? '.bin'}`
      return context.body(new Uint8Array(read.bytes), 200, {
        'content-type': image?.mediaType ?? 'application/octet-stream',
        'content-disposition': `${image === null ? 'attachment' : 'inline'}; filename="${name}"`,
        'x-content-type-options': 'nosniff',
      })
    })
    .get('/:id/results/:callId', async (context) => {
      const session = await readSession(sessions, context.req.param('id'))
      const pieces = await closing(session, () => fullResult(session, context.req.param('callId')))
      return streamedText(pieces, session.close, {
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
      })
    })
    .get('/:id/recall', async (context) => {
      const { handle, query } = context.req.query()
      const asked = handle === undefined ? (query === undefined ? null : { query: query.slice(0, maxQuery) }) : { handle }
      if (asked === null) throw refusal('BAD_REQUEST')
      const found = await live.read(context.req.param('id'), (session) =>
        recall(asked, recallSourceOf(session), { facts: { config } }),
      )
      return context.json(found)
    })
}

const maxQuery = 1000

const extensions: Partial<Record<ExportFormat, string>> = { log: 'jsonl', markdown: 'md', react: 'txt' }

function formatOf(name = 'openai-chat'): ExportFormat {
  const format = exportFormats.find((known) => known === name)
  if (format === undefined) throw refusal('NO_SUCH_FORMAT')
  return format
}

function exportOf(session: ReadOnlySession, format: ExportFormat, redact: boolean): Promise<SessionExport> {
  return closing(session, () => {
    try {
      return exportSession(session, { format, redact })
    } catch (error) {
      if (error instanceof RangeError) throw refusal('TOO_LONG_TO_EXPORT')
      throw error
    }
  })
}

async function closing<Value>(session: ReadOnlySession, use: () => Value): Promise<Value> {
  try {
    return use()
  } catch (error) {
    await session.close()
    throw error
  }
}

function fullResult(session: StoredSession, callId: string): Iterable<string> {
  const part = resultOf(session, callId)
  if (part === null) throw refusal('NO_SUCH_RESULT')
  const large = session.large(part)
  if (large !== null) {
    if ('trouble' in large) throw refusal('NO_SUCH_BLOB')
    return slicesOf(large.text)
  }
  const whole = session.whole(part)
  if ('trouble' in whole) throw refusal('NO_SUCH_BLOB')
  return [resultText(whole.part)]
}

function resultOf(session: StoredSession, callId: string): ToolResultPart | null {
  for (const { head } of branchMessages(session).toReversed()) {
    const entry = session.entry(head.id)
    const parts = entry?.type === 'message' && entry.message.role === 'tool' ? entry.message.parts : []
    for (const part of parts) if (part.type === 'tool-result' && part.callId === callId) return part
  }
  return null
}

const sliceLength = 2 ** 18

function* slicesOf(text: { readonly length: number; readonly slice: (start: number, end: number) => string }): Generator<string> {
  for (let start = 0; start < text.length; start += sliceLength)
    yield text.slice(start, Math.min(text.length, start + sliceLength))
}

/** Answers with a text that is read as fast as the client reads; `done` is called at the end. */
function streamedText(pieces: Iterable<string>, done: () => Promise<void>, headers: Readonly<Record<string, string>>): Response {
  const iterator = pieces[Symbol.iterator]()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done: isDone } = iterator.next()
        if (isDone !== true) return controller.enqueue(encoder.encode(value))
        await done()
        controller.close()
      } catch (error) {
        await done()
        controller.error(error)
      }
    },
    async cancel() {
      iterator.return?.()
      await done()
    },
  })
  return new Response(body, { headers })
}

import { createHash } from 'node:crypto'
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Hono } from 'hono'
import { stringsFor } from '../strings/strings-for.ts'

interface WebFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  /** Whether its name has a hash of its content, so that it can be cached permanently. */
  readonly isHashed: boolean
  /** Its bytes in the best encoding that a client accepts; packed once, at the first request. */
  readonly encoded: (accepted: string) => Promise<Encoded>
}

interface Encoded {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly encoding: 'br' | 'gzip' | null
}

/** Serves the files of the web app that existed at the start. */
export function staticRoutes(webFolder: string): Hono {
  const files = readWebFiles(webFolder)
  return new Hono().get('*', async (context) => {
    const { path } = context.req
    const file = files.get(path === '/' ? '/index.html' : path)
    if (file === undefined) return files.has('/index.html') ? context.text('404', 404) : context.text(notBuilt(), 503)
    const headers = {
      'content-type': file.type,
      etag: file.etag,
      vary: 'accept-encoding',
      'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    }
    if (context.req.header('if-none-match') === file.etag) return context.body(null, 304, headers)
    const { bytes, encoding } = await file.encoded(context.req.header('accept-encoding') ?? '')
    return context.body(bytes, 200, encoding === null ? headers : { ...headers, 'content-encoding': encoding })
  })
}

function notBuilt(): string {
  return ['en', 'zh'].map((locale) => `${stringsFor(locale).server.serve.notBuilt}\n`).join('\n')
}

/** The files of the built web app by path, read once: afterwards no request reads the disk. Empty if the app was not built. */
function readWebFiles(folder: string): ReadonlyMap<string, WebFile> {
  const files = new Map<string, WebFile>()
  for (const entry of entriesIn(folder)) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    files.set(path, webFile(readFileSync(file), type, /-[\w-]{8,60}\.\w{1,9}$/.test(entry.name)))
  }
  return files
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch {
    return []
  }
}

const packBrotli = promisify(brotliCompress)
const packGzip = promisify(gzip)

function webFile(content: Buffer, type: string, isHashed: boolean): WebFile {
  const bytes = new Uint8Array(content)
  const isText = !/^(?:image\/(?:png|x-icon)|font\/)/.test(type)
  const known = new Map<string, Promise<Encoded>>()

  async function packed(encoding: 'br' | 'gzip'): Promise<Encoded> {
    // The best quality takes seconds, and saves little more.
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
    return { bytes: new Uint8Array(await (encoding === 'br' ? packBrotli(bytes, quality) : packGzip(bytes))), encoding }
  }

  return {
    type,
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    isHashed,
    async encoded(accepted) {
      const encoding = (['br', 'gzip'] as const).find((name) => accepts(accepted, name))
      if (!isText || bytes.length <= 1024 || encoding === undefined) return { bytes, encoding: null }
      const file = known.get(encoding) ?? packed(encoding)
      known.set(encoding, file)
      return file
    },
  }
}

function accepts(header: string, encoding: string): boolean {
  return header
    .slice(0, 1000)
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim().toLowerCase()))
    .some(([name, quality]) => name === encoding && !/^q=0(?:\.0*)?$/.test(quality ?? ''))
}

import { createHash } from 'node:crypto'
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Hono } from 'hono'
import { stringsFor } from '../strings/strings-for.ts'

/** A file of the web app, held in memory. */
export interface WebFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  /** Whether its name changes with its content, so that it can be kept for ever. */
  readonly isHashed: boolean
  /** Its bytes in the best of the encodings that a client accepts; packed once, when first asked for. */
  readonly encoded: (accepted: string) => Promise<Encoded>
}

/** Bytes, and how they are packed. */
export interface Encoded {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly encoding: 'br' | 'gzip' | null
}

/**
 * The files of the built web app by the path they are asked for, read once: afterwards no address leads to the disk. Empty where the
 * app was not built.
 */
function readWebFiles(folder: string): ReadonlyMap<string, WebFile> {
  const files = new Map<string, WebFile>()
  for (const entry of entriesIn(folder)) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    files.set(path, webFile(readFileSync(file), type, /-[\w-]{8,}\.\w+$/.test(entry.name)))
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
  let brotli: Promise<Encoded> | null = null
  let zipped: Promise<Encoded> | null = null

  async function packed(encoding: 'br' | 'gzip'): Promise<Encoded> {
    // The best of brotli takes seconds, and saves little over this.
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
    return { bytes: new Uint8Array(await (encoding === 'br' ? packBrotli(bytes, quality) : packGzip(bytes))), encoding }
  }

  return {
    type,
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    isHashed,
    async encoded(accepted) {
      if (isText && bytes.length > 1024) {
        if (accepts(accepted, 'br')) {
          brotli ??= packed('br')
          return brotli
        }
        if (accepts(accepted, 'gzip')) {
          zipped ??= packed('gzip')
          return zipped
        }
      }
      return { bytes, encoding: null }
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

/** The web app's own files, and nothing else: what was not there at the start does not exist. */
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

/** In both languages: nobody has been asked yet which one to speak. */
function notBuilt(): string {
  return ['en', 'zh'].map((locale) => `${stringsFor(locale).server.serve.notBuilt}\n`).join('\n')
}

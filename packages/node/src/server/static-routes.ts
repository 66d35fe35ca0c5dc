import { Hono } from 'hono'
import { stringsFor } from '../strings/strings-for.ts'
import { readWebFiles } from './web-files.ts'

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

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import { onTestFinished } from 'vitest'

/** A service that makes pictures, and takes its time until it is told to be done. */
export interface PictureService {
  /** The address for `images.url`. */
  readonly url: string
  /** Resolves when somebody asks for a picture. */
  readonly asked: Promise<void>
  /** Hands over every picture that was asked for, and from now on all others at once. */
  readonly finish: () => void
}

/** Starts the service on a free port of this machine, until the test is over. */
export async function startPictureService(width: number, height: number): Promise<PictureService> {
  const asked = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.on('end', () => {
      asked.resolve()
      void done.promise.then(() => {
        const picture = pngOf(width, height).toString('base64')
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ created: 1, data: [{ b64_json: picture }] }))
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked: asked.promise, finish: done.resolve }
}

/** A real picture: a gradient that a browser can show. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows.set([(x * 255) / width, (y * 255) / height, 140], y * (1 + width * 3) + 1 + x * 3)
    }
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

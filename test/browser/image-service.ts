import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { whenOver } from '../share-in-file.ts'
import { type ColourAt, pngOf } from './png.ts'

/** An image service that keeps requests pending until `finish` is called. */
export interface ImageService {
  /** The address for `images.url`. */
  readonly url: string
  /** Resolves when an image is requested. */
  readonly asked: Promise<void>
  /** Answers all pending requests, and new ones immediately. */
  readonly finish: () => void
}

/** Starts the service on a free port of this machine, until the test is over. */
export async function startImageService(width: number, height: number): Promise<ImageService> {
  const asked = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.on('end', () => {
      asked.resolve()
      void done.promise.then(() => {
        const image = pngOf(width, height, gradient(width, height)).toString('base64')
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ created: 1, data: [{ b64_json: image }] }))
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenOver(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked: asked.promise, finish: done.resolve }
}

function gradient(width: number, height: number): ColourAt {
  return (x, y) => [(x * 255) / width, (y * 255) / height, 140]
}

import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { coreEntry, exampleConversation, fingerprints, type Texts, textsInNode } from '../runtimes/texts-in-node.ts'
import { root } from '../source-files.ts'
import { openWindow } from './open-browser.ts'

describe.runIf(existsSync(coreEntry))('core in a browser', () => {
  test('builds the same bytes from a conversation as Node, without a bundler', async () => {
    const { context } = await openWindow({ locale: 'tr-TR', timezoneId: 'Pacific/Apia' })
    const page = await context.newPage()
    await page.goto(await serveModules())
    const texts: Texts = await page.evaluate(`(async () => {
      const { loadCore, useCore } = await import('/use-core.mjs')
      const core = await loadCore((name) => import('/core/' + name + '.js'))
      const answer = await fetch('/conversation.json')
      return useCore(core, await answer.json())
    })()`)
    expect(fingerprints(texts)).toEqual(fingerprints(await textsInNode()))
  })
})

/** Serves the built modules to an empty page. */
async function serveModules(): Promise<string> {
  const server = createServer((request, response) => {
    const path = fileOf(request.url ?? '/')
    const type = path === null ? 'text/html' : path.endsWith('.json') ? 'application/json' : 'text/javascript'
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` })
    response.end(path === null ? '<!doctype html><title>core</title>' : readFileSync(path))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function fileOf(url: string): string | null {
  if (url === '/use-core.mjs') return `${root}/test/runtimes/use-core.mjs`
  if (url === '/conversation.json') return exampleConversation
  return url.startsWith('/core/') ? join(dirname(coreEntry), normalize(url.slice('/core'.length))) : null
}

/** Takes the screenshots of the web app in docs/images with a session made for them. Run by `npm run docs:screenshots`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { startOpenAiServer } from '../packages/node/src/model/testing/openai-server.ts'
import type { Inspection } from '../packages/node/src/shared/inspection/inspection.ts'
import { chatRoute, inspectRoute } from '../packages/web/src/parts/routes.ts'
import { type Api, createApi } from '../packages/web/src/server/api.ts'
import { findChromium } from '../test/browser/find-chromium.ts'
import { lighthousePicture } from './lighthouse-picture.ts'
import { shopFiles } from './shop-files.ts'

const images = fileURLToPath(new URL('../docs/images/', import.meta.url))
const command = fileURLToPath(new URL('../packages/node/bin/plimsoll.js', import.meta.url))

/** Size limit of an image in the documentation. */
const maxBytes = 200_000

/** A running server with its sessions. */
interface Served {
  readonly address: string
  readonly api: Api
}

/** A provider's error for a request that is too long. */
const tooLong = {
  kind: 'body',
  status: 400,
  body: JSON.stringify({
    error: {
      message:
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 11240 tokens. Please reduce the length of the messages.",
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  }),
} as const

const home = realpathSync(mkdtempSync(join(tmpdir(), 'harbour-')))
const ending: (() => unknown)[] = [() => rmSync(home, { recursive: true, force: true })]
try {
  await takeAll()
} finally {
  for (const end of ending.toReversed()) await end()
}

async function takeAll(): Promise<void> {
  const pictures = await servePictures()
  const refusing = await startOpenAiServer(() => tooLong)
  ending.push(refusing.close)
  writeFiles(pictures)
  const served = await serve('--model', 'offline')
  const open = await opener()
  // Before the first message: what a new user sees.
  await take(await open(served, {}), 'home', '/', '.home-savings')
  const worked = await begin(served.api, 'auto', [
    'read src/basket.mjs; read src/price.mjs; run node test.mjs',
    'search "discount"; read src/basket.mjs; run node test.mjs',
    'edit src/price.mjs: "price + count" -> "price * count"; run node test.mjs; read src/price.mjs',
    'read src/basket.mjs; list src; run node test.mjs',
    'draw a lighthouse at high water',
  ])
  const wide = await open(served, {})
  await take(wide, 'chat', chatRoute(worked), 'main img')
  const tall = await open(served, { viewport: { width: 1280, height: 1000 } })
  await take(tall, 'inspector-overview', inspectRoute(worked), '.treemap-tiles button')
  await take(tall, 'inspector-timeline', inspectRoute(worked, 'timeline'), '.timeline-detail')
  await take(wide, 'inspector-ledger', inspectRoute(worked, 'ledger'), '.ledger-list .ledger-rule', async (page) => {
    await page.locator('.ledger-list .ledger-rule').first().click()
    await page.locator('.ledger-detail table').waitFor()
  })
  const { requests } = await served.api.json<Inspection>(`/inspect/${worked}/inspection`)
  const broken = requests.findIndex((request) => request.broken?.policy != null)
  await take(wide, 'inspector-diff', inspectRoute(worked, 'diff'), '.diff-summary', async (page) => {
    await page.getByLabel('First', { exact: true }).fill(String(broken))
    await page.getByLabel('Second', { exact: true }).fill(String(broken + 1))
    await page.locator('.diff-changed').first().waitFor()
  })
  await take(wide, 'inspector-what-if', inspectRoute(worked, 'what-if'), '.what-if-verdicts li', async (page) => {
    await page.evaluate("document.querySelector('.what-if-result').scrollIntoView()")
  })
  await take(tall, 'inspector-compared', inspectRoute(worked, 'overview', null, 'economy'), '.load-line-compared .load-line-tag')
  await take(await open(served, { viewport: { width: 360, height: 740 } }), 'chat-narrow', chatRoute(worked), 'main img')
  await take(await open(served, { colorScheme: 'dark' }), 'chat-dark', chatRoute(worked), 'main img')
  await take(
    await open(served, { locale: 'zh-CN', viewport: { width: 1280, height: 1000 } }),
    'inspector-zh',
    inspectRoute(worked),
    '.treemap-tiles button',
  )

  const asking = await begin(served.api, 'ask', [])
  await served.api.command(asking, 'turn', { text: 'edit src/price.mjs: "price * count" -> "Math.round(price * count)"' })
  await take(wide, 'approval', chatRoute(asking), '[role=alertdialog] button:enabled')

  const crowded = await serve('--model', 'qwen3-coder', '--base-url', refusing.url)
  const { session: long } = await crowded.api.command(worked, 'fork', {})
  await crowded.api.command(long, 'turn', { text: 'Now write tests for the basket.' })
  await take(await open(crowded, {}), 'overflow', chatRoute(long), '[role=alertdialog]')
}

/** Takes one screenshot once its subject is visible and nothing moves. */
async function take(
  page: Page,
  name: string,
  route: string,
  awaited: string,
  then?: (page: Page) => Promise<void>,
): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(route)}`)
  await page.locator(awaited).first().waitFor()
  await then?.(page)
  await page.mouse.move(0, 0)
  // The focus frame is only for keyboard users.
  await page.evaluate("document.activeElement?.id === 'main' && document.activeElement.blur()")
  await setTimeout(700)
  const path = join(images, `${name}.png`)
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
  const bytes = statSync(path).size
  console.log(`docs/images/${name}.png ${Math.round(bytes / 1000)} kB`)
  if (bytes > maxBytes) throw new Error(`${name}.png has ${bytes} bytes`)
}

async function opener(): Promise<(served: Served, options: BrowserContextOptions) => Promise<Page>> {
  const { path, environment } = await findChromium()
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...environment },
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none'],
  })
  ending.push(() => browser.close())
  return async ({ address }, options) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-US',
      colorScheme: 'light',
      reducedMotion: 'reduce',
      ...options,
    })
    const page = await context.newPage()
    await page.goto(address)
    await page.locator('main').waitFor()
    return page
  }
}

async function serve(...words: readonly string[]): Promise<Served> {
  const child: ChildProcess = spawn(process.execPath, [command, 'serve', '--json', '--port', '0', ...words], {
    cwd: join(home, 'shop'),
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      LANG: 'en_US.UTF-8',
      XDG_STATE_HOME: join(home, 'state'),
      XDG_CONFIG_HOME: join(home, 'config'),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  ending.push(async () => {
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGINT')
    await ended
  })
  const line = await new Promise<string>((resolve) => child.stdout?.once('data', (piece) => resolve(String(piece))))
  const { address, token } = JSON.parse(line) as { readonly address: string; readonly token: string }
  return { address, api: createApi(token, () => 'en', new URL(address).origin) }
}

async function begin(api: Api, mode: 'auto' | 'ask', said: readonly string[]): Promise<string> {
  const { id } = await api.newSession()
  await api.command(id, 'mode', { mode })
  for (const text of said) {
    const { count } = await api.snapshot(id)
    await api.command(id, 'turn', { text })
    for (let now = await api.snapshot(id); now.count === count || now.live.isBusy; now = await api.snapshot(id))
      await setTimeout(100)
  }
  return id
}

async function servePictures(): Promise<string> {
  const picture = lighthousePicture().toString('base64')
  const server = createServer((incoming, response) => {
    incoming.resume()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ created: 1, data: [{ b64_json: picture }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ending.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

/** A context window small enough for this short session to be visible in it, and rules that take effect at once. */
function writeFiles(pictures: string): void {
  const settings = `timing: immediate
models:
  offline:
    window: 24000
    output_limit: 4000
prices:
  offline: { input: 3, cache_read: 0.3, cache_write: 3.75, output: 15 }
images: { model: flux-schnell, url: '${pictures}', expand_model: offline }
repeated_reads: { keep_latest: 1 }
outdated_commands: { after_minutes: 0, keep_recent: 3 }
overflow: { auto_recover: false }
`
  const files = { ...shopFiles, '../config/plimsoll/config.yaml': settings }
  for (const [path, text] of Object.entries(files)) {
    const place = join(home, 'shop', path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, text)
  }
  mkdirSync(images, { recursive: true })
}

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { findChromium } from '../test/browser/find-chromium.ts'
import { summarize } from './sampling.mjs'
import { writeWebSession } from './web-sessions.mjs'

const rounds = 7
const streams = 50
const binary = new URL('../packages/node/bin/plimsoll.js', import.meta.url).pathname
const built = new URL('../packages/node/dist/web/', import.meta.url).pathname

/** The web app in a real Chromium: the first paint, its downloads, long sessions in the inspector, and many followers of one session. */
export async function webBench() {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'))
  const sessions = join(home, 'state', 'plimsoll', 'sessions')
  mkdirSync(sessions, { recursive: true })
  const many = await writeWebSession(sessions, { messages: 100_000, length: 1150 })
  const large = await writeWebSession(sessions, { messages: 2_000, length: 102_000 })
  const server = await startServer(home)
  const { path, environment } = await findChromium()
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...environment },
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
  try {
    return [
      ...(await firstScreenRows(browser, server)),
      ...(await inspectorRows(browser, server, many, '100,000 messages')),
      ...(await inspectorRows(browser, server, large, '2,000 messages')),
      ...(await streamRows(server)),
    ]
  } finally {
    await browser.close()
    await server.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

async function startServer(home) {
  const folder = join(home, 'project')
  mkdirSync(folder)
  const child = spawn(process.execPath, [binary, 'serve', '--json', '--port', '0', '--model', 'offline', '--mode', 'auto'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_STATE_HOME: join(home, 'state'),
      XDG_CONFIG_HOME: join(home, 'config'),
      LANG: 'en',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  let printed = ''
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      printed += String(piece)
      if (printed.includes('\n')) resolve()
    })
    void ended.then(() => reject(new Error('the server did not start')))
  })
  const { address, token } = JSON.parse(printed.split('\n')[0])
  const origin = new URL(address).origin
  return {
    origin,
    address,
    pid: child.pid,
    headers: { authorization: `Bearer ${token}` },
    async stop() {
      child.kill('SIGINT')
      await ended
    },
  }
}

async function firstScreenRows(browser, { address, origin }) {
  const paints = []
  let loaded = new Set()
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    loaded = new Set()
    await page.goto(address)
    await page.locator('main').waitFor()
    const { paint, names } = await page.evaluate(firstPaint)
    paints.push(paint)
    for (const name of names) {
      const { pathname, origin: from } = new URL(name)
      if (from === origin && !pathname.startsWith('/api/')) loaded.add(pathname === '/' ? '/index.html' : pathname)
    }
    await context.close()
  }
  const bytes = [...loaded].reduce((sum, path) => sum + gzipSync(readFileSync(join(built, path))).length, 0)
  const { p50, spread } = summarize(paints)
  return [
    { name: 'first contentful paint of a window without a cache; median', value: p50, unit: 'ms', spread, bound: '< 1000 ms' },
    {
      name: `what the first screen loads, gzip (${loaded.size} of ${filesIn(built)} files)`,
      value: bytes / 1000,
      unit: 'kB',
      bound: '< 300 kB',
    },
  ]
}

/** Runs in the page: the time of the first paint, and the files requested until then. Other screens are loaded later. */
const firstPaint = `(() => {
  const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN
  const asked = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  return { paint, names: asked.filter(({ startTime }) => !(startTime > paint)).map(({ name }) => name) }
})()`

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
}

/** The time from opening a session until its load line is painted; then its messages are scrolled from end to end. */
async function inspectorRows(browser, { address }, { id, bytes, log }, about) {
  const opened = []
  let longest = 0
  let scrolled = 0
  for (let round = 0; round < 3; round += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    await page.goto(address)
    await page.locator('main').waitFor()
    await page.waitForTimeout(500)
    // A new modification time makes the server's cache of the last round invalid.
    const now = new Date()
    utimesSync(log, now, now)
    opened.push(await page.evaluate(openInspector(id)))
    if (round === 0) {
      await page.evaluate(`location.hash = '/inspect/${id}/messages'`)
      await page.locator('.message-list').waitFor()
      await page.waitForTimeout(1000)
      const result = await page.evaluate(scrollThrough)
      longest = result.longest
      scrolled = result.steps
    }
    await context.close()
  }
  const { p50, spread } = summarize(opened)
  return [
    {
      name: `a session of ${Math.round(bytes / 1_000_000)} MB (${about}) opens in the inspector; median`,
      value: p50,
      unit: 'ms',
      spread,
      bound: '< 2000 ms',
    },
    { name: `longest task while its messages are scrolled (${scrolled} steps)`, value: longest, unit: 'ms', bound: '< 100 ms' },
  ]
}

/** Runs in the page: opens a session and returns the milliseconds until its load line is painted. Polling from outside would see it up to half a second later. */
const openInspector = (id) => `new Promise((resolve) => {
  const start = performance.now()
  const look = () => {
    if (document.querySelector('.inspector .load-line svg') === null) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { subtree: true, childList: true })
  location.hash = '/inspect/${id}/overview'
})`

/** Runs in the page: scrolls the largest list to its end and back, and returns the longest task meanwhile. */
const scrollThrough = `(async () => {
  const tasks = []
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)))
  observer.observe({ type: 'longtask' })
  const list = [...document.querySelectorAll('*')]
    .filter((element) => element.scrollHeight > element.clientHeight + 1000 && /auto|scroll/.test(getComputedStyle(element).overflowY))
    .sort((one, other) => other.scrollHeight - one.scrollHeight)[0]
  if (list === undefined) throw new Error('nothing to scroll')
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  let steps = 0
  for (const place of [0.001, 0.01, 0.1, 0.5, 1, 0.5, 0]) {
    const target = place * list.scrollHeight
    for (let step = 0; step < 30; step += 1) {
      list.scrollTop += (target - list.scrollTop) / 4
      steps += 1
      await frame()
    }
    list.scrollTop = target
    for (let step = 0; step < 30; step += 1) {
      list.scrollTop += 120
      steps += 1
      await frame()
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 300))
  return { longest: Math.max(0, ...tasks), steps }
})()`

/** Fifty followers of one session during repeated large outputs: each gets everything, and the server's memory stops growing. */
async function streamRows({ origin, headers, pid }) {
  const json = { ...headers, 'content-type': 'application/json' }
  const ask = async (path, body) => {
    const response = await fetch(
      `${origin}/api${path}`,
      body === undefined ? { headers } : { method: 'POST', headers: json, body: JSON.stringify(body) },
    )
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const { id } = await ask('/sessions', {})
  const { event } = await ask(`/sessions/${id}`)
  const followers = Array.from({ length: streams }, () => follow(`${origin}/api/sessions/${id}/events?after=${event}`, headers))
  // Late followers get the same content in fewer chunks.
  await Promise.all(followers.map(({ opened }) => opened))
  const turns = 12
  const memory = []
  for (let turn = 1; turn <= turns; turn += 1) {
    await ask(`/sessions/${id}/turn`, { text: 'run seq 1 20000' })
    await Promise.all(followers.map(({ ends }) => ends(turn)))
    memory.push(residentMegabytes(pid))
  }
  // Events after the end of a turn must arrive too.
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const counts = new Set(followers.map(({ bytes }) => bytes()))
  for (const { stop } of followers) stop()
  const half = memory.slice(turns / 2)
  return [
    {
      name: `${streams} streams of one session: different totals received`,
      value: counts.size,
      unit: '',
      bound: '<= 1',
    },
    { name: `received by each in ${turns} turns`, value: [...counts][0] / 1_000_000, unit: 'MB' },
    {
      name: `growth of the server’s memory over the last ${half.length} turns`,
      value: half.at(-1) - half[0],
      unit: 'MB',
      bound: '< 20 MB',
    },
  ]
}

function follow(url, headers) {
  let turns = 0
  let bytes = 0
  let rest = ''
  let waiting = []
  const { promise: opened, resolve: open } = Promise.withResolvers()
  const request = get(url, { headers: { ...headers, accept: 'text/event-stream' } }, (response) => {
    response.setEncoding('utf8')
    open()
    response.on('data', (piece) => {
      const lines = (rest + piece).split('\n')
      rest = lines.pop()
      for (const line of lines) {
        if (!line.startsWith('data:')) continue
        bytes += line.length
        if (line.includes('"type":"turn_end"')) turns += 1
      }
      waiting = waiting.filter(({ turn, resolve }) => turns < turn || (resolve(), false))
    })
  })
  request.on('error', () => undefined)
  return {
    opened,
    bytes: () => bytes,
    stop: () => request.destroy(),
    ends: (turn) => (turns >= turn ? Promise.resolve() : new Promise((resolve) => waiting.push({ turn, resolve }))),
  }
}

function residentMegabytes(pid) {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
  return (Number(pages) * 4096) / 1_000_000
}

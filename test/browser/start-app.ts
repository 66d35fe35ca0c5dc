import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { chatRoute } from '../../packages/web/src/parts/routes.ts'
import type { Running, Workplace } from '../workplace.ts'
import { askServer } from './ask-server.ts'
import { openWindow } from './open-browser.ts'

/** The web app as `plimsoll serve` serves it. */
export interface StartedApp {
  readonly origin: string
  readonly token: string
  readonly address: string
  readonly process: Running
  /** Stops the server as Ctrl-C does, and waits for its end. */
  readonly stop: () => Promise<number | null>
}

/** Starts the server of a workplace on a free port, or on one it had before. */
export async function startApp(workplace: Workplace, ...args: readonly string[]): Promise<StartedApp> {
  const port = args.includes('--port') ? [] : ['--port', '0']
  const running = workplace.start('serve', '--json', ...port, ...args)
  await running.printed(/\n/)
  const { address, token } = JSON.parse(running.text().split('\n')[0] ?? '') as {
    readonly address: string
    readonly token: string
  }
  return {
    origin: new URL(address).origin,
    token,
    address,
    process: running,
    async stop() {
      process.kill(running.pid, 'SIGINT')
      return (await running.ended).code
    },
  }
}

/** A page of the app in a new window, and its errors; the test ends with `expectCalm`. */
export interface OpenApp {
  readonly page: Page
  /** Fails on any error in any page of the window, other than expected ones. */
  readonly expectCalm: (expected?: RegExp) => void
}

/** Opens the app, ready to be used: as printed, or, as from a bookmark, at one of its routes. */
export async function openApp(app: StartedApp, options: Parameters<typeof openWindow>[0] = {}, path = ''): Promise<OpenApp> {
  const { context, strangers } = await openWindow(path === '' ? options : { ...options, storageState: tokenOf(app) })
  const page = await context.newPage()
  const troubles: string[] = []
  context.on('weberror', (error) => troubles.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  await page.goto(path === '' ? app.address : `${app.origin}/#${path.replace(/^#/, '')}`)
  await page.getByRole('navigation', { includeHidden: true }).first().waitFor({ state: 'attached' })
  return {
    page,
    expectCalm(expected) {
      const unexpected = troubles.filter((trouble) => expected?.test(trouble) !== true)
      expect({ troubles: unexpected, strangers }).toEqual({ troubles: [], strangers: [] })
    },
  }
}

/** Opens the app at a new session. The first screen is not shown on the way: its example takes the server and the page most of a second. */
export async function openChat(app: StartedApp): Promise<OpenApp> {
  const { id } = await askServer(app).newSession()
  return openApp(app, {}, chatRoute(id))
}

/** What a page keeps that was once opened at the printed address. */
function tokenOf({ origin, token }: StartedApp): NonNullable<BrowserContextOptions['storageState']> {
  return { cookies: [], origins: [{ origin, localStorage: [{ name: 'plimsoll-token', value: token }] }] }
}

import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { inject, onTestFinished } from 'vitest'
import { watchRequests } from './settled.ts'

let browser: Promise<Browser> | null = null

/** A new browser window with empty storage, until the test is over. Requests to other hosts are blocked and listed in `strangers`. */
export async function openWindow(
  options: BrowserContextOptions = {},
): Promise<{ readonly context: BrowserContext; readonly strangers: readonly string[] }> {
  browser ??= chromium.connect(inject('chromium'))
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options })
  onTestFinished(() => context.close())
  // The machine may be busy; the test's own timeout ends a wait.
  context.setDefaultTimeout(120_000)
  context.on('page', watchRequests)
  const strangers: string[] = []
  await context.route(
    (url) => url.protocol !== 'blob:' && url.protocol !== 'data:' && url.protocol !== 'file:' && url.hostname !== '127.0.0.1',
    (route) => {
      strangers.push(route.request().url())
      return route.abort()
    },
  )
  return { context, strangers }
}

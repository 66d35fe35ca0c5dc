import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findChromium } from './find-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the browser that all browser tests share. */
    readonly chromium: string
  }
}

/** Starts one Chromium for all browser tests, and ends it with them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { path, environment } = await findChromium()
  const server = await chromium.launchServer({
    executablePath: path,
    env: { ...process.env, ...environment },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--font-render-hinting=none',
    ],
  })
  project.provide('chromium', server.wsEndpoint())
  return () => server.close()
}

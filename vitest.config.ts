import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { closingLine } from './scripts/closing-line.ts'

const core = (file: string) => new URL(`./packages/core/src/${file}`, import.meta.url).pathname

export default defineConfig({
  resolve: {
    alias: [
      { find: '@plimsoll/core/spec', replacement: core('spec.ts') },
      { find: '@plimsoll/core', replacement: core('index.ts') },
    ],
  },
  test: {
    testTimeout: 60_000,
    // By default one core is left idle, which of two is half the machine; and many tests wait for servers, commands and browsers.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    reporters: ['default', closingLine()],
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['packages/*/src/**/*.test.ts', 'test/*.test.ts'],
          globalSetup: ['test/start-postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          globalSetup: ['test/browser/start-chromium.ts'],
          hookTimeout: 120_000,
          // A page on a busy machine takes its time.
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
})

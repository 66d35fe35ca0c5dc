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
    // How long something takes says nothing about whether it is right, and machines differ: this ends only what would never end.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // By default one core is left idle, which of two is half the machine; and many tests wait for servers, commands and browsers.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', closingLine()],
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['packages/*/src/**/*.test.ts', 'test/*.test.ts'],
          globalSetup: ['test/start-postgres.ts'],
          setupFiles: ['test/seed-properties.ts'],
          // No test leaves anything behind for another one, and loading all modules for each file anew is a fifth of the work.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'browser', include: ['test/browser/*.test.ts'], globalSetup: ['test/browser/start-chromium.ts'] },
      },
    ],
  },
})

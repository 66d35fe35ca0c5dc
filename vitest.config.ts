import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { closingLine } from './scripts/closing-line.ts'
import { LongestFirst } from './scripts/longest-first.ts'

const core = (file: string) => new URL(`./packages/core/src/${file}`, import.meta.url).pathname

// Most of what a command, a thread or a test worker does at its start is to compile the same files again.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('./node_modules/.cache/compiled', import.meta.url))

/** What draws: Node itself reads TypeScript, but not TSX. */
const drawing = ['packages/web/src/**/*.test.ts', 'packages/node/src/cli/chat/chat-app.slow.test.ts']

/** What a quick run leaves out: files that start a process, a socket, a browser or a database, or take more than about a second. */
const leftOut = (mode: string) => (mode === 'quick' ? ['**/*.slow.test.ts'] : [])

// `--mode quick` also has properties that take long try fewer values.
export default defineConfig(({ mode }) => ({
  resolve: {
    alias: [
      { find: /^@plimsoll\/core\/(.+)$/, replacement: core('$1.ts') },
      { find: '@plimsoll/core', replacement: core('index.ts') },
    ],
  },
  test: {
    // How long something takes says nothing about whether it is right, and machines differ: this ends only what would never end.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // By default one core is left idle, which of two is half the machine; and many tests wait for servers, commands and browsers.
    maxWorkers: availableParallelism() * 2,
    // No test leaves anything behind for another one, and to load all modules anew for each file is a fifth of the work.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', closingLine()],
    env: mode === 'quick' ? { PROPERTY_RUNS: '30' } : {},
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['packages/{core,node}/src/**/*.test.ts', 'test/*.test.ts'],
          exclude: [...drawing, ...leftOut(mode)],
          globalSetup: ['test/start-postgres.ts'],
          setupFiles: ['test/use-sources.ts', 'test/seed-properties.ts', ...(mode === 'quick' ? ['test/stay-quick.ts'] : [])],
          // Code that Vite has rewritten reaches every import through a getter: the engine's inner loops take three times as long.
          experimental: { viteModuleRunner: false },
        },
      },
      {
        extends: true,
        test: {
          name: 'drawing',
          include: drawing,
          exclude: leftOut(mode),
          setupFiles: ['test/seed-properties.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          exclude: leftOut(mode),
          globalSetup: ['test/browser/start-chromium.ts'],
          setupFiles: ['test/use-sources.ts'],
          experimental: { viteModuleRunner: false },
        },
      },
    ],
  },
}))

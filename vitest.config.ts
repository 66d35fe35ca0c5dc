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
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    // By default one core is left idle, which of two is half the machine.
    maxWorkers: '100%',
    reporters: ['default', closingLine()],
  },
})

import { defineConfig } from 'vitest/config'

const root = new URL('../..', import.meta.url).pathname

/** The tests that mutants are tried on: the examples of the engine, in one process. */
export default defineConfig({
  root,
  test: {
    include: [
      'packages/core/src/{policies,economy,timing,truncation,binary,compression,fit}/*.test.ts',
      'packages/core/src/compaction/hide-old-summaries.test.ts',
      'packages/core/src/{protect,is-error,freshness,recency,edits-in-force,invariants,tool-pairs,economy-policies,result-summary,log}.test.ts',
    ],
    exclude: ['**/*.properties*.test.ts', '**/hostile-results*.test.ts'],
    setupFiles: ['test/use-sources.ts', 'hardening/mutation/load-mutants.ts', 'test/seed-properties.ts'],
    runner: 'hardening/mutation/mutation-runner.ts',
    testTimeout: 3_600_000,
    isolate: false,
    maxWorkers: 1,
    experimental: { viteModuleRunner: false },
  },
})

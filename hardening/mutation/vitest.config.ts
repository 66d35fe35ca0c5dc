import { defineConfig } from 'vitest/config'

const root = new URL('../..', import.meta.url).pathname

/** The tests that run on mutants: the example tests of the engine, in one process. */
export default defineConfig({
  root,
  test: {
    include: [
      'packages/core/src/{policies,policies/economy,timing,cut,cut/digest,binary,fit}/*.test.ts',
      'packages/core/src/compaction/hide-old-summaries.test.ts',
      'packages/core/src/results/*.test.ts',
      'packages/core/src/text/{shown-above,without-numbers}.test.ts',
      'packages/core/src/engine/{build-view,edits-in-force,hide-items,log-records,same-edit,seen,signed-thoughts}.test.ts',
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

import { globSync } from 'node:fs'

/** The files in which every mutant must be killed or explained, as patterns: the policies, and the code that applies their decisions. */
const covered = [
  'policies/{compress-old-results,cut-long-output,drop-old-reasoning,economy-policies,fit-window,limit-tool-output,pair-tool-calls,shorten-written-arguments,skip-shown-lines,stub-old-results,thin-line-numbers,trim-outdated-commands,trim-repeated-reads}.ts',
  'policies/economy/{command-reads,cut-output,economy-rules,result-levels,result-profile,result-repeats,results-in-use,shorten-input,weighed-results}.ts',
  'binary/filter-binary.ts',
  'compaction/hide-old-summaries.ts',
  'text/shown-above.ts',
  'fit/{draft,ladder,request-size,shrink-parts,sources}.ts',
  'results/{protect,tool-pairs,tool-results}.ts',
  'engine/edits-in-force.ts',
]

/** The files of core that are mutated by default, by their paths from its source folder, in order. */
export function coveredFiles(sources: string): readonly string[] {
  return globSync(covered, { cwd: sources }).filter(isSource).sort()
}

/** All files of core that are not tests, by their paths from its source folder, in order. */
export function sourceFiles(sources: string): readonly string[] {
  return globSync('**/*.ts', { cwd: sources }).filter(isSource).sort()
}

function isSource(file: string): boolean {
  return !/\.test(?:-d)?\.ts$/.test(file) && !file.startsWith('testing/')
}

import { globSync } from 'node:fs'

/** The files of which every mutant has to be noticed or explained, as patterns: the policies, and what carries their decisions. */
const covered = [
  'policies/*.ts',
  'economy-policies.ts',
  'compaction/hide-old-summaries.ts',
  'economy/{command-reads,cut-long-output,cut-text,drop-old-reasoning,economy-rules,identifiers,line-range,paths-in-text,request-ages,result-levels,result-profile,result-repeats,results-in-use,salient-middle,shorten-input,shorten-written-arguments,shown-lines,skip-shown-lines,stub-old-results,stub-text,thin-line-numbers,weighed-results}.ts',
  'text/{above-marker,without-numbers}.ts',
  'fit/{budget,cut-call,cut-result,describe-overflow,draft,fit-request,fitting,fold-past,fold-run,fold-still-holds,hide-summaries,ladder,omit-media,overflow,request-size,shrink-parts,sources,standing-edits}.ts',
  '{protect,is-error,freshness,recency,edits-in-force,tool-pairs}.ts',
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

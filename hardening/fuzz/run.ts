import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments, refuse } from '../read-arguments.ts'
import type { Find, FuzzResult } from './fuzz.ts'
import { createFuzzThread } from './fuzz-in-thread.ts'
import { resultTable } from './result-table.ts'
import type { FuzzInput } from './target.ts'
import { targetNames, targets } from './targets.ts'

const usage = `
usage: npm run fuzz -- [target…] [options]

  --seconds n      how long each target is fuzzed; 30 by default
  --runs n         how many inputs each target gets, whatever time that takes
  --seed n         where the random numbers begin; 1 by default
  --finds folder   where finds are written, each a file
  --corpus folder  where inputs worth keeping are read from and written to
  --try file       tries a find that was written down, and nothing else
  --own            begins with the target's own inputs, without recorded ones
  --unguided       without coverage as a guide
  --json           the result as JSON

Targets, all of them by default: ${targetNames.join(', ')}
`

const { values, positionals } = readArguments(usage, {
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    finds: { type: 'string' },
    corpus: { type: 'string' },
    try: { type: 'string' },
    own: { type: 'boolean', default: false },
    unguided: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

const unknown = positionals.find((name) => !targets.has(name))
if (unknown !== undefined) refuse(`expected the name of a target, got ${JSON.stringify(unknown)}`)

/** A find that was written down before: it is tried after the seeds, and nothing else. */
const tried = values.try === undefined ? [] : [(JSON.parse(readFileSync(values.try, 'utf8')) as Find).input]
const runs = tried.length > 0 ? 0 : (numberOf(values.runs) ?? Number.POSITIVE_INFINITY)
const thread = createFuzzThread()
const results: FuzzResult[] = []
for (const target of positionals.length > 0 ? positionals : targetNames) {
  const result = await thread.run(
    {
      target,
      seed: numberOf(values.seed) ?? 1,
      runs,
      // Where the number of executions is given, no clock decides what is found.
      seconds: numberOf(values.seconds) ?? (values.runs === undefined ? 30 : Number.POSITIVE_INFINITY),
      isGuided: !values.unguided,
      isOwnOnly: values.own,
      earlier: [...readCorpus(values.corpus, target), ...tried],
    },
    (line) => process.stderr.write(`${line}\n`),
  )
  results.push(result)
  keep(result)
}
await thread.close()
process.stdout.write(
  values.json
    ? `${JSON.stringify(results, withoutCorpus)}
`
    : resultTable(results),
)
process.exitCode = results.some(({ finds }) => finds.length > 0) ? 1 : 0

function withoutCorpus(key: string, value: unknown): unknown {
  return key === 'corpus' ? undefined : value
}

function keep({ target, finds, corpus }: FuzzResult): void {
  finds.forEach((find, index) => {
    process.stderr.write(`${target}: ${find.key}: ${find.message}\n`)
    if (values.finds === undefined) process.stderr.write(`  ${JSON.stringify(find.input).slice(0, 2000)}\n`)
    else writeJson(values.finds, `${target}-${index + 1}.json`, find)
  })
  if (values.corpus !== undefined) writeJson(values.corpus, `${target}.json`, corpus)
}

function writeJson(folder: string, name: string, value: unknown): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), `${JSON.stringify(value)}\n`)
}

function readCorpus(folder: string | undefined, target: string): readonly FuzzInput[] {
  if (folder === undefined) return []
  try {
    return JSON.parse(readFileSync(join(folder, `${target}.json`), 'utf8')) as readonly FuzzInput[]
  } catch {
    return []
  }
}

function numberOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) refuse(`expected a number that is not negative, got ${JSON.stringify(text)}`)
  return value
}

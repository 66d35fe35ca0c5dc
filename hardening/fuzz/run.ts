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

  --seconds n      time for each target (default: 30)
  --runs n         number of inputs for each target, regardless of time
  --seed n         seed of the random numbers (default: 1)
  --finds folder   write each find to a file in this folder
  --corpus folder  read and write inputs that reach new code
  --try file       try only a saved find
  --own            start from the target's own inputs, without recorded ones
  --unguided       do not use coverage as a guide
  --json           print the result as JSON

Targets (default: all): ${targetNames.join(', ')}
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

/** An input saved by an earlier run, which is tried after the seeds and nothing else. */
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
      // With a given number of executions, the result does not depend on time.
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
  if (!Number.isFinite(value) || value < 0) refuse(`expected a number from 0, got ${JSON.stringify(text)}`)
  return value
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Find, FuzzResult } from './fuzz.ts'
import { createFuzzThread } from './fuzz-in-thread.ts'
import { resultTable } from './result-table.ts'
import type { FuzzInput } from './target.ts'
import { targetNames, targets } from './targets.ts'

const usage = `npm run fuzz -- [target…] [--seconds 30] [--runs n] [--seed 1] [--finds folder] [--corpus folder] [--try file] [--own] [--unguided] [--json]

Targets: ${targetNames.join(', ')}
`

const { values, positionals } = parseArgs({
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
    help: { type: 'boolean', default: false },
  },
})

const unknown = positionals.find((name) => !targets.has(name))
if (values.help || unknown !== undefined) {
  process.stderr.write(unknown === undefined ? usage : `expected the name of a target, got ${JSON.stringify(unknown)}\n${usage}`)
  process.exit(values.help ? 0 : 2)
}

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
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`expected a number, got ${JSON.stringify(text)}`)
  return value
}

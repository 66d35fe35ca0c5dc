import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments, refuse } from '../read-arguments.ts'
import { coveredFiles, sourceFiles } from './covered-files.ts'
import type { Mutant } from './mutate-source.ts'
import { writeMutatedCore } from './mutated-core.ts'
import { type Outcome, outcomeFile } from './outcome.ts'
import { changeOf, compareSurvivors, readExplained } from './survivors.ts'

const usage = `
usage: npm run mutate -- [options]

  --file part  mutate the files of packages/core/src with this in their paths instead of the default ones; may be repeated

Exits with 1 if a mutant survives that hardening/mutation/survivors.json does not explain.
`
const { values } = readArguments(usage, { options: { file: { type: 'string', multiple: true, default: [] } } })
const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = join(root, 'packages/core/src')
const asked = sourceFiles(sources).filter((file) => values.file.some((part) => file.includes(part)))
const files = values.file.length === 0 ? coveredFiles(sources) : asked
if (files.length === 0) refuse(`no file of packages/core/src has ${values.file.join(' or ')} in its path`)

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-mutation-'))
try {
  const { mutants } = writeMutatedCore(sources, sourceFiles(sources), files, folder)
  const tests = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'hardening/mutation/vitest.config.ts', '--reporter', 'dot'],
    { cwd: root, env: { ...process.env, MUTATION_FOLDER: folder }, encoding: 'utf8' },
  )
  if (tests.status !== 0) fail(`The tests fail without any mutant, so they cannot judge mutants.\n${tests.stdout}${tests.stderr}`)
  report(mutants, JSON.parse(readFileSync(join(folder, outcomeFile), 'utf8')) as Outcome)
} finally {
  rmSync(folder, { recursive: true })
}

function report(mutants: readonly Mutant[], { killed, reached, slow, unrepeatable }: Outcome): void {
  const wasReached = new Set(reached)
  const survivors = mutants.filter(({ id }) => killed[id] === undefined)
  const { unexplained, outdated, explained } = compareSurvivors(survivors, readExplained(), files)
  print('| File | Mutants | Killed | Explained |\n|---|---:|---:|---:|')
  for (const file of files) {
    const count = (list: readonly Mutant[]) => list.filter((mutant) => mutant.file === file).length
    if (count(mutants) > 0) print(`| ${file} | ${count(mutants)} | ${count(mutants) - count(survivors)} | ${count(explained)} |`)
  }
  print(`| all | ${mutants.length} | ${mutants.length - survivors.length} | ${explained.length} |`)
  if (slow.length > 0) print(`\n${slow.length} tests take too many steps to run on mutants.`)
  for (const test of unrepeatable) print(`\nNot counted, because it fails on a second run: ${test}`)
  for (const mutant of unexplained) {
    const how = wasReached.has(mutant.id) ? 'no test notices' : 'no test reaches'
    print(`\n${mutant.file}:${mutant.line} ${how} (${mutant.operator}):\n  ${mutant.code}\n  ${changeOf(mutant)}`)
  }
  for (const each of outdated) print(`\nExplained in survivors.json, but killed by a test or no longer in the source:\n  ${each}`)
  if (unexplained.length + outdated.length > 0) {
    fail(`\n${unexplained.length} mutants survive without an explanation, ${outdated.length} explanations are outdated.`)
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(text: string): void {
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}

import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { redactSecrets } from '../../packages/node/src/shared/redact/redact.ts'
import { readArguments } from '../read-arguments.ts'
import { contexts, sampleOf, survives } from './generate.ts'
import { rareKinds, wellKnownKinds } from './kinds.ts'

const usage = `
Usage: npm run secrets -- [--seeds N] [--logs FOLDER] [--show]

Prints the share of generated secrets that redaction finds, by context, and how many lines of recorded logs it changes.

  --seeds N      samples of each kind (default: 5)
  --logs FOLDER  recorded logs (default: the project's own, and ../shared/sessions if it is there)
  --show         prints what is found in the logs
`

const { values } = readArguments(usage, {
  options: { seeds: { type: 'string', default: '5' }, logs: { type: 'string' }, show: { type: 'boolean', default: false } },
})

const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1)
const share = (found: number, all: number) => `${((100 * found) / all).toFixed(2)} %`

for (const [title, kinds] of [
  ['Well-known kinds', wellKnownKinds],
  ['Rare kinds', rareKinds],
] as const) {
  process.stdout.write(`${title}: ${kinds.length}\n`)
  const missed = new Map<string, string[]>()
  let sum = 0
  for (const [context, look] of Object.entries(contexts)) {
    let found = 0
    for (const kind of kinds) {
      const kept = seeds.filter((seed) => {
        const sample = sampleOf(kind, seed)
        return survives(sample, look(sample))
      })
      found += seeds.length - kept.length
      if (kept.length > 0) missed.set(kind[0], [...(missed.get(kind[0]) ?? []), context])
    }
    sum += found
    process.stdout.write(`  ${context.padEnd(16)}${share(found, kinds.length * seeds.length)}\n`)
  }
  const all = kinds.length * seeds.length * Object.keys(contexts).length
  process.stdout.write(`  ${'all'.padEnd(16)}${share(sum, all)} of ${all}\n`)
  for (const [kind, where] of missed) process.stdout.write(`    missed: ${kind} (${where.join(', ')})\n`)
}

let lines = 0
const changed: string[] = []
for (const text of recordedTexts()) {
  const before = text.split('\n')
  lines += before.length
  const after = redactSecrets(text)
  if (after === text) continue
  const now = new Set(after.split('\n'))
  for (const line of before) if (!now.has(line)) changed.push(line)
}
process.stdout.write(
  `Recorded logs: ${changed.length} of ${lines} lines changed, ${((changed.length / lines) * 10_000).toFixed(2)} in 10,000\n`,
)
if (values.show)
  for (const line of new Set(changed))
    process.stdout.write(`  ${redactSecrets(line).slice(0, 300)}\n    was ${line.slice(0, 300)}\n`)

/** The texts in the recorded logs, each once, since logs repeat them. */
function recordedTexts(): ReadonlySet<string> {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const folders = values.logs === undefined ? [`${root}test/fixtures`, `${root}../shared/sessions`] : [values.logs]
  const texts = new Set<string>()
  for (const folder of folders.filter((path) => existsSync(path))) {
    for (const name of globSync('**/*.{json,jsonl,traj}', { cwd: folder })) {
      const text = readFileSync(`${folder}/${name}`, 'utf8')
      for (const piece of [text, ...text.split('\n')]) {
        try {
          collect(JSON.parse(piece), texts)
          if (piece === text) break
        } catch {
          // Either the file or each of its lines is JSON.
        }
      }
    }
  }
  return texts
}

function collect(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value)
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) collect(inner, texts)
}

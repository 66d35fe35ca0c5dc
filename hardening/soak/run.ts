import { parseArgs } from 'node:util'
import { runSoak, type WorkloadName, workloadNames } from './soak.ts'
import { soakTable } from './soak-table.ts'

// npm run soak -- --minutes 5 --seed 1 [agent|server|gateway]

const usage = 'usage: npm run soak -- [--minutes N] [--seed N] [--rounds N] [agent] [server] [gateway]'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '100000' },
  },
})
const [minutes, seed, rounds] = [values.minutes, values.seed, values.rounds].map(Number)
const isName = (word: string): word is WorkloadName => workloadNames.some((name) => name === word)

if (
  !isPositive(minutes) ||
  !isPositive(rounds) ||
  !Number.isSafeInteger(seed) ||
  minutes > 24 * 60 ||
  !positionals.every(isName)
) {
  process.stderr.write(`${usage}\n`)
  process.exit(2)
}

const workloads = positionals.length === 0 ? workloadNames : positionals.filter(isName)
const started = performance.now()
const say = (line: string) =>
  process.stderr.write(`${String(Math.round((performance.now() - started) / 1000)).padStart(5)} s  ${line}\n`)
say(`${workloads.join(', ')}: ${minutes} minutes, seed ${seed}`)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    say('ending: what was begun is finished and looked at; once more ends it at once, and leaves its folder behind')
    stop.abort()
  })
const progress = setInterval(() => say('still at it'), 60_000)
const soaked = await runSoak({ workloads, minutes, seed: seed ?? 1, rounds, isPatient: true, stop: stop.signal, say })
clearInterval(progress)
process.stdout.write(soakTable(soaked))
process.exitCode = soaked.journal.broken() > 0 ? 1 : 0

function isPositive(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0
}

import { readArguments, refuse } from '../read-arguments.ts'
import { runSoak, type WorkloadName, workloadNames } from './soak.ts'
import { soakTable } from './soak-table.ts'

const usage = `
usage: npm run soak -- [agent] [server] [gateway] [options]

  --minutes n  how long it goes on, at most a day (1440); 5 by default
  --seed n     where the random numbers begin; 1 by default
  --rounds n   the most rounds of each workload; 100000 by default
`
const { values, positionals } = readArguments(usage, {
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '100000' },
  },
})
const [minutes, seed, rounds] = [values.minutes, values.seed, values.rounds].map(Number)
const isName = (word: string): word is WorkloadName => workloadNames.some((name) => name === word)

const unknown = positionals.find((word) => !isName(word))
if (unknown !== undefined) refuse(`expected ${workloadNames.join(', ')}, got ${JSON.stringify(unknown)}`)
if (!isPositive(minutes) || minutes > 24 * 60) refuse(`expected minutes up to 1440, got ${JSON.stringify(values.minutes)}`)
if (!isPositive(rounds)) refuse(`expected a number of rounds, got ${JSON.stringify(values.rounds)}`)
if (!Number.isSafeInteger(seed)) refuse(`expected a whole number as seed, got ${JSON.stringify(values.seed)}`)

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

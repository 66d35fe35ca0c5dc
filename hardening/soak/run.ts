import { readArguments, refuse } from '../read-arguments.ts'
import { neighboursTable, runNeighbours } from './neighbours/run-neighbours.ts'
import { runSoak, type WorkloadName, workloadNames } from './soak.ts'
import { soakTable } from './soak-table.ts'

const usage = `
usage: npm run soak -- [agent] [server] [gateway] [options]
       npm run soak -- crashes [--kills n] [--minutes n]
       npm run soak -- neighbours [--runs n] [--seconds n]

  --minutes n  duration, at most 1440 (default: 5)
  --seed n     seed of the random numbers (default: 1)
  --rounds n   maximum number of rounds of each workload (default: 100000)
  --kills n    crashes: processes to kill, of three kinds (default: 500)
  --runs n     neighbours: pairs of runs, without and with the hostile client (default: 5)
  --seconds n  neighbours: duration of each run (default: 20)
`
const { values, positionals } = readArguments(usage, {
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '500' },
    runs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '20' },
  },
})
const [minutes, seed, rounds] = [values.minutes, values.seed, values.rounds].map(Number)
const [runs, seconds, kills] = [values.runs, values.seconds, values.kills].map(Number)
const isName = (word: string): word is WorkloadName => workloadNames.some((name) => name === word)

const isNeighbours = positionals[0] === 'neighbours' && positionals.length === 1
const unknown = isNeighbours ? undefined : positionals.find((word) => !isName(word))
if (unknown !== undefined) refuse(`expected ${workloadNames.join(', ')}, got ${JSON.stringify(unknown)}`)
if (!isPositive(minutes) || minutes > 24 * 60) refuse(`expected minutes up to 1440, got ${JSON.stringify(values.minutes)}`)
if (!isPositive(rounds)) refuse(`expected a number of rounds, got ${JSON.stringify(values.rounds)}`)
if (!isPositive(runs) || !isPositive(seconds) || !isPositive(kills)) refuse('expected numbers of runs, seconds and kills')
if (!Number.isSafeInteger(seed)) refuse(`expected a whole number as seed, got ${JSON.stringify(values.seed)}`)

const workloads = positionals.length === 0 ? workloadNames.filter((name) => name !== 'crashes') : positionals.filter(isName)
const each = Math.ceil(kills / 3)
const started = performance.now()
const say = (line: string) =>
  process.stderr.write(`${String(Math.round((performance.now() - started) / 1000)).padStart(5)} s  ${line}\n`)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    say('stopping: finishes and checks the current rounds; a second signal exits at once and leaves the folder behind')
    stop.abort()
  })
if (isNeighbours) {
  say(`neighbours: ${runs} pairs of ${seconds} seconds`)
  const result = await runNeighbours({ runs, seconds, tenants: 50, halfOpen: 1500, stop: stop.signal, say })
  process.stdout.write(neighboursTable(result))
  process.exit(result.failures.length > 0 || result.quotient > 3 ? 1 : 0)
}
say(`${workloads.join(', ')}: ${minutes} minutes, seed ${seed}`)
const progress = setInterval(() => say('still running'), 60_000)
const soaked = await runSoak({
  workloads,
  minutes,
  seed: seed ?? 1,
  rounds,
  kills: { agent: each, gateway: each, writer: each },
  isPatient: true,
  stop: stop.signal,
  say,
})
clearInterval(progress)
process.stdout.write(soakTable(soaked))
process.exitCode = soaked.journal.broken() > 0 ? 1 : 0

function isPositive(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0
}

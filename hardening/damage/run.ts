import { fileURLToPath } from 'node:url'
import { readArguments } from '../read-arguments.ts'
import { damageSessions, recordedLogs } from './damage-sessions.ts'

const usage = `
Usage: npm run damage -- [--times N] [--seed N]

Damages the logs of recorded sessions and counts the damages that nothing names, with checksums and without.

  --times N  damages of each kind (default: 40)
  --seed N   the same seed gives the same damages (default: 1)
`

const { values } = readArguments(usage, {
  options: { times: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
})
const options = { times: Number(values.times), seed: Number(values.seed) }
const logs = recordedLogs(fileURLToPath(new URL('../../../shared/sessions', import.meta.url)), 60_000)
let silent = 0
for (const isPlain of [true, false]) {
  const { sessions, counts } = await damageSessions({ ...options, isPlain, logs })
  process.stdout.write(`${isPlain ? 'Without' : 'With'} checksums, ${sessions} sessions\n`)
  const rows = [...counts, ['all', total([...counts.values()])] as const]
  process.stdout.write(`  ${'damage'.padEnd(36)} tried noticed harmless silent forgotten\n`)
  for (const [kind, { tried, noticed, harmless, silent: lost, forgotten }] of rows) {
    const cells = [tried, noticed, harmless, lost, forgotten].map((count, index) =>
      String(count).padStart([5, 7, 8, 6, 9][index] ?? 0),
    )
    process.stdout.write(`  ${kind.padEnd(36)} ${cells.join(' ')}\n`)
    if (!isPlain && kind === 'all') silent = lost + forgotten
  }
}
process.exitCode = silent === 0 ? 0 : 1

function total(counts: readonly Readonly<Record<'tried' | 'noticed' | 'harmless' | 'silent' | 'forgotten', number>>[]) {
  const sum = (name: keyof (typeof counts)[number]) => counts.reduce((all, count) => all + count[name], 0)
  return {
    tried: sum('tried'),
    noticed: sum('noticed'),
    harmless: sum('harmless'),
    silent: sum('silent'),
    forgotten: sum('forgotten'),
  }
}

import { fileURLToPath } from 'node:url'
import { readArguments } from '../read-arguments.ts'
import { type DamageCount, damageSessions, recordedLogs } from './damage-sessions.ts'
import { damageStores } from './damage-stores.ts'

const usage = `
usage: npm run damage -- [--times N] [--seed N]

Damages the logs of recorded sessions and counts the damages that nothing names, with checksums and without.

  --times N  damages of each kind (default: 40)
  --seed N   the same seed gives the same damages (default: 1)
`

const { values } = readArguments(usage, {
  options: { times: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
})
const widths = [5, 7, 8, 6, 9, 9]
const options = { times: Number(values.times), seed: Number(values.seed) }
const logs = recordedLogs(fileURLToPath(new URL('../../../shared/sessions', import.meta.url)), 60_000)
let silent = 0
const plain = await damageSessions({ ...options, isPlain: true, logs })
print(`Without checksums, ${plain.sessions} sessions`, plain.counts)
const sealed = await damageSessions({ ...options, logs })
silent += print(`With checksums, ${sealed.sessions} sessions`, sealed.counts)
silent += print('Rows of an SQLite store', await damageStores(options))
process.exitCode = silent === 0 ? 0 : 1

/** Prints a table, and returns how many damages no one learns of. */
function print(title: string, counts: ReadonlyMap<string, DamageCount>): number {
  process.stdout.write(`${title}\n`)
  const rows = [...counts, ['all', total([...counts.values()])] as const]
  process.stdout.write(`  ${'damage'.padEnd(36)} tried noticed harmless silent forgotten laundered\n`)
  for (const [kind, { tried, noticed, harmless, silent: lost, forgotten, laundered }] of rows) {
    const counted = [tried, noticed, harmless, lost, forgotten, laundered]
    const cells = counted.map((count, index) => String(count).padStart(widths[index] ?? 0))
    process.stdout.write(`  ${kind.padEnd(36)} ${cells.join(' ')}\n`)
  }
  const { silent: unnoticed, forgotten, laundered } = total([...counts.values()])
  return unnoticed + forgotten + laundered
}

function total(counts: readonly DamageCount[]): DamageCount {
  const sum = (name: keyof DamageCount) => counts.reduce((all, count) => all + count[name], 0)
  return {
    tried: sum('tried'),
    noticed: sum('noticed'),
    harmless: sum('harmless'),
    silent: sum('silent'),
    forgotten: sum('forgotten'),
    laundered: sum('laundered'),
  }
}

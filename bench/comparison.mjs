import { takeTurns } from './sampling.mjs'

/**
 * Measures the engine's entry points one by one, and each peer in turns with `buildView`: with more than two, the one after the
 * competitor that touches most memory would be slowed down. `bounds` are the targets for our own entry points: `median`,
 * `p99`, and `ratio` against the cheapest peer.
 */
export async function compare(competitors, rounds, bounds) {
  const [first] = competitors
  const rows = []
  for (const { name, create } of competitors.filter(({ peer }) => !peer)) {
    // One full run before the timed one: the code must be warm, not the objects.
    await takeTurns([create()], rounds)
    const [alone] = await takeTurns([create()], rounds)
    const targeted = !name.startsWith('trimMessages')
    rows.push({ name, value: alone.p50, unit: 'ms', spread: alone.spread, bound: targeted ? bounds.median : undefined })
    if (bounds.p99 !== undefined) {
      rows.push({
        name: `${name}: 99th percentile of ${alone.samples}`,
        value: alone.p99,
        unit: 'ms',
        bound: targeted ? bounds.p99 : undefined,
      })
    }
  }
  const duels = []
  for (const peer of competitors.filter(({ peer }) => peer)) {
    await takeTurns([peer.create()], rounds)
    const [ours, theirs] = await takeTurns([first.create(), peer.create()], rounds)
    rows.push({ name: peer.name, value: theirs.p50, unit: 'ms', spread: theirs.spread })
    duels.push({ name: `${first.name} / ${peer.name}`, value: ours.p50 / theirs.p50, unit: 'x' })
  }
  const highest = Math.max(...duels.map(({ value }) => value))
  return [...rows, ...duels.map((duel) => (duel.value === highest ? { ...duel, bound: bounds.ratio } : duel))]
}

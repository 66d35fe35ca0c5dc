import type { Finding } from '../../shared/spending.ts'
import type { Overview } from './overview.ts'

/** What cost most without need, the most expensive first: caches that were lost, and reads of files that had not changed. */
export function findingsIn({ reads, cacheLosses }: Pick<Overview, 'reads' | 'cacheLosses'>, max: number): readonly Finding[] {
  const [file] = reads.files
  const lost = (['pause', 'model', 'change'] as const).map((kind): Finding => {
    const worst = cacheLosses.rows.find(({ cause }) => cause === kind)
    return findingOf(kind, cacheLosses[kind], worst, worst?.tokens ?? 0)
  })
  return [...lost, findingOf('reads', reads.again, file, file?.repeats ?? 0, file?.path)]
    .filter(({ dollars }) => dollars > 0)
    .toSorted((one, other) => other.dollars - one.dollars)
    .slice(0, max)
}

function findingOf(
  kind: Finding['kind'],
  { count, dollars }: Overview['reads']['again'],
  worst: { readonly file: string; readonly title: string | null; readonly dollars: number | null } | undefined,
  amount: number,
  about = '',
): Finding {
  const place = worst === undefined ? null : { file: worst.file, title: worst.title, dollars: worst.dollars ?? 0, amount, about }
  return { kind, count, dollars: dollars ?? 0, worst: place }
}

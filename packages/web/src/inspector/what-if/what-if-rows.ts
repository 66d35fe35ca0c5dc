import type {
  WhatIf,
  WhatIfChoices,
  WhatIfParts,
  WhatIfQuestion,
  WhatIfRow,
} from '../../../../node/src/shared/inspection/embedded-inspection.ts'
import type { Strings } from '../../strings/strings-for.ts'

/** A policy set at one price, compared with trimming nothing. */
export interface ComparedRow {
  readonly row: WhatIfRow
  readonly isRaw: boolean
  /** The change of the effective bill against `raw`, as a share: -0.2 is a fifth less. Null if `raw` costs nothing. */
  readonly change: number | null
  readonly verdict: WhatIfVerdict
  /** The part of the bill that grew most against `raw`; null if none did. */
  readonly grew: keyof WhatIfParts | null
}

type WhatIfVerdict = keyof Strings['whatIf']['verdicts']

/** The parts of a bill in the order they are drawn. */
export const whatIfParts: readonly (keyof WhatIfParts)[] = ['read', 'write', 'fresh', 'output', 'recalls', 'keepAlive']

/** Smaller changes are within the simulation's error. */
const noticeable = 0.005

/** The rows of one price, the lowest effective cost first. */
export function comparedRows({ rows }: WhatIf, price: string): readonly ComparedRow[] {
  const priced = rows.filter((row) => row.price === price)
  const raw = priced.find(({ policies }) => policies === 'raw')
  return priced
    .map((row) => {
      const isRaw = row === raw
      const change = raw === undefined || !(raw.effective > 0) ? null : row.effective / raw.effective - 1
      const verdict = isRaw ? 'raw' : verdictOf(change ?? 0, row.lost)
      return { row, isRaw, change, verdict, grew: grownPart(row, raw) } as const
    })
    .toSorted((one, other) => one.row.effective - other.row.effective)
}

/** The most expensive row, so that bars can be compared. */
export function highestCost(rows: readonly ComparedRow[]): number {
  return rows.reduce((most, { row }) => Math.max(most, row.effective), 0)
}

/** A line of this size in pixels as an SVG path: the first value at the left edge, the last at the right. */
export function linePath(values: readonly number[], top: number, width: number, height: number): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const y = (value: number) => Math.round((height - (top > 0 ? (value / top) * height : 0)) * 10) / 10
  if (values.length === 1) return `M0 ${y(values[0] ?? 0)}H${width}`
  return values.map((value, index) => `${index === 0 ? 'M' : 'L'}${Math.round(index * step * 10) / 10} ${y(value)}`).join('')
}

function verdictOf(change: number, lost: number): WhatIfVerdict {
  const money = change < -noticeable ? 'cheaper' : change > noticeable ? 'costlier' : 'same'
  return lost > 0 ? `${money}-lossy` : money
}

function grownPart({ parts }: WhatIfRow, raw: WhatIfRow | undefined): keyof WhatIfParts | null {
  const growth = (part: keyof WhatIfParts) => parts[part] - (raw?.parts[part] ?? 0)
  const grown = whatIfParts.reduce((most, part) => (growth(part) > growth(most) ? part : most))
  return growth(grown) > 0 ? grown : null
}

/** The default choices, used until the others are known. */
export const usualChoices: WhatIfQuestion = {
  policies: ['raw', 'spec-immediate', 'spec', 'economy', 'economy-keep-alive', 'gateway-economy'],
  prices: ['session', 'r.10', 'r.05', 'r.025'],
}

/**
 * The first comparison, at the session's own prices: the economy mode of the entry point that the session would use, as
 * `plimsoll replay` does. A page without a server has its answers already, and shows all sets of Plimsoll.
 */
export function usualQuestion({ policies, prices, under }: WhatIfChoices, isOwn: boolean): WhatIfQuestion {
  const own = [isOwn ? 'economy' : 'gateway-economy']
  const wanted = under === undefined ? ['spec', 'economy', 'economy-keep-alive', 'gateway-economy'] : own
  const sets = wanted.filter((name) => policies.includes(name))
  return {
    policies: sets.length > 0 ? sets : policies.filter((name) => name !== 'raw'),
    prices: prices.slice(0, 1),
  }
}

/** The question with a policy set or a price added, or removed; in the order of the choices. */
export function withToggled(
  question: WhatIfQuestion,
  kind: 'policies' | 'prices',
  name: string,
  choices: WhatIfQuestion,
): WhatIfQuestion {
  return { ...question, [kind]: choices[kind].filter((known) => (known === name) !== question[kind].includes(known)) }
}

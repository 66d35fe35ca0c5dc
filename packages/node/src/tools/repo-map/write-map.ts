import { escapeUnprintable, estimator } from '@plimsoll/core'
import { shownPath } from '../workspace.ts'
import type { RankedSymbol } from './rank-symbols.ts'

/** A map as the model reads it. */
export interface WrittenMap {
  readonly text: string
  /** How many symbols it shows. */
  readonly shown: number
}

/** Writes as many of the symbols as fit into some tokens, the first ones first, by file and line. The notes always stand. */
export function writeMap(symbols: readonly RankedSymbol[], notes: readonly string[], maxTokens: number): WrittenMap {
  let [fits, tooMany] = [0, Math.min(symbols.length, maxTokens) + 1]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >>> 1
    if (estimator.count(written(symbols, middle, notes)) <= maxTokens) fits = middle
    else tooMany = middle
  }
  return { text: written(symbols, fits, notes), shown: fits }
}

function written(symbols: readonly RankedSymbol[], count: number, notes: readonly string[]): string {
  const files = new Map<string, RankedSymbol[]>()
  for (const symbol of symbols.slice(0, count)) {
    const own = files.get(symbol.path)
    if (own === undefined) files.set(symbol.path, [symbol])
    else own.push(symbol)
  }
  const shown = count === symbols.length ? [] : [`The ${count} most used of ${symbols.length} symbols are shown.`]
  const lines = [...notes, ...shown]
  for (const [path, own] of files) {
    lines.push('', shownPath(path))
    for (const { line, signature, isMember } of own.sort((a, b) => a.line - b.line))
      lines.push(`${isMember ? '    ' : '  '}${line}: ${escapeUnprintable(signature)}`)
  }
  return lines.join('\n')
}

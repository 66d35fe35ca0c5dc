import type { Price } from '@plimsoll/core/bill'
import type { TimingAccount } from '@plimsoll/core/policies'
import type { Strings } from '../../strings/strings-for.ts'
import { grouped, moneyText } from '../terminal/format-number.ts'
import type { Screen } from '../terminal/screen.ts'
import { displayWidth, fitWidth, wrapText } from '../terminal/text-width.ts'

/** What waits and why: the numbers behind the decision about the next request, and what was decided about the last one. */
export function timingLines(
  next: TimingAccount | null,
  last: TimingAccount | null,
  price: Price | null,
  strings: Strings['chat']['timing'],
  { paint, columns }: Screen,
): readonly string[] {
  if (next === null) return []
  const amount = (tokens: number) => amountText(tokens, price, strings)
  const rows: readonly (readonly [string, string])[] = [
    [strings.rows.waiting, strings.tokens(grouped(next.waitingTokens))],
    ...(next.waitingTokens === 0
      ? []
      : [[strings.rows.debt, amount(next.debt)] as const, [strings.rows.price, amount(next.price)] as const]),
    [strings.rows.bank, amount(next.bank)],
    [strings.rows.lifetime, strings.lifetime(next.lifetimeSeconds === null ? null : minutesText(next.lifetimeSeconds))],
    ...(last === null ? [] : [[strings.rows.last, decisionText(last, strings)] as const]),
  ]
  const width = Math.max(...rows.map(([name]) => displayWidth(name))) + 2
  return [
    paint('bold', strings.title),
    ...wrapText(decisionText(next, strings), columns - 2).map((line) => `  ${line}`),
    ...rows.flatMap(([name, text]) =>
      wrapText(text, Math.max(16, columns - width - 4)).map(
        (line, index) => `  ${index === 0 ? fitWidth(name, width) : ' '.repeat(width)}${line}`,
      ),
    ),
  ]
}

function decisionText({ decision, cold }: TimingAccount, strings: Strings['chat']['timing']): string {
  return decision === 'cold' && cold !== null ? `${strings.decisions.cold} (${strings.cold[cold]})` : strings.decisions[decision]
}

/** Tokens of input at its full price, as dollars where that is known. */
function amountText(tokens: number, price: Price | null, strings: Strings['chat']['timing']): string {
  const count = strings.tokens(`${tokens < 0 ? '-' : ''}${grouped(Math.round(Math.abs(tokens)))}`)
  if (price === null || !(price.input > 0)) return count
  const dollars = (tokens * price.input) / 1_000_000
  return `${dollars < 0 ? '-' : ''}${moneyText(Math.abs(dollars))} (${count})`
}

function minutesText(seconds: number): string {
  const minutes = seconds / 60
  return minutes < 10 ? String(Math.round(minutes * 10) / 10) : grouped(Math.round(minutes))
}

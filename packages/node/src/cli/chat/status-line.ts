import { promptTotal } from '@plimsoll/core/bill'
import { cacheLifetime } from '../../model/prompt-cache.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { moneyText } from '../terminal/format-number.ts'
import type { Paint } from '../terminal/paint.ts'
import { cutToWidth, displayWidth } from '../terminal/text-width.ts'
import type { Meter } from './chat-state.ts'
import { shortTokens } from './format-amount.ts'

/** What stands under the input. */
export interface Status {
  readonly model: string
  readonly isOffline: boolean
  /** False where the model is known to have no prompt cache. */
  readonly hasCache: boolean
  readonly mode: string
  /** The folder the agent works in, as people write it. */
  readonly root: string
  readonly meter: Meter
  /** The time in milliseconds. */
  readonly now: number
}

/** The status on one line, folded into a second where it is too long; what does not fit there either is left out, the least first. */
export function statusLines(status: Status, strings: Strings['chat'], columns: number, paint: Paint): readonly string[] {
  const { meter } = status
  const share = meter.usable > 0 ? Math.round((meter.tokens / meter.usable) * 100) : 0
  const source = meter.source === 'usage' ? strings.measured : strings.estimated
  // Nothing is known before the next request was measured for the first time.
  const load = meter.usable > 0 ? `${shortTokens(meter.tokens)}/${shortTokens(meter.usable)} ${share} % ${source}` : ''
  const isUnknown = meter.unpriced > 0 && meter.dollars === 0
  const known = meter.unpriced > 0 ? strings.atLeast(moneyText(meter.dollars)) : moneyText(meter.dollars)
  const money = isUnknown ? strings.unpriced : known
  const pieces: readonly Piece[] = [
    { text: status.isOffline ? strings.offlineModel : status.model, weight: 1 },
    { text: load, weight: 0, isWarning: share >= 80 },
    { text: cacheText(status, strings), weight: 3 },
    { text: status.isOffline ? '' : money, weight: 2 },
    { text: meter.waitingTokens > 0 ? strings.waitingTokens(shortTokens(meter.waitingTokens)) : '', weight: 3.5 },
    { text: keptText(meter, strings), weight: 3.6 },
    { text: status.mode, weight: 4 },
    { text: status.root, weight: 5 },
  ]
  return fitting(
    pieces.filter(({ text }) => text !== ''),
    columns,
  ).map((line) =>
    line.map(({ text, isWarning }) => paint(isWarning === true ? 'warning' : 'dim', text)).join(paint('dim', ' · ')),
  )
}

interface Piece {
  readonly text: string
  /** The highest is left out first. */
  readonly weight: number
  readonly isWarning?: boolean
}

const mostLines = 2

function fitting(pieces: readonly Piece[], columns: number): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [[]]
  let width = 0
  for (const piece of pieces) {
    const text = cutToWidth(piece.text, columns)
    const own = displayWidth(text)
    if (width > 0 && width + 3 + own > columns) {
      lines.push([])
      width = 0
    }
    lines.at(-1)?.push({ ...piece, text })
    width += own + (width === 0 ? 0 : 3)
  }
  if (lines.length <= mostLines) return lines
  const heaviest = pieces.reduce((one, other) => (other.weight > one.weight ? other : one))
  return fitting(
    pieces.filter((piece) => piece !== heaviest),
    columns,
  )
}

function keptText({ keepAlive: { times, dollars } }: Meter, strings: Strings['chat']): string {
  return times === 0 ? '' : strings.keptAlive(times, moneyText(dollars))
}

/** Whether the provider still has the beginning of the conversation, as far as its last answer tells. */
function cacheText({ hasCache, meter: { last, lifetimeSeconds }, now, isOffline }: Status, strings: Strings['chat']): string {
  if (!hasCache || isOffline || last === null) return strings.noCache
  const { usage, at } = last
  const prompt = promptTotal(usage)
  if (now - at > (lifetimeSeconds === null ? cacheLifetime : lifetimeSeconds * 1000)) return strings.coldCache
  if (usage.cacheRead === 0) return usage.cacheWrite > 0 ? strings.hotCache('0 %') : strings.coldCache
  return strings.hotCache(`${Math.round((usage.cacheRead / Math.max(1, prompt)) * 100)} %`)
}

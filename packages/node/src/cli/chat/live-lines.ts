import { promptTotal } from '@plimsoll/core/bill'
import { cacheLifetime } from '../../model/prompt-cache.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { Paint } from '../terminal/screen.ts'
import {
  cleanLine,
  cutToWidth,
  displayWidth,
  durationText,
  fitWidth,
  grouped,
  moneyText,
  shortTokens,
  wrapText,
} from '../terminal/text.ts'
import { answerLines, type Drawing } from './block-lines.ts'
import type { ChatState, Meter, RunningCall } from './chat-state.ts'

/** Draws the current work in at most `most` lines: text as it arrives, running calls, progress. */
export function liveLines(state: ChatState, now: number, max: number, drawing: Drawing): readonly string[] {
  const { paint, columns, strings } = drawing
  const { chat } = strings
  const { answer, reasoning, calls, compaction, busySince } = state
  const spoken = answer.text === '' ? [] : answerLines(answer.text.replace(/(?<!\n)\n+$/, ''), answer.isCode, columns, paint)
  const thought = reasoning === null ? [] : [paint('dim', cutToWidth(`∴ ${cleanLine(reasoning.line.trimEnd())}`, columns))]
  const time = durationText(Math.max(0, now - (busySince ?? now)))
  const working = `${spinner(now)} ${workText(state, drawing)} ${time} · ${chat.escStops}`
  const below = [
    ...calls.flatMap((call) => runningLines(call, drawing)),
    ...(compaction === null ? [] : compactionLines(compaction, drawing)),
    ...(state.isRecovering ? wrapText(`⟳ ${chat.recovering}`, columns).map((line) => paint('warning', line)) : []),
    ...state.waiting
      .slice(0, 3)
      .map((text) => paint('dim', cutToWidth(`${chat.waiting} ${cleanLine(text.slice(0, 500))}`, columns))),
    ...(busySince === null || state.dialog !== null ? [] : [paint('dim', cutToWidth(working, columns))]),
  ]
  const room = Math.max(1, max - below.length)
  return [...[...thought, ...spoken].slice(-room), ...below].slice(-Math.max(1, max))
}

function workText({ calls, compaction, answer, reasoning }: ChatState, { strings: { chat } }: Drawing): string {
  if (compaction !== null) return chat.doing.compacting
  if (calls.length > 0) return chat.doing.running
  if (reasoning !== null) return chat.doing.thinking
  return answer.text === '' ? chat.doing.waiting : chat.doing.answering
}

function runningLines(call: RunningCall, { paint, columns }: Drawing): readonly string[] {
  const head = cutToWidth([call.tool, call.about].filter((text) => text !== '').join(' '), columns - 2)
  const output = call.output.at(-1) === '' ? call.output.slice(0, -1) : call.output
  return [
    `${paint('warning', '○')} ${head}`,
    ...(call.message === '' && call.progress === null ? [] : [progressLine(call.message, call.progress, columns, paint)]),
    ...output.slice(-5).map((line) => paint('dim', cutToWidth(`  │ ${cleanLine(line)}`, columns))),
  ]
}

const barCells = 24

function progressLine(message: string, progress: number | null, columns: number, paint: Paint): string {
  if (progress === null || !Number.isFinite(progress)) return paint('dim', cutToWidth(`  ${message}`, columns))
  const share = Math.min(100, Math.max(0, progress))
  const cells = Math.min(barCells, Math.max(4, columns - 20))
  const full = Math.round((share / 100) * cells)
  const bar = `${'█'.repeat(full)}${paint('dim', '░'.repeat(cells - full))}`
  const rest = Math.max(0, columns - cells - 9)
  return `  ${bar} ${fitWidth(`${Math.round(share)} %`, 5, 'right')} ${paint('dim', cutToWidth(message, rest))}`
}

function compactionLines({ start, written }: NonNullable<ChatState['compaction']>, drawing: Drawing): readonly string[] {
  const { strings, paint, columns } = drawing
  const what = strings.turn.roundsFolded(start.messages, start.rounds.folded, start.rounds.kept)
  const how = written === 0 ? '' : ` · ${strings.requestCommands.written(grouped(written))}`
  return wrapText(`⤵ ${what}${how}`, columns).map((line) => paint('warning', line))
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

function spinner(now: number): string {
  return frames[Math.floor(now / 100) % frames.length] ?? '·'
}

/** The facts of the status line. */
export interface Status {
  readonly model: string
  readonly isOffline: boolean
  /** False if the model is known to have no prompt cache. */
  readonly hasCache: boolean
  readonly mode: string
  readonly root: string
  readonly meter: Meter
  readonly now: number
}

/**
 * Draws the status on one line, or on two if it is too long; pieces that still do not fit are omitted, the least important first.
 */
export function statusLines(status: Status, strings: Strings['chat'], columns: number, paint: Paint): readonly string[] {
  const { meter } = status
  const share = meter.usable > 0 ? Math.round((meter.tokens / meter.usable) * 100) : 0
  const source = meter.source === 'usage' ? strings.measured : strings.estimated
  // The load is unknown until the next request is measured for the first time.
  const load = meter.usable > 0 ? strings.load(shortTokens(meter.tokens), shortTokens(meter.usable), `${share} %`, source) : ''
  const isUnknown = meter.unpriced > 0 && meter.dollars === 0
  const known = meter.unpriced > 0 ? strings.atLeast(moneyText(meter.dollars)) : moneyText(meter.dollars)
  const money = isUnknown ? strings.unpriced : known
  const { keepAlive: kept } = meter
  const pieces: readonly Piece[] = [
    { text: status.isOffline ? strings.offlineModel : status.model, weight: 1 },
    { text: load, weight: 0, isWarning: share >= 80 },
    { text: cacheText(status, strings), weight: 3 },
    { text: status.isOffline ? '' : money, weight: 2 },
    { text: meter.waitingTokens > 0 ? strings.waitingTokens(shortTokens(meter.waitingTokens)) : '', weight: 3.5 },
    { text: kept.times === 0 ? '' : strings.keptAlive(kept.times, moneyText(kept.dollars)), weight: 3.6 },
    { text: status.mode, weight: 4 },
    { text: status.root, weight: 5 },
  ]
  const filled = pieces.filter(({ text }) => text !== '')
  return fitting(filled, columns).map((line) =>
    line.map(({ text, isWarning }) => paint(isWarning === true ? 'warning' : 'dim', text)).join(paint('dim', ' · ')),
  )
}

interface Piece {
  readonly text: string
  /** The highest is omitted first. */
  readonly weight: number
  readonly isWarning?: boolean
}

const maxLines = 2

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
  if (lines.length <= maxLines) return lines
  const heaviest = pieces.reduce((one, other) => (other.weight > one.weight ? other : one))
  const lighter = pieces.filter((piece) => piece !== heaviest)
  return fitting(lighter, columns)
}

/** Whether the provider still has the beginning of the conversation, judged by its last answer. */
function cacheText({ hasCache, meter: { last, lifetimeSeconds }, now, isOffline }: Status, strings: Strings['chat']): string {
  if (!hasCache || isOffline || last === null) return strings.noCache
  const { usage, at } = last
  const prompt = promptTotal(usage)
  if (now - at > (lifetimeSeconds === null ? cacheLifetime : lifetimeSeconds * 1000)) return strings.coldCache
  if (usage.cacheRead === 0) return usage.cacheWrite > 0 ? strings.hotCache('0 %') : strings.coldCache
  return strings.hotCache(`${Math.round((usage.cacheRead / Math.max(1, prompt)) * 100)} %`)
}

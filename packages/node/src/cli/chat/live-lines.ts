import { grouped } from '../terminal/format-number.ts'
import type { Paint } from '../terminal/paint.ts'
import { cutToWidth, fitWidth, wrapText } from '../terminal/text-width.ts'
import { answerLines } from './answer-lines.ts'
import { type Drawing } from './block-lines.ts'
import type { ChatState, RunningCall } from './chat-state.ts'
import { cleanLine } from './clean-lines.ts'
import { durationText } from './format-amount.ts'

/** What is going on right now, in at most so many lines: words as they arrive, running calls, progress. */
export function liveLines(state: ChatState, now: number, most: number, drawing: Drawing): readonly string[] {
  const { paint, columns, strings } = drawing
  const { chat } = strings
  const { answer, reasoning, calls, compaction, busySince } = state
  const spoken = answer.text === '' ? [] : answerLines(answer.text.replace(/\n+$/, ''), answer.isCode, columns, paint)
  const thought = reasoning === null ? [] : [paint('dim', cutToWidth(`∴ ${cleanLine(reasoning.line.trimEnd())}`, columns))]
  const working =
    busySince === null || state.dialog !== null
      ? []
      : [
          paint(
            'dim',
            cutToWidth(
              `${spinner(now)} ${workText(state, drawing)} ${durationText(Math.max(0, now - busySince))} · ${chat.escStops}`,
              columns,
            ),
          ),
        ]
  const below = [
    ...calls.flatMap((call) => runningLines(call, drawing)),
    ...(compaction === null ? [] : compactionLines(compaction, drawing)),
    ...(state.isRecovering ? wrapText(`⟳ ${chat.recovering}`, columns).map((line) => paint('warning', line)) : []),
    ...state.waiting
      .slice(0, 3)
      .map((text) => paint('dim', cutToWidth(`${chat.waiting} ${cleanLine(text.slice(0, 500))}`, columns))),
    ...working,
  ]
  const room = Math.max(1, most - below.length)
  return [...[...thought, ...spoken].slice(-room), ...below].slice(-Math.max(1, most))
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

/** A bar with how far something is, or its words alone where nobody can know. */
function progressLine(message: string, progress: number | null, columns: number, paint: Paint): string {
  if (progress === null || !Number.isFinite(progress)) return paint('dim', cutToWidth(`  ${message}`, columns))
  const share = Math.min(100, Math.max(0, progress))
  const cells = Math.min(barCells, Math.max(4, columns - 20))
  const full = Math.round((share / 100) * cells)
  const bar = `${'█'.repeat(full)}${paint('dim', '░'.repeat(cells - full))}`
  const rest = Math.max(0, columns - cells - 9)
  return `  ${bar} ${fitWidth(`${Math.round(share)} %`, 5, 'right')} ${paint('dim', cutToWidth(message, rest))}`
}

/** The same words that the command for it has. */
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

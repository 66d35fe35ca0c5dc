import { promptTotal } from '@plimsoll/core/bill'
import type { AgentError } from '../../shared/event.ts'
import { agentErrorText, noticeText } from '../../shared/strings/strings-for.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { Paint } from '../terminal/screen.ts'
import {
  change,
  cleanLine,
  cleanLines,
  cutToWidth,
  displayWidth,
  durationText,
  grouped,
  moneyText,
  wrapText,
} from '../terminal/text.ts'
import type { Block } from './chat-state.ts'
import type { CallSummary } from './summarise-call.ts'

export interface Drawing {
  readonly strings: Strings
  readonly locale: string | null
  readonly paint: Paint
  readonly columns: number
}

/** Draws a finished block as lines of the terminal, none wider than it. */
export function blockLines(block: Block, drawing: Drawing): readonly string[] {
  const { strings, paint, columns } = drawing
  const { chat } = strings
  switch (block.kind) {
    case 'user':
      return ['', ...saidLines(block.text, drawing)]
    case 'answer':
      return answerLines(block.text, block.isCode, columns, paint)
    case 'reasoning':
      return [paint('dim', cutToWidth(`∴ ${chat.thought(grouped(block.characters))} ${block.last}`.trimEnd(), columns))]
    case 'call':
      return callLines(block, drawing)
    case 'notice': {
      const details = block.details === null ? '' : ` (${cleanLine(block.details.slice(0, 500))})`
      const message = cleanLines(block.message.slice(0, 2000)).join(' ')
      return dimLines(`· ${noticeText(block.code, message, drawing.locale)}${details}`, drawing)
    }
    case 'error':
      return errorLines(block.error, drawing)
    case 'compaction': {
      const { outcome, tokensBefore, tokensAfter, kept } = block.end
      if (outcome !== 'compacted') return dimLines(`· ${chat.compactionNot[outcome]}`, drawing)
      const sizes = strings.view.closing(grouped(tokensBefore), grouped(tokensAfter), change(tokensBefore, tokensAfter))
      const rounds = block.start?.rounds ?? null
      const what =
        rounds === null ? '' : `${strings.turn.roundsFolded(block.start?.messages ?? 0, rounds.folded, rounds.kept)} · `
      return [
        ...wrapText(`⤵ ${what}${sizes}`, columns).map((line) => paint('bold', line)),
        // If the model failed, the notices that follow say what is kept.
        ...(kept === null || (kept !== 'summary' && block.start?.writer === 'model')
          ? []
          : dimLines(`  ${strings.requestCommands.kept[kept]}`, drawing)),
      ]
    }
    case 'turn':
      return turnLines(block, drawing)
    case 'lines':
      return block.lines
  }
}

function saidLines(text: string, { paint, columns }: Drawing): readonly string[] {
  const lines = cleanLines(text)
  const shown = lines.length > 20 ? [...lines.slice(0, 18), `… +${lines.length - 18}`] : lines
  return shown.flatMap((line, index) => {
    const pieces = line === '' ? [''] : wrapText(line, Math.max(10, columns - 2))
    return pieces.map((piece, row) => paint('bold', `${index === 0 && row === 0 ? '›' : ' '} ${piece}`))
  })
}

function callLines(block: Extract<Block, { kind: 'call' }>, { strings, paint, columns }: Drawing): readonly string[] {
  const { summary, durationMs } = block
  const sign = paint(summary.isError ? 'error' : 'good', summary.isError ? '✗' : '●')
  const head = cutToWidth([block.tool, block.about].filter((text) => text !== '').join(' '), columns - 2)
  const told = resultText(summary, strings.chat)
  const time = durationMs >= 1000 ? ` · ${durationText(durationMs)}` : ''
  return [
    `${sign} ${paint('bold', head.slice(0, block.tool.length))}${head.slice(block.tool.length)}`,
    ...(summary.isError
      ? failureLines(`${told}${time}`, columns).map((line) => paint('error', line))
      : [paint('dim', cutToWidth(`  └ ${told}${time}`, columns))]),
    ...diffLines(summary.diff, columns - 4, paint).map((line) => `    ${line}`),
    ...summary.output.map((line) => paint('dim', cutToWidth(`    ${line}`, columns))),
    ...(summary.more === 0 ? [] : [paint('dim', `    ${strings.chat.moreLines(grouped(summary.more))}`)]),
  ]
}

const maxFailureLines = 3

function failureLines(text: string, columns: number): readonly string[] {
  const lines = wrapText(text, Math.max(10, columns - 4))
  const shown = lines.slice(0, maxFailureLines)
  const rest = lines.slice(maxFailureLines - 1).join(' ')
  return shown.map((line, index) =>
    cutToWidth(`${index === 0 ? '  └ ' : '    '}${index === maxFailureLines - 1 ? rest : line}`, columns),
  )
}

export function diffLines(lines: readonly string[], columns: number, paint: Paint): readonly string[] {
  return lines.map((line) => {
    const shown = cutToWidth(line, Math.max(4, columns))
    if (line.startsWith('+')) return paint('good', shown)
    return line.startsWith('-') ? paint('error', shown) : paint('dim', shown)
  })
}

function resultText(summary: CallSummary, strings: Strings['chat']): string {
  if (summary.isError && summary.exitCode === null) return summary.first
  const facts = [
    ...(summary.exitCode === null ? [] : [strings.exitCode(summary.exitCode)]),
    ...(summary.added + summary.removed > 0 ? [`+${summary.added} −${summary.removed}`] : []),
    ...(summary.matches === null ? [] : [strings.matches(grouped(summary.matches))]),
    ...(summary.files === null ? [] : [strings.files(grouped(summary.files))]),
    ...summary.saved.map((path) => strings.savedTo(path)),
  ]
  if (facts.length > 0 && summary.exitCode === null) return facts.join(' · ')
  if (summary.said !== null) return summary.said
  const output =
    summary.lines === 0
      ? [strings.nothingPrinted]
      : summary.lines === 1 && summary.exitCode !== null
        ? [summary.first]
        : [strings.lines(grouped(summary.lines))]
  return [...facts, ...output].join(' · ')
}

function errorLines(error: AgentError, drawing: Drawing): readonly string[] {
  const { paint, columns } = drawing
  const { message, suggestion } = agentErrorText(error, drawing.locale)
  const clean = (text: string) => cleanLines(text.slice(0, 4000)).join(' ')
  return [
    ...wrapText(`✗ ${clean(message)}`, columns).map((line) => paint('error', line)),
    ...(suggestion === null ? [] : wrapText(`  → ${clean(suggestion)}`, columns)),
  ]
}

function turnLines({ end, durationMs }: Extract<Block, { kind: 'turn' }>, drawing: Drawing): readonly string[] {
  const { strings } = drawing
  const { chat } = strings
  const { usage, cost, steps, outcome } = end
  const prompt = promptTotal(usage)
  const facts = [
    ...(outcome === 'finished' ? [] : [chat.turnOutcome[outcome]]),
    ...(durationMs === null ? [] : [durationText(durationMs)]),
    // An unanswered request is not counted, and its cost is unknown.
    ...(steps === 0 ? [] : [chat.requests(steps)]),
    ...(prompt === 0 ? [] : [chat.turnTokens(grouped(prompt), grouped(usage.output))]),
    ...(prompt > 0 && usage.cacheRead > 0 ? [chat.readFromCache(`${Math.round((usage.cacheRead / prompt) * 100)} %`)] : []),
    ...(cost.dollars === 0 && (cost.unpriced > 0 || prompt === 0) ? [] : [moneyText(cost.dollars)]),
  ]
  return dimLines(`∙ ${facts.join(' · ')}`, drawing)
}

function dimLines(text: string, { paint, columns }: Drawing): readonly string[] {
  return wrapText(text, columns).map((line) => paint('dim', line))
}

/** Draws a model's text: bold and code are painted, lists keep their indent, code blocks stay unchanged. */
export function answerLines(text: string, isCode: boolean, columns: number, paint: Paint): readonly string[] {
  const lines: string[] = []
  let inCode = isCode
  for (const line of cleanLines(text)) {
    const isFence = isFenceLine(line)
    if (isFence || inCode) for (const piece of hardWrap(line, columns)) lines.push(paint('dim', piece))
    else for (const piece of wrapIndented(line, columns)) lines.push(emphasise(piece, paint))
    if (isFence) inCode = !inCode
  }
  return lines
}

function isFenceLine(line: string): boolean {
  return /^ {0,3}(?:```|~~~)/.test(line)
}

/** Whether code continues after a text that started inside code or not. */
export function codeAfter(text: string, isCode: boolean): boolean {
  let inCode = isCode
  for (const line of text.split('\n')) if (isFenceLine(line)) inCode = !inCode
  return inCode
}

/** Breaks code only at the end of the terminal, and keeps its blanks. */
function hardWrap(line: string, columns: number): readonly string[] {
  if (displayWidth(line) <= columns) return [line]
  const pieces: string[] = []
  let piece = ''
  let width = 0
  for (const { segment } of graphemes.segment(line)) {
    const own = displayWidth(segment)
    if (width + own > columns) {
      pieces.push(piece)
      piece = ''
      width = 0
    }
    piece += segment
    width += own
  }
  return [...pieces, piece]
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Continues a list item under its first word. */
function wrapIndented(line: string, columns: number): readonly string[] {
  if (displayWidth(line) <= columns) return [line]
  const indent = /^ {0,12}(?:[-*+] |\d{1,3}[.)] )?/.exec(line)?.[0] ?? ''
  const hanging = indent.length < columns / 2 ? indent : ''
  const rest = wrapText(line.slice(hanging.length), columns - hanging.length)
  return rest.map((piece, index) => (index === 0 ? hanging : ' '.repeat(hanging.length)) + piece)
}

function emphasise(line: string, paint: Paint): string {
  if (/^#{1,6} /.test(line)) return paint('bold', line)
  return line
    .replace(/\*\*([^*\n]{1,300})\*\*/g, (whole, bold: string) => {
      const painted = paint('bold', bold)
      // If nothing is painted, the stars are the only sign of it.
      return painted === bold ? whole : painted
    })
    .replace(/`[^`\n]{1,300}`/g, (code) => paint('bold', code))
}

import { type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core/bill'
import { timeText } from '../../files/time-and-size.ts'
import type { InspectedEdit, InspectedRequest, Inspection } from '../../shared/inspection/inspection.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { shareCells } from '../requests/window-section.ts'
import type { CellTint, TextScreen } from '../terminal/screen.ts'
import {
  change,
  cleanText,
  cutToWidth,
  displayWidth,
  fitWidth,
  grouped,
  moneyText,
  percent,
  shortNumber,
  sizeText,
  wrapText,
} from '../terminal/text.ts'

/** A message by its number, from 0, with its text on one line. */
export type BigMessage = { readonly number: number; readonly text: string }

/** Draws the window of a session, its history and its cost for a terminal. */
export function inspectScreen(
  inspection: Inspection,
  biggest: readonly BigMessage[],
  strings: Strings,
  screen: TextScreen,
): string {
  const { paint } = screen
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', ...wrapText(title, screen.columns).map((line) => paint('bold', line)), ...lines]
  const screenStrings = strings.inspect.screen
  const { edits, requests, troubles, note } = inspection
  const compactions = requests.filter(({ isCompacted }) => isCompacted).length
  const broken = requests.filter((request) => request.broken !== null)
  const summary = [
    screenStrings.requests(requests.length, grouped(requests.length)),
    screenStrings.peak(grouped(requests.reduce((most, { fill }) => Math.max(most, fill.tokens), 0))),
    ...(compactions === 0 ? [] : [screenStrings.compactions(compactions)]),
    ...(broken.length === 0 ? [] : [screenStrings.breaks(broken.length)]),
  ]
  const lines = [
    ...headLines(inspection, strings, screen),
    '',
    ...fillLines(inspection, strings, screen),
    ...(requests.length === 0 ? [] : section(summary.join(' · '), requestBars(requests, screenStrings, screen))),
    ...section(screenStrings.breakTitle(broken.length), breakLines(requests, strings, screen)),
    ...section(screenStrings.biggest, biggestLines(inspection, biggest, strings, screen)),
    ...section(screenStrings.edits(edits.length), ruleLines(edits, strings, screen)),
    ...section(screenStrings.money, moneyLines(inspection, strings, screen)),
    ...section(screenStrings.troubles(troubles.length), problemLines(troubles, strings, screen)),
    ...(note === undefined ? [] : ['', ...wrapText(cleanText(note), screen.columns)]),
    ...(screen.endless ? [] : ['', ...wrapText(screenStrings.next, screen.columns).map((line) => paint('dim', line))]),
  ]
  return `${lines.join('\n')}\n`
}

function headLines({ session, messages }: Inspection, strings: Strings, screen: TextScreen): readonly string[] {
  const { paint, columns, endless } = screen
  const { title, format, model, first, last, bytes } = session
  const facts = [
    cleanText(format),
    ...(model === null ? [] : [cleanText(model)]),
    ...(first === null || last === null ? [] : [`${timeText(first)} – ${timeText(last)}`]),
    strings.sessionCommands.messages(messages.ids.length, grouped(messages.ids.length)),
    ...(bytes === null ? [] : [sizeText(bytes)]),
  ]
  const name = cleanText(title ?? strings.inspect.screen.untitled)
  const fit = (text: string) => (endless ? text : cutToWidth(text, columns))
  const { simulated } = strings.inspect.screen
  const notice = session.under === undefined ? [] : wrapText(simulated(session.under.policies), columns)
  return [paint('bold', fit(name)), paint('dim', fit(` ${facts.join(' · ')}`)), ...notice]
}

const cells: Readonly<Record<WindowCategory, { readonly symbol: string; readonly tint: CellTint }>> = {
  system: { symbol: 'S', tint: 'grey' },
  rules: { symbol: 'L', tint: 'bright-green' },
  tools: { symbol: 'D', tint: 'magenta' },
  user: { symbol: 'U', tint: 'green' },
  assistant: { symbol: 'A', tint: 'blue' },
  reasoning: { symbol: 'R', tint: 'bright-blue' },
  calls: { symbol: 'C', tint: 'cyan' },
  results: { symbol: 'T', tint: 'yellow' },
  images: { symbol: 'M', tint: 'red' },
  summaries: { symbol: 'Z', tint: 'bright-magenta' },
}
const freeSymbol = '·'
const reserveSymbol = '░'
const shownTools = 4

function fillLines({ fill, recorded }: Inspection, strings: Strings, screen: TextScreen): readonly string[] {
  const { paint, columns } = screen
  const screenStrings = strings.inspect.screen
  const { tokens, window, reserve, source, categories } = fill
  const usable = Math.max(0, window - reserve)
  const facts = [
    screenStrings.used(grouped(tokens), grouped(window), percent(tokens / Math.max(1, window))),
    ...(recorded === undefined
      ? [source === 'usage' ? screenStrings.measured : screenStrings.estimated]
      : [screenStrings.recordedTokens(grouped(recorded.fill.tokens), change(recorded.fill.tokens, tokens))]),
    screenStrings.reserve(grouped(reserve)),
  ]
  const present = windowCategories.filter((name) => (categories[name] ?? 0) > 0)
  const shares = [
    ...present.map((name) => ({ symbol: cells[name].symbol, tokens: categories[name] ?? 0 })),
    { symbol: freeSymbol, tokens: Math.max(0, usable - tokens) },
    { symbol: reserveSymbol, tokens: reserve },
  ]
  const tints = new Map<string, CellTint>(present.map((name) => [cells[name].symbol, cells[name].tint]))
  const bar = shareCells(shares, columns - 4).map((symbol) => paint(tints.get(symbol) ?? 'dim', symbol))
  const nameWidth = 26
  const row = (symbol: string, tint: CellTint | 'dim', name: string, count: number) =>
    `  ${paint(tint, symbol)} ${fitWidth(name, nameWidth)}${fitWidth(grouped(count), 10, 'right')}${fitWidth(percent(count / Math.max(1, window)), 9, 'right')}`
  return [
    paint('bold', strings.fill.title),
    ...wrapText(facts.join(' · '), columns - 2).map((line) => `  ${line}`),
    ...(tokens > usable ? [paint('warning', `  ! ${screenStrings.over(grouped(tokens - usable))}`)] : []),
    `  ${bar.join('')}`,
    ...present.flatMap((name) => [
      row(cells[name].symbol, cells[name].tint, strings.fill.categories[name], categories[name] ?? 0),
      ...(name === 'results' ? toolRows(fill, strings).map(([tool, count]) => row(' ', 'dim', `  ${tool}`, count)) : []),
    ]),
    row(freeSymbol, 'dim', screenStrings.free, Math.max(0, usable - tokens)),
    row(reserveSymbol, 'dim', screenStrings.kept, reserve),
  ]
}

/** The largest tools by name; the others share a row. A single tool gets no row. */
function toolRows({ results }: WindowFill, strings: Strings): readonly (readonly [string, number])[] {
  if (results.length < 2) return []
  const named = results.slice(0, results.length <= shownTools + 1 ? results.length : shownTools)
  const others = results.slice(named.length)
  const rows = named.map(({ tool, tokens }) => [cleanText(tool) || strings.view.unnamedTool, tokens] as const)
  if (others.length === 0) return rows
  const rest = others.reduce((sum, { tokens }) => sum + tokens, 0)
  return [...rows, [strings.inspect.screen.otherTools(others.length), rest]]
}

const shownBreaks = 5

function breakLines(requests: readonly InspectedRequest[], strings: Strings, screen: TextScreen): readonly string[] {
  const screenStrings = strings.inspect.screen
  return requests
    .flatMap(({ broken }, index) => (broken === null ? [] : [{ index, broken }]))
    .toSorted((one, other) => other.broken.tokens - one.broken.tokens)
    .slice(0, shownBreaks)
    .flatMap(({ index, broken: { reason, policy, message, tokens } }) => {
      const why = policy === null ? screenStrings.breakReason[reason] : screenStrings.byRule(cleanText(policy))
      const where = message === null ? screenStrings.beforeMessages : screenStrings.atMessage(grouped(message + 1))
      const text = screenStrings.breakLine(grouped(index + 1), why, where, shortNumber(tokens))
      return wrapText(text, screen.columns - 4).map((line, number) => `${number === 0 ? '  x ' : '    '}${line}`)
    })
}

function biggestLines(
  { messages }: Inspection,
  biggest: readonly BigMessage[],
  strings: Strings,
  { paint, columns, endless }: TextScreen,
): readonly string[] {
  const { categories } = strings.fill
  const { screen } = strings.inspect
  return biggest.map(({ number, text }) => {
    const tokens = messages.tokens[number] ?? 0
    const shown = messages.shown[number] ?? 0
    const category = messages.categories[number]
    const marks = shown === tokens ? '' : ` (${screen.shownAs(shortNumber(shown))})`
    const start = `  ${fitWidth(shortNumber(tokens), 7, 'right')}  ${fitWidth(`#${number + 1}`, 7)}${fitWidth(category === undefined ? '' : categories[category], 14)}`
    const room = columns - displayWidth(start) - displayWidth(marks)
    return `${start}${endless ? text : cutToWidth(text, Math.max(8, room))}${paint('dim', marks)}`.trimEnd()
  })
}

function ruleLines(edits: readonly InspectedEdit[], strings: Strings, { columns }: TextScreen): readonly string[] {
  const { screen } = strings.inspect
  const rules = [...Map.groupBy(edits, ({ policy }) => policy)].map(([policy, list]) => ({
    policy,
    list,
    saved: list.reduce((sum, { tokensBefore, tokensAfter }) => sum + tokensBefore - tokensAfter, 0),
  }))
  return rules
    .toSorted((one, other) => other.saved - one.saved)
    .map(({ policy, list, saved }) => {
      const withdrawn = list.filter(({ state }) => state === 'withdrawn').length
      const facts = [
        screen.ruleEdits(list.length, grouped(list.length), grouped(saved)),
        ...(withdrawn === 0 ? [] : [screen.withdrawn(grouped(withdrawn))]),
      ]
      return `  ${fitWidth(cleanText(policy), 28)}${cutToWidth(facts.join(', '), Math.max(10, columns - 30))}`
    })
}

function moneyLines({ session, requests, recorded }: Inspection, strings: Strings, { columns }: TextScreen): readonly string[] {
  const { screen } = strings.inspect
  const costs = requests.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  const sum = (part: 'input' | 'cacheRead' | 'cacheWrite' | 'output') =>
    moneyText(costs.reduce((all, { parts }) => all + parts[part], 0))
  const { dollars, unpriced, unreported = 0, elsewhere = 0 } = session.cost
  const facts = [
    ...(costs.length === 0 && dollars === 0 ? [screen.noMoney] : [moneyText(dollars)]),
    ...(recorded === undefined || recorded.cost.dollars === 0
      ? []
      : [screen.recorded(moneyText(recorded.cost.dollars), change(recorded.cost.dollars, dollars))]),
    ...(costs.length === 0 ? [] : [screen.moneyParts(sum('cacheRead'), sum('cacheWrite'), sum('input'), sum('output'))]),
    ...(unpriced > unreported ? [screen.unpriced(grouped(unpriced - unreported))] : []),
    ...(unreported === 0 ? [] : [screen.unreported(grouped(unreported))]),
    ...(elsewhere === 0 ? [] : [screen.elsewhere(moneyText(elsewhere))]),
  ]
  return wrapText(facts.join(' · '), columns - 2).map((line) => `  ${line}`)
}

const shownProblems = 5

function problemLines(troubles: readonly string[], strings: Strings, { paint, columns }: TextScreen): readonly string[] {
  const more = troubles.length - shownProblems
  const shown = troubles.slice(0, shownProblems).flatMap((text) => wrapText(cleanText(text), columns - 4))
  return [
    ...shown.map((line) => paint('warning', `  ! ${line}`)),
    ...(more > 0 ? [paint('dim', `  ${strings.inspect.screen.moreProblems(grouped(more))}`)] : []),
  ]
}

const heights = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const
const rows = 2

/**
 * Draws requests as bars, two lines high, relative to the largest one; below them marks for compactions and cache breaks. If there
 * are more requests than columns, a bar is the largest of several.
 */
function requestBars(
  requests: readonly InspectedRequest[],
  strings: Strings['inspect']['screen'],
  { columns, paint }: TextScreen,
): readonly string[] {
  const width = Math.min(requests.length, columns - 4)
  const each = Math.ceil(requests.length / width)
  const groups = Array.from({ length: Math.ceil(requests.length / each) }, (_, index) =>
    requests.slice(index * each, (index + 1) * each),
  )
  const top = requests.reduce((most, { fill }) => Math.max(most, fill.tokens), 1)
  const levels = groups.map((group) => {
    const tokens = group.reduce((most, { fill }) => Math.max(most, fill.tokens), 0)
    return Math.max(1, Math.round((tokens / top) * rows * 8))
  })
  const line = (row: number) => levels.map((level) => heights[Math.max(0, Math.min(8, level - row * 8))]).join('')
  const marks = groups.map((group) => {
    if (group.some(({ isCompacted }) => isCompacted)) return 'c'
    return group.some(({ broken }) => broken !== null) ? 'x' : ' '
  })
  const legend = [
    ...(marks.every((mark) => mark === ' ') ? [] : [strings.marks]),
    ...(each === 1 ? [] : [strings.oneBar(grouped(each))]),
  ]
  return [
    ...Array.from({ length: rows }, (_, index) => `  ${line(rows - 1 - index)}`.trimEnd()),
    ...(marks.every((mark) => mark === ' ') ? [] : [paint('warning', `  ${marks.join('')}`.trimEnd())]),
    ...(legend.length === 0 ? [] : [paint('dim', `  ${legend.join(' · ')}`)]),
  ]
}

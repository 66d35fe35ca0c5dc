import { handleOf, type Message, resultText } from '@plimsoll/core'
import { type Price, promptTotal, usageTotal } from '@plimsoll/core/bill'
import type { TimingAccount } from '@plimsoll/core/policies'
import { countMessages, estimator } from '@plimsoll/core/text'
import type { Agent, AgentView } from '../../agent/agent.ts'
import { lifetimeIn, newTokensPrice, termsFor } from '../../agent/request/cache-lifetime.ts'
import { ledgerInForce } from '../../agent/request/keep-alive.ts'
import { termsInForce } from '../../model/prompt-cache.ts'
import { titleOf } from '../../session/shown-message.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { editLines } from '../requests/edit-lines.ts'
import { type Category, categorise, windowSection } from '../requests/window-section.ts'
import { createMessageLines, lineText } from '../terminal/message-line.ts'
import type { Screen } from '../terminal/screen.ts'
import {
  besideName,
  cleanText,
  cutToWidth,
  displayWidth,
  fitWidth,
  grouped,
  moneyText,
  percent,
  wrapText,
} from '../terminal/text.ts'
import type { Desk } from './chat-state.ts'

/** Draws the grid of the window by category, before and after trimming. */
export async function contextLines(desk: Desk): Promise<readonly string[]> {
  const { strings, host } = desk
  const agent = desk.agent()
  const screen = desk.screen()
  const view = await agent.look()
  const { messages } = agent.session.state()
  const facts = { config: host.context.settings.config, root: host.root }
  const layers = view.messages.filter(({ id }) => id.startsWith('layer:'))
  const categories = [
    ...toolsCategory(view, strings.chat.toolDefinitions),
    ...categorise([...layers, ...messages], view.messages, facts, strings.view),
  ]
  const { load, tokensBefore, tokensAfter } = view.report
  const window = {
    tokens: view.window,
    reserve: view.window - view.usable,
    from: host.context.settings.windowSetBy === null ? ('model' as const) : ('setting' as const),
    model: agent.model().name,
    setting: host.context.settings.windowSetBy,
    inputLimit: null,
  }
  const timing = timingLines(view.report.timing, desk.state().lastTiming, agent.model().price, strings.chat.timing, screen)
  const share = percent(load.tokens / Math.max(1, view.usable))
  const loadText = strings.view.load(grouped(load.tokens), grouped(load.low), grouped(load.high), share)
  return [
    screen.paint('bold', cutToWidth(`${agent.model().name} · ${desk.agent().session.id}`, screen.columns)),
    ...windowSection(categories, window, screen),
    '',
    ...wrapText(loadText, screen.columns - 1).map((line) => ` ${line}`),
    ...(tokensBefore === tokensAfter ? [] : [` ${strings.chat.trimmedSum(grouped(tokensBefore - tokensAfter))}`]),
    ...(timing.length === 0 ? [] : ['', ...timing]),
  ]
}

/** The definitions of the tools are not a message, but part of every request. */
function toolsCategory({ report, messages }: AgentView, name: string): readonly Category[] {
  const tokens = report.load.estimate - countMessages(messages, estimator)
  return tokens <= 0 ? [] : [{ name, symbol: 'D', tint: 'grey', before: tokens, after: tokens }]
}

/** Lists what the next request omits: rule, message, sizes, reason, and how to recall it. */
export async function trimmedLines(desk: Desk): Promise<readonly string[]> {
  const { strings } = desk
  const screen = desk.screen()
  const agent = desk.agent()
  const { report } = await agent.look()
  const { messages, folds } = agent.session.state()
  const summaries = folds.map(
    ({ why, into }) => `  ${cutToWidth(cleanText(`⤵ ${why}${into === null ? '' : ` · ${into.id}`}`), screen.columns - 2)}`,
  )
  const { edits, waiting } = report
  if (edits.length === 0 && waiting.length === 0 && folds.length === 0)
    return wrapText(strings.chat.nothingTrimmed, screen.columns)
  const handles = handlesOf(edits, messages)
  return [
    ...(edits.length === 0 ? [] : editLines(edits, false, screen)),
    ...(waiting.length === 0 ? [] : [...(edits.length === 0 ? [] : ['']), ...waitingLines(waiting, desk)]),
    ...(handles.length === 0 ? [] : ['', screen.paint('bold', strings.chat.recallTitle), ...handles.map((line) => `  ${line}`)]),
    ...(folds.length === 0 ? [] : ['', screen.paint('bold', strings.requestCommands.summaries(folds.length)), ...summaries]),
  ]
}

function waitingLines(waiting: AgentView['report']['waiting'], desk: Desk): readonly string[] {
  const screen = desk.screen()
  const [, ...rows] = editLines(waiting, false, screen)
  return [...wrapText(desk.strings.chat.waitingTitle, screen.columns).map((line) => screen.paint('bold', line)), ...rows]
}

const maxHandles = 10

function handlesOf(edits: AgentView['report']['edits'], messages: readonly Message[]): readonly string[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  return edits
    .flatMap(({ message, part, tool }) => {
      const original = byId.get(message)?.parts[part]
      return original?.type === 'tool-result'
        ? [`/recall ${handleOf(resultText(original))}  ${cleanText(tool ?? '')} #${cleanText(message)}`]
        : []
    })
    .slice(-maxHandles)
}

/** Lists the cost of the session, by kind of token and by turn. */
export function costLines(desk: Desk): readonly string[] {
  const { strings, state } = desk
  const { chat } = strings
  const { paint, columns } = desk.screen()
  const { dollars, unpriced, requests, usage, keepAlive } = desk.agent().cost()
  const { price } = desk.agent().model()
  const row = (name: string, tokens: number, perMillion: number | null) =>
    `  ${fitWidth(name, 22)}${fitWidth(grouped(tokens), 14, 'right')}${perMillion === null ? '' : fitWidth(chat.perMillion(`$${perMillion}`), 20, 'right')}`
  // A turn that failed before any answer cost nothing.
  const all = state().turns.filter(({ steps, usage: used }) => steps > 0 || promptTotal(used) + used.output > 0)
  const turns = all.slice(-10)
  return [
    ...wrapText(costText(dollars, unpriced, chat), columns).map((line) => paint('bold', line)),
    `  ${fitWidth(chat.requestsTitle, 22)}${fitWidth(grouped(requests), 14, 'right')}`,
    row(chat.usage.input, usage.input, price?.input ?? null),
    row(chat.usage.cacheRead, usage.cacheRead, price?.cacheRead ?? null),
    row(chat.usage.cacheWrite, usage.cacheWrite, price?.cacheWrite ?? null),
    row(chat.usage.output, usage.output, price?.output ?? null),
    ...(keepAlive.times === 0 ? [] : [`  ${chat.keptAlive(keepAlive.times, moneyText(keepAlive.dollars))}`]),
    ...(turns.length === 0 ? [] : ['', paint('bold', chat.turnsTitle)]),
    ...turns.map((turn, index) => {
      const prompt = promptTotal(turn.usage)
      const money = turn.unpriced > 0 && turn.dollars === 0 ? chat.unpriced : moneyText(turn.dollars)
      const facts = [
        // A turn that was cut off has no answer but a cost.
        ...(turn.steps === 0 ? [] : [chat.requests(turn.steps)]),
        chat.turnTokens(grouped(prompt), grouped(turn.usage.output)),
        money,
      ]
      return `  ${fitWidth(`${all.length - turns.length + index + 1}.`, 5)}${facts.join(' · ')}`
    }),
  ]
}

function costText(dollars: number, unpriced: number, strings: Strings['chat']): string {
  if (unpriced === 0) return strings.cost(moneyText(dollars))
  return dollars === 0 ? strings.costUnknown(unpriced) : strings.costAtLeast(moneyText(dollars), unpriced)
}

/** Explains pending edits: the numbers that decide about the next request, and the decision for the last one. */
export function timingLines(
  next: TimingAccount | null,
  last: TimingAccount | null,
  price: Price | null,
  strings: Strings['chat']['timing'],
  { paint, columns }: Screen,
): readonly string[] {
  if (next === null) return []
  const amount = (tokens: number) => amountText(tokens, price, strings)
  const lifetime = (next.lifetimeSeconds ?? 0) / 60
  const rounded = lifetime < 10 ? String(Math.round(lifetime * 10) / 10) : grouped(Math.round(lifetime))
  const minutes = next.lifetimeSeconds === null ? null : rounded
  const rows: readonly (readonly [string, string])[] = [
    [strings.rows.waiting, strings.tokens(grouped(next.waitingTokens))],
    ...(next.waitingTokens === 0
      ? []
      : [[strings.rows.debt, amount(next.debt)] as const, [strings.rows.price, amount(next.price)] as const]),
    [strings.rows.bank, amount(next.bank)],
    [strings.rows.lifetime, strings.lifetime(minutes)],
    ...(last === null ? [] : [[strings.rows.last, decisionText(last, strings)] as const]),
  ]
  const width = Math.max(...rows.map(([name]) => displayWidth(name))) + 2
  return [
    paint('bold', strings.title),
    ...wrapText(decisionText(next, strings), columns - 2).map((line) => `  ${line}`),
    ...rows.flatMap(([name, text]) => besideName(name, text, width, columns)),
  ]
}

function decisionText({ decision, cold }: TimingAccount, strings: Strings['chat']['timing']): string {
  return decision === 'cold' && cold !== null ? strings.cold[cold] : strings.decisions[decision]
}

function amountText(tokens: number, price: Price | null, strings: Strings['chat']['timing']): string {
  const count = strings.tokens(`${tokens < 0 ? '-' : ''}${grouped(Math.round(Math.abs(tokens)))}`)
  if (price === null || !(price.input > 0)) return count
  const dollars = (tokens * price.input) / 1_000_000
  return `${dollars < 0 ? '-' : ''}${moneyText(Math.abs(dollars))} (${count})`
}

const maxMessages = 6

/** Introduces a resumed session: its title, its last messages, and the likely cost of the next request. */
export function resumedLines(agent: Agent, strings: Strings, screen: Screen, now: number): readonly string[] {
  const { chat } = strings
  const { paint, columns } = screen
  const { messages, header } = agent.session.state()
  const title = header.title ?? titleOf(messages) ?? strings.sessionCommands.untitled
  const lineOf = createMessageLines()
  const lines = messages.map((message) => ({ role: message.role, text: lineText(lineOf(message), message.role) }))
  const sign = { user: '›', assistant: ' ', tool: '●', system: '·' } as const
  const cold = coldText(agent, strings, now)
  return [
    ...wrapText(chat.resumed(agent.session.id, cleanText(title), messages.length), columns).map((line) => paint('bold', line)),
    ...lines.slice(-maxMessages).map(({ role, text }) => paint('dim', cutToWidth(`  ${sign[role]} ${text}`, columns))),
    ...(cold === null ? [] : wrapText(cold, columns).map((line) => paint('warning', line))),
  ]
}

/** Warns if the provider has likely forgotten the conversation; otherwise null. */
function coldText(agent: Agent, { chat }: Strings, now: number): string | null {
  const { session } = agent
  const model = agent.model()
  const { facts, price } = model
  const lifetime = lifetimeIn(session, model)
  const { lifetimeSeconds } = termsInForce({ cacheTerms: termsFor(model, lifetime) }, ledgerInForce(session, session.state()))
  const last = session.heads().findLast(({ type }) => type === 'usage')
  if (last === undefined || facts.hasPromptCache === false || lifetimeSeconds === null) return null
  if (now - last.at <= lifetimeSeconds * 1000) return null
  const entry = session.entry(last.id)
  if (entry?.type !== 'usage') return null
  const tokens = usageTotal(entry.usage)
  const dollars = price === null ? null : (tokens * newTokensPrice(price, lifetime)) / 1_000_000
  return chat.coldResume(grouped(tokens), dollars === null ? null : moneyText(dollars))
}

import { type Price, usageTotal } from '@plimsoll/core/bill'
import type { Agent } from '../../agent/agent.ts'
import { ledgerInForce } from '../../agent/keep-alive-notes.ts'
import { termsInForce } from '../../model/prompt-cache.ts'
import { titleOf } from '../../session/shown-message.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { grouped, moneyText } from '../terminal/format.ts'
import { createMessageLines, lineText } from '../terminal/message-line.ts'
import type { Screen } from '../terminal/screen.ts'
import { cutToWidth, wrapText } from '../terminal/text-width.ts'

const mostMessages = 6

/** What is said of a session that is gone on with: what it is, its last messages, and what the next request may cost. */
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
    ...lines.slice(-mostMessages).map(({ role, text }) => paint('dim', cutToWidth(`  ${sign[role]} ${text}`, columns))),
    ...(cold === null ? [] : wrapText(cold, columns).map((line) => paint('warning', line))),
  ]
}

/** A warning where the provider has likely forgotten the conversation; null where it need not be said. */
function coldText(agent: Agent, { chat }: Strings, now: number): string | null {
  const { session } = agent
  const { facts, price } = agent.model()
  const { lifetimeSeconds } = termsInForce(agent.model(), ledgerInForce(session, session.state()))
  const last = session.heads().findLast(({ type }) => type === 'usage')
  if (last === undefined || facts.hasPromptCache === false || lifetimeSeconds === null) return null
  if (now - last.at <= lifetimeSeconds * 1000) return null
  const entry = session.entry(last.id)
  if (entry?.type !== 'usage') return null
  const tokens = usageTotal(entry.usage)
  return chat.coldResume(grouped(tokens), price === null ? null : moneyText(costOf(tokens, price)))
}

/** All of it written to the cache anew, where that is charged for. */
function costOf(tokens: number, { input, cacheWrite }: Price): number {
  return (tokens * Math.max(input, cacheWrite)) / 1_000_000
}

import { basename } from 'node:path'
import { resultText } from '@plimsoll/core'
import { type WindowCategory, windowFill } from '@plimsoll/core/bill'
import { defaultConfig, outputReserve } from '@plimsoll/core/policies'
import { readLog } from '../../logs/read-log.ts'
import { type GatewayStore, tenantOf } from '../../store/gateway-store.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { cleanText, grouped, percent } from '../terminal/text.ts'
import { hookConversation } from './hook-store.ts'

/** What fills the window of a session of Claude Code, and what the hook took out of it. */
export async function sessionReport(log: string, store: GatewayStore | null, strings: Strings): Promise<readonly string[]> {
  const { report } = strings.gateway.hook
  const names = strings.fill.categories
  const read = await readLog(log)
  const messages = read.problem === undefined ? (read.value.sessions[0]?.messages ?? []) : []
  if (messages.length === 0) return [report.empty]
  const { categories, results } = windowFill(messages, {
    window: defaultConfig.context_window,
    reserve: outputReserve(defaultConfig),
  })
  const rows = [
    ...Object.entries(categories).flatMap(([name, tokens]) =>
      name === 'results' || tokens === 0 ? [] : [{ name: names[name as WindowCategory] ?? name, tokens }],
    ),
    ...results.map(({ tool, tokens }) => ({ name: report.results(cleanText(tool)), tokens })),
  ].toSorted((one, other) => other.tokens - one.tokens)
  const all = rows.reduce((sum, { tokens }) => sum + tokens, 0)
  return [
    report.fills,
    ...rows.slice(0, maxRows).map(({ name, tokens }) => `  ${grouped(tokens)} (${percent(tokens / all)}) ${name}`),
    '',
    await savedLine(basename(log, '.jsonl'), store, report),
  ]
}

const maxRows = 12

async function savedLine(
  session: string,
  store: GatewayStore | null,
  report: Strings['gateway']['hook']['report'],
): Promise<string> {
  const claims =
    store === null ? [] : await store.claimsOf(tenantOf(await store.secret(), null), hookConversation('claude-code', session))
  if (claims.length === 0) return report.nothing
  let before = 0
  let after = 0
  for (const { decision, original } of claims) {
    for (const part of original.message.parts) if (part.type === 'tool-result') before += resultText(part).length
    if (decision.with.type === 'tool-result') after += resultText(decision.with).length
  }
  return report.saved(claims.length, grouped(before), grouped(after))
}

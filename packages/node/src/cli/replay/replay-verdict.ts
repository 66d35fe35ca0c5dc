import type { BriefFigures, BriefSummary } from '../../replay/brief-summary.ts'
import { changeFigure } from '../../replay/report-table.ts'
import { changeOf, sum } from '../../replay/statistics.ts'
import { agentName } from '../../shared/agents.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { TextScreen } from '../terminal/screen.ts'
import { cleanText, displayWidth, fitWidth, grouped, moneyText, shortNumber, wrapText } from '../terminal/text.ts'
import { pricesCommandFor } from './overview-screen.ts'

/** The verdict on the sessions, the reasons for it, and where to find more. */
export function briefScreen(summary: BriefSummary, strings: Strings['replay'], screen: TextScreen): string {
  const { paint } = screen
  const { brief } = strings
  const columns = Math.min(120, screen.columns)
  const [first = '', ...verdict] = verdictOf(summary, strings)
  const notes = briefNotes(summary, strings)
  const blocks = [
    [...wrapText(first, columns).map((line) => paint('bold', line)), ...verdict.flatMap((text) => wrapText(text, columns))],
    amountLines(brief.reasons, reasonsOf(summary, strings), screen),
    summary.groups.length < 2 ? [] : amountLines(brief.byAgent, groupRows(summary, strings), screen),
    notes.flatMap((text) => wrapText(text, columns)).map((line) => paint('dim', line)),
    wrapText(brief.full, columns),
  ]
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

/** What the sessions cost, and what they would have cost, in two or three sentences. */
export function verdictOf(summary: BriefSummary, { brief }: Strings['replay']): readonly string[] {
  const { sessions, dollars, tokens, groups } = summary
  const priced = groups.filter(({ isPriced }) => isPriced)
  const about = dollars === null ? groups : priced
  const [only] = new Set(about.map(({ agent, entry }) => `${entry} ${agent}`)).size === 1 ? about : []
  const setting = only === undefined ? brief.withPlimsoll : brief.settings[only.entry](agentName(only.agent))
  const lost = sum(about, ({ retention }) => Math.round(retention.lost * retention.needs))
  const recalls = sum(about, (group) => group.recalls)
  const kept = brief.kept(lost, grouped(lost), recalls, grouped(recalls))
  const pricedSessions = sum(priced, (group) => group.sessions)
  const unpriced = [...new Set(groups.filter(({ isPriced }) => !isPriced).flatMap(({ models }) => models))]
  return [
    ...(dollars === null
      ? [
          brief.sent(sessions, grouped(sessions), shortNumber(tokens.recorded)),
          brief.verdict(setting, shortNumber(tokens.economy), signed(changeOf(tokens.economy, tokens.recorded)), kept),
        ]
      : [
          brief.cost(pricedSessions, grouped(pricedSessions), moneyText(dollars.recorded)),
          brief.verdict(setting, moneyText(dollars.effective), signed(dollars.effectiveChange), kept),
        ]),
    ...(sessions === pricedSessions
      ? []
      : [
          brief.unpriced(
            sessions - pricedSessions,
            unpriced.map(cleanText).join(', ') || brief.unnamed,
            pricesCommandFor(unpriced[0]),
          ),
        ]),
  ]
}

/** Dollars by which the cost changed, by reason; nothing without prices. */
function reasonsOf({ dollars }: BriefSummary, { brief }: Strings['replay']): readonly AmountRow[] {
  if (dollars === null) return []
  const byReason = new Map<string, number>()
  for (const [policy, saved] of Object.entries(dollars.saved)) {
    const reason = brief.policies[policy] ?? policy
    byReason.set(reason, (byReason.get(reason) ?? 0) - saved)
  }
  const added = [
    [brief.rewritten, dollars.rewritten],
    [brief.recallTool, dollars.recallTool],
    [brief.recalls, dollars.recalls],
  ] as const
  const saved = [...byReason].toSorted(([, one], [, other]) => one - other)
  const rows = [...saved, ...added].filter(([, amount]) => Math.abs(amount) >= 0.005)
  const digits = rows.some(([, amount]) => Math.abs(amount) >= 1) ? 2 : 3
  return rows.map(([name, amount]) => [name, [`${amount < 0 ? '−' : '+'}$${Math.abs(amount).toFixed(digits)}`]])
}

function groupRows({ groups }: BriefSummary, { brief }: Strings['replay']): readonly AmountRow[] {
  return groups.map(({ agent, isPriced, models, dollars, tokens, effectiveChange, sessions }) => {
    const amounts =
      isPriced && dollars !== null
        ? [dollars.recorded, dollars.effective].map(moneyText)
        : [tokens.recorded, tokens.economy].map((count) => `${shortNumber(count)} ${brief.tokens}`)
    const named = models.length > 1 ? brief.models(models.length) : cleanText(models[0] ?? brief.unnamed)
    return [
      `${agentName(agent)} · ${named} (${grouped(sessions)})`,
      [amounts[0] ?? '', `→ ${amounts[1] ?? ''}`, `${signed(effectiveChange)} %`],
    ]
  })
}

/** A name with its amounts. */
type AmountRow = readonly [name: string, amounts: readonly string[]]

function briefNotes(summary: BriefSummary, strings: Strings['replay']): readonly string[] {
  const { brief } = strings
  const { dollars, fullestBlock: block, unpriced, invalid, pricesFrom, reported, requests } = summary
  return [
    ...(block === null
      ? []
      : [brief.block(moneyText(block.recorded), moneyText(block.effective), signed(changeOf(block.effective, block.recorded)))]),
    ...(dollars === null || dollars.elsewhere < 0.005 ? [] : [brief.elsewhere(moneyText(dollars.elsewhere))]),
    ...(unpriced === 0 ? [] : [brief.unpricedRequests(unpriced, grouped(unpriced))]),
    ...(invalid.length === 0 ? [] : [invalidNote(summary, strings)]),
    brief.assumption,
    ...(dollars === null ? [] : [brief.basis(pricesFrom)]),
    brief.reported(grouped(reported), grouped(requests)),
  ]
}

function amountLines(title: string, rows: readonly AmountRow[], { paint, columns }: TextScreen): readonly string[] {
  if (rows.length === 0) return []
  const widths = (rows[0]?.[1] ?? []).map((_, index) =>
    Math.max(...rows.map(([, amounts]) => displayWidth(amounts[index] ?? ''))),
  )
  const room = Math.min(120, columns) - 2 - sum(widths, (width) => width + 2)
  const first = Math.max(12, Math.min(room, Math.max(...rows.map(([name]) => displayWidth(name)))))
  return [
    paint('bold', title),
    ...rows.map(([name, amounts]) =>
      `  ${fitWidth(name, first)}${amounts.map((amount, index) => `  ${fitWidth(amount, widths[index] ?? 0, 'right')}`).join('')}`.trimEnd(),
    ),
  ]
}

function signed(change: number): string {
  return changeFigure(change).replace('-', '−')
}

function invalidNote({ invalid }: BriefFigures, { invalid: text, gates }: Strings['replay']): string {
  const broken = new Set(invalid.flatMap((session) => session.gates))
  return text('economy', invalid.length, [...broken].map((gate) => gates[gate]).join(', '))
}

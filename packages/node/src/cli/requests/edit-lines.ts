import type { Report } from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { Config } from '@plimsoll/core/policies'
import type { Screen } from '../terminal/screen.ts'
import { cleanText, cutToWidth, displayWidth, fitWidth, grouped, percent, wrapText } from '../terminal/text.ts'

const maxEdits = 40

/** Draws one line per edit: policy, message, tool, tokens before and after, and reason. Of very many, those that saved most. */
export function editLines(edits: readonly ReportedEdit[], all: boolean, screen: Screen): readonly string[] {
  const { strings, paint, columns } = screen
  const shown = all || edits.length <= maxEdits ? edits : largest(edits)
  const rows = shown.map(rowOf)
  const widest = (field: keyof Row, heading: string, max: number) =>
    Math.min(
      max,
      rows.reduce((width, row) => Math.max(width, displayWidth(row[field])), displayWidth(heading)),
    )
  const policy = widest('policy', strings.policy, 24)
  const message = widest('message', strings.message, 10)
  const before = widest('before', '', 11)
  const after = widest('after', '', 11)
  const tool = Math.max(5, Math.min(widest('tool', strings.tool, 24), columns - policy - message - before - after - 11))
  const used = policy + message + tool + before + after + 13
  // A reason that would have to be cut gets its own lines.
  const beside = screen.endless || rows.every(({ why }) => used + displayWidth(why) <= columns)
  const tokens = fitWidth(strings.tokens, before + 3 + after)
  const heading = `  ${fitWidth(strings.policy, policy)}  ${fitWidth(strings.message, message)}  ${fitWidth(strings.tool, tool)}  ${tokens}`
  const lines = [
    paint('bold', strings.edits(edits.length)),
    paint('dim', `${heading}${beside ? `  ${strings.why}` : ''}`.trimEnd()),
  ]
  for (const [index, row] of rows.entries()) {
    const facts = [
      fitWidth(row.policy, policy),
      fitWidth(row.message, message),
      fitWidth(row.tool, tool),
      `${fitWidth(row.before, before, 'right')} → ${fitWidth(row.after, after, 'right')}`,
    ].join('  ')
    const reason = wrapText(row.why, columns - 6).map((line, at) => paint('dim', `    ${at === 0 ? '└' : ' '} ${line}`))
    if (beside) lines.push(`  ${facts}  ${paint('dim', row.why)}`)
    else lines.push(`  ${facts}`, ...(isLastOfRun(rows, index) ? reason : []))
  }
  if (shown.length < edits.length) lines.push(paint('dim', `  ${strings.moreEdits(edits.length - shown.length)}`))
  return lines
}

interface Row {
  readonly policy: string
  readonly message: string
  readonly tool: string
  readonly before: string
  readonly after: string
  readonly why: string
}

function rowOf(edit: ReportedEdit): Row {
  return {
    policy: cleanText(edit.policy),
    message: `#${cleanText(edit.message)}`,
    tool: cleanText(edit.tool ?? '-'),
    before: grouped(edit.tokensBefore),
    after: grouped(edit.tokensAfter),
    why: cleanText(edit.why),
  }
}

function largest(edits: readonly ReportedEdit[]): readonly ReportedEdit[] {
  const size = (edit: ReportedEdit) => Math.abs(edit.tokensBefore - edit.tokensAfter)
  const kept = new Set([...edits].sort((one, other) => size(other) - size(one)).slice(0, maxEdits))
  return edits.filter((edit) => kept.has(edit))
}

/** Neighbours with the same policy and reason show it once, under the last of them. */
function isLastOfRun(rows: readonly Row[], index: number): boolean {
  const row = rows[index]
  const next = rows[index + 1]
  return next === undefined || next.policy !== row?.policy || next.why !== row.why
}

/** Draws the sums of each policy, with the settings that control it. */
export function policyTable(
  policies: readonly string[],
  report: Report,
  results: number,
  config: Config,
  screen: Screen,
): readonly string[] {
  const { strings, paint, columns } = screen
  const width = policies.reduce((widest, policy) => Math.max(widest, policy.length + 1), 24)
  const line = (policy: string, edits: string, saved: string) =>
    `  ${fitWidth(policy, width)}${fitWidth(edits, 7, 'right')}${fitWidth(saved, 14, 'right')}  `
  const room = columns - 25 - width
  const settings = policies.map((policy) => settingsOf(policy, config))
  const named = settings.map(({ section, values }) => (values === '' ? '' : `${section}: ${values}`))
  const shown = named.every((text) => text.length <= room) ? named : settings.map(({ values }) => values)
  const rows = policies.map((policy, index) => {
    const { edits, tokensSaved } = report.rules[policy] ?? { edits: 0, tokensSaved: 0 }
    return `${line(policy, grouped(edits), `${tokensSaved < 0 ? '-' : ''}${grouped(Math.abs(tokensSaved))}`)}${paint('dim', cutToWidth(shown[index] ?? '', room))}`.trimEnd()
  })
  return [
    paint('dim', `${line(strings.policy, strings.editsOfPolicy, strings.saved)}${cutToWidth(strings.settings, room)}`),
    ...rows,
    ...(policies.includes('limit-tool-output') && results > 0
      ? wrapText(strings.truncationRate(percent(report.truncationRate), results), columns - 2).map((text) => `  ${text}`)
      : []),
  ]
}

function settingsOf(policy: string, config: Config): { readonly section: string; readonly values: string } {
  const { outdated_commands: commands, repeated_reads: reads, compression, tool_output_limits: limits, compaction } = config
  const large = reads.large_file_chars === null ? '' : `, large_file_chars ${reads.large_file_chars}`
  const sections: Readonly<Record<string, readonly [section: string, values: string]>> = {
    'trim-outdated-commands': [
      'outdated_commands',
      `after_minutes ${commands.after_minutes}, keep_recent ${commands.keep_recent}`,
    ],
    'trim-repeated-reads': ['repeated_reads', `keep_latest ${reads.keep_latest}${large}`],
    'compress-old-results': [
      'compression',
      `search_matches ${compression.search_matches}, other_chars ${compression.other_chars}`,
    ],
    'limit-tool-output': ['tool_output_limits', `max_chars ${limits.default.max_chars}, max_lines ${limits.default.max_lines}`],
    'fit-window': ['compaction', `keep_rounds ${compaction.keep_rounds}`],
  }
  const [section, values] = sections[policy] ?? ['', '']
  return { section, values }
}

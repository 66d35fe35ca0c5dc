import type { Report } from '@plimsoll/core'
import type { Config } from '@plimsoll/core/policies'
import { grouped, percent } from '../terminal/format-number.ts'
import type { Screen } from '../terminal/screen.ts'
import { cutToWidth, fitWidth, wrapText } from '../terminal/text-width.ts'

/** What each policy that ran did in sum, beside the settings that make it do more or less. */
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
    return `${line(policy, grouped(edits), signed(tokensSaved))}${paint('dim', cutToWidth(shown[index] ?? '', room))}`.trimEnd()
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
  const { outdated_commands: commands, repeated_reads: reads, compression, tool_output_limits: limits } = config
  switch (policy) {
    case 'trim-outdated-commands':
      return {
        section: 'outdated_commands',
        values: `after_minutes ${commands.after_minutes}, keep_recent ${commands.keep_recent}`,
      }
    case 'trim-repeated-reads':
      return {
        section: 'repeated_reads',
        values: `keep_latest ${reads.keep_latest}${reads.large_file_chars === null ? '' : `, large_file_chars ${reads.large_file_chars}`}`,
      }
    case 'compress-old-results':
      return {
        section: 'compression',
        values: `search_matches ${compression.search_matches}, other_chars ${compression.other_chars}`,
      }
    case 'limit-tool-output':
      return {
        section: 'tool_output_limits',
        values: `max_chars ${limits.default.max_chars}, max_lines ${limits.default.max_lines}`,
      }
    case 'fit-window':
      return { section: 'compaction', values: `keep_rounds ${config.compaction.keep_rounds}` }
    default:
      return { section: '', values: '' }
  }
}

function signed(saved: number): string {
  return saved < 0 ? `-${grouped(-saved)}` : grouped(saved)
}

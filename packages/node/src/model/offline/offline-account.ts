import { resultText, type ToolResultPart } from '@plimsoll/core'
import type { Strings } from '../../strings/strings-for.ts'
import type { OfflineCommand } from './offline-commands.ts'

/** A command with what came of its calls so far, in order. */
export interface OfflineStep {
  readonly command: OfflineCommand
  readonly results: readonly OfflineResult[]
}

export interface OfflineResult {
  readonly tool: string
  /** Null where the conversation shows none. */
  readonly part: ToolResultPart | null
  readonly isError: boolean
}

interface AccountOptions {
  readonly isStopped: boolean
  readonly offered: ReadonlySet<string>
  readonly strings: Strings['offlineModel']
}

/** What the offline model says at the end: each command with what came of it, by the results themselves; or what it understands. */
export function accountOf(steps: readonly OfflineStep[], { isStopped, offered, strings }: AccountOptions): string {
  const reached = steps.findLastIndex(({ results }) => results.length > 0)
  const lines: string[] = []
  const left: string[] = []
  for (const [index, step] of steps.entries()) {
    const { command } = step
    if (command.kind !== 'call') continue
    if (isStopped && index > reached) left.push(command.about)
    else
      lines.push(`- ${command.about}: ${outcomeText(step.results.at(-1), command.tool, index < reached, { offered, strings })}`)
  }
  const unknown = steps.flatMap(({ command }) =>
    command.kind === 'unknown' ? [clipped(command.text.split('\n', 1)[0] ?? '', longestLine)] : [],
  )
  const wantsHelp = lines.length === 0 || steps.some(({ command }) => command.kind === 'help')
  return [
    ...(lines.length === 0 ? [] : [[strings.account, ...lines].join('\n')]),
    ...(left.length === 0 ? [] : [strings.stopped(left)]),
    ...(unknown.length === 0 || lines.length === 0 ? [] : [strings.notUnderstood(unknown.slice(0, mostUnknown))]),
    ...(wantsHelp ? [strings.help] : []),
  ].join('\n\n')
}

const mostUnknown = 5
const longestLine = 200
/** How many lines of a result are shown: what was looked for is worth a few, of the rest the first says it all. */
const shownLines: Readonly<Record<string, number>> = { LS: 8, Glob: 8, Grep: 8, recall: 8, repo_map: 8, get_repo_structure: 8 }

function outcomeText(
  outcome: OfflineResult | undefined,
  tool: string,
  isPast: boolean,
  { offered, strings }: Omit<AccountOptions, 'isStopped'>,
): string {
  if (outcome === undefined) return isPast && offered.has(tool) ? strings.outOfSight : strings.notOffered(tool)
  if (outcome.part === null) return strings.outOfSight
  if (tool === 'Bash') return commandText(outcome, strings)
  if (outcome.isError) return strings.failed(reasonOf(outcome))
  const lines = linesOf(outcome)
  const most = shownLines[tool] ?? 1
  if (lines.length === 0) return strings.succeeded
  const shown = lines.slice(0, most)
  if (most > 1 && lines.length > most) shown.push(strings.moreLines(lines.length - most))
  return shown.join('\n  ')
}

const exitCode = /exit(?:ed)?[ _](?:with[ _])?(?:code|status)\s{0,3}[:=]?\s{0,3}(-?\d{1,10})/gi

function commandText(outcome: OfflineResult, strings: Strings['offlineModel']): string {
  const lines = linesOf(outcome)
  const code = [...lines.slice(-3).join('\n').matchAll(exitCode)].at(-1)?.[1]
  if (code === undefined) return outcome.isError ? strings.failed(reasonOf(outcome)) : (lines.at(-1) ?? strings.succeeded)
  const output = lines.filter((line) => line.search(exitCode) < 0).slice(-5)
  return [strings.exitCode(code), ...output].join('\n  ')
}

function linesOf({ part }: OfflineResult): readonly string[] {
  if (part === null) return []
  const { content } = part
  const told = content.type === 'json' ? (content.value as { readonly output?: unknown } | null)?.output : undefined
  const text = typeof told === 'string' ? told : resultText(part)
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [clipped(line.trimEnd(), longestLine)]))
}

export function reasonOf({ part }: OfflineResult): string {
  const text = part === null ? '' : resultText(part).trim()
  const [line = ''] = text.replace(/^Error:\s{0,20}/, '').split('\n')
  return clipped(line, 300)
}

function clipped(line: string, most: number): string {
  return line.length > most ? `${line.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}

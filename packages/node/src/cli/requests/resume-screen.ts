import type { Strings } from '../../strings/strings-for.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { change, grouped, percent } from '../terminal/format.ts'
import type { Screen } from '../terminal/screen.ts'
import { wrapText } from '../terminal/text-width.ts'
import { policyTable } from './edit-lines.ts'
import { windowSource } from './view-options.ts'
import type { RequestAccount } from './view-screen.ts'

/** Everything the account of a session's next request tells. Its messages are those of the branch, summaries among them. */
export interface ResumeAccount extends RequestAccount {
  readonly session: string
  /** The summaries that stand for folded rounds. */
  readonly summaries: readonly { readonly why: string; readonly tokens: number }[]
  /** The files with rules that were found; `cutFrom` is the size of one of which only the beginning is used. */
  readonly rules: readonly { readonly name: string; readonly tokens: number; readonly cutFrom: number | null }[]
  /** Whether the list of things to do stands at the end. */
  readonly hasRecap: boolean
  /** Whether older rounds should be folded before it is sent. */
  readonly compaction: CompactionAdvice
}

/** What is to be done about compaction: nothing yet, the usual, keeping fewer rounds than are set, or nothing that would help. */
export type CompactionAdvice =
  | { readonly kind: 'later' | 'now' | 'in-vain' }
  | { readonly kind: 'keep-fewer'; readonly keep: number }

/** The account of a session's next request for people: how full it is, what is trimmed and folded, and what to do about it. */
export function resumeScreen(account: ResumeAccount, strings: Strings, screen: Screen): string {
  const { paint, columns } = screen
  const { view, requestCommands } = strings
  const { report, config, window } = account
  const { load } = report
  const usable = window.tokens - window.reserve
  const title = [
    view.messages(account.messages),
    ...(window.model === null ? [] : [cleanText(window.model)]),
    view.asOf(account.now),
  ].join(' · ')
  const sentences = (text: string) => wrapText(text, columns - 2).map((line) => ` ${line}`)
  const dim = (text: string) => sentences(text).map((line) => paint('dim', line))
  const lines = [
    ...wrapText(requestCommands.nextRequest(account.session), columns).map((line) => paint('bold', line)),
    ...dim(title),
    ...dim(account.exactTokenizer === null ? view.estimated : view.exact(account.exactTokenizer)),
    ...dim(view.windowWithSource(grouped(window.tokens), grouped(window.reserve), windowSource(window, view))),
    '',
    ...sentences(view.load(grouped(load.tokens), grouped(load.low), grouped(load.high), percent(load.tokens / usable))),
    '',
    ...policyTable(account.policies, report, account.toolResults, config, screen),
    '',
    ...summaryLines(account, requestCommands, screen),
    ...ruleLines(account, requestCommands).flatMap(sentences),
    ...(account.hasRecap ? sentences(requestCommands.recap) : []),
    '',
    ...sentences(compactionText(account, requestCommands)).map((line) =>
      account.compaction.kind === 'later' ? line : paint('warning', line),
    ),
    ...commandsFor(account).map((command) => `   ${command}`),
    ...(report.problems.length === 0 ? [] : sentences(view.problems(report.problems.length)).map((line) => paint('error', line))),
    ...(account.messages === 0 ? sentences(requestCommands.nothingSaid) : []),
    ...dim(requestCommands.notSent),
    `   plimsoll chat --resume ${account.session}`,
    paint(
      'bold',
      view.closing(grouped(report.tokensBefore), grouped(report.tokensAfter), change(report.tokensBefore, report.tokensAfter)),
    ),
  ]
  return `${lines.join('\n')}\n`
}

function summaryLines(
  { summaries }: ResumeAccount,
  strings: Strings['requestCommands'],
  { columns, paint }: Screen,
): readonly string[] {
  if (summaries.length === 0) return []
  return [
    paint('bold', strings.summaries(summaries.length)),
    ...summaries.flatMap(({ why, tokens }) =>
      wrapText(strings.summary(cleanText(why), grouped(tokens)), columns - 2).map((line) => `  ${line}`),
    ),
    '',
  ]
}

function ruleLines({ rules, config }: ResumeAccount, strings: Strings['requestCommands']): readonly string[] {
  if (rules.length === 0) return [strings.noRules(cleanText(config.rules_files.join(', ')))]
  return rules.flatMap(({ name, tokens, cutFrom }) => [
    strings.rules(cleanText(name), grouped(tokens)),
    ...(cutFrom === null ? [] : [strings.rulesCut(cleanText(name), grouped(cutFrom))]),
  ])
}

function compactionText({ compaction, config }: ResumeAccount, strings: Strings['requestCommands']): string {
  const { threshold, keep_rounds } = config.compaction
  switch (compaction.kind) {
    case 'later':
      return strings.compactionNotDue(grouped(threshold * config.context_window))
    case 'now':
      return strings.compactionDue
    case 'keep-fewer':
      return strings.compactionKeepsAll(keep_rounds)
    case 'in-vain':
      return strings.compactionInVain
  }
}

/** Commands to be copied, which are never broken. */
function commandsFor({ compaction, session }: ResumeAccount): readonly string[] {
  const command = `plimsoll compact ${session}`
  if (compaction.kind === 'now') return [`${command} --preview`, command]
  return compaction.kind === 'keep-fewer' ? [`${command} --keep ${compaction.keep}`] : []
}

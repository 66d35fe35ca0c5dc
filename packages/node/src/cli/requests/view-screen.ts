import type { Report } from '@plimsoll/core'
import type { Config, describeOverflow } from '@plimsoll/core/policies'
import { cleanText } from '../terminal/clean-text.ts'
import { change, grouped, percent } from '../terminal/format.ts'
import type { Screen } from '../terminal/screen.ts'
import { wrapText } from '../terminal/text-width.ts'
import { editLines, policyTable } from './edit-lines.ts'
import type { WindowInForce } from './view-options.ts'
import { type Category, windowSection } from './window-section.ts'

/** What the account of any request tells. */
export interface RequestAccount {
  readonly messages: number
  readonly toolResults: number
  /** The window in force, with the model that the request is for. */
  readonly window: WindowInForce
  /** The name of the exact tokenizer, or null where tokens are estimated. */
  readonly exactTokenizer: string | null
  /** The time of the request, as ISO text. */
  readonly now: string
  readonly config: Config
  readonly policies: readonly string[]
  readonly report: Report
}

interface ViewAccount extends RequestAccount {
  readonly file: string
  readonly isExample: boolean
  readonly dialect: string
  /** Whether any message says when it was written. */
  readonly timed: boolean
  readonly categories: readonly Category[]
  /** What is over the line and what is in the way; null where it fits. */
  readonly overflow: ReturnType<typeof describeOverflow> | null
  /** Whether every edit is listed. */
  readonly all: boolean
}

/** The account of a view for people: what fills the window, what was changed and why, and what it came to. */
export function viewScreen(account: ViewAccount, screen: Screen): string {
  const { strings, paint, columns } = screen
  const { report, config, window } = account
  const { tokensBefore, tokensAfter, edits, problems, load } = report
  const usable = window.tokens - window.reserve
  const title = [
    account.dialect,
    strings.messages(account.messages),
    ...(window.model === null ? [] : [cleanText(window.model)]),
    strings.asOf(account.now),
  ].join(' · ')
  const sentences = (text: string) => wrapText(text, columns - 2).map((line) => ` ${line}`)
  const lines = [
    ...wrapText(`Plimsoll ${cleanText(account.file)}`, columns).map((line) => paint('bold', line)),
    ...(account.isExample ? [...sentences(strings.example), ...sentences(strings.exampleHint)] : []),
    ...sentences(title).map((line) => paint('dim', line)),
    ...sentences(account.exactTokenizer === null ? strings.estimated : strings.exact(account.exactTokenizer)).map((line) =>
      paint('dim', line),
    ),
    ...windowSection(account.categories, window, screen),
    '',
    ...sentences(strings.load(grouped(load.tokens), grouped(load.low), grouped(load.high), percent(load.tokens / usable))),
    '',
  ]
  if (edits.length > 0) lines.push(...editLines(edits, account.all, screen), '')
  lines.push(...policyTable(account.policies, report, account.toolResults, config, screen))
  if (!account.timed && account.policies.includes('trim-outdated-commands')) lines.push(paint('dim', `  ${strings.noTimes}`))
  lines.push('')
  if (problems.length > 0) {
    lines.push(paint('error', strings.problems(problems.length)))
    for (const { rule, message } of problems.slice(0, account.all ? problems.length : 10))
      lines.push(`  ! ${strings.problem(rule, cleanText(message))}`)
    lines.push('')
  }
  if (account.overflow !== null) {
    for (const sentence of account.overflow.sentences)
      for (const line of wrapText(sentence, columns)) lines.push(paint('error', line))
    for (const part of account.overflow.parts)
      for (const line of wrapText(cleanText(part), columns - 4)) lines.push(`  ! ${line}`)
    lines.push('')
  }
  const canGo = problems.length === 0 && account.overflow === null && load.tokens <= usable
  if (edits.length === 0) lines.push(canGo ? paint('good', strings.nothingToTrim) : strings.nothingTrimmed)
  lines.push(paint('bold', strings.closing(grouped(tokensBefore), grouped(tokensAfter), change(tokensBefore, tokensAfter))))
  return `${lines.join('\n')}\n`
}

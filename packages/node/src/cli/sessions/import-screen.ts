import { skippedSentences } from '../../logs/skipped-sentences.ts'
import type { SessionContext } from '../session-context.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { grouped } from '../terminal/format-number.ts'
import { cutToWidth, displayWidth, wrapText } from '../terminal/text-width.ts'
import type { ImportedConversation } from './import-conversation.ts'

/** What was imported, as it is told. */
export interface Imported {
  readonly format: string
  readonly sessions: readonly ImportedConversation[]
  readonly skipped: readonly { readonly line: number; readonly reason: string }[]
}

/** What was imported, what was left out, and what to try with it. */
export function importScreen({ format, sessions, skipped }: Imported, { strings, screen }: SessionContext): string {
  const { paint, columns } = screen
  const wrapped = (text: string) => wrapText(text, columns - 2).map((line) => paint('dim', ` ${line}`))
  const lines: string[] = []
  for (const { id, title, messages, usages, abandoned, sidechains } of sessions) {
    for (const line of wrapText(
      strings.sessionCommands.imported(strings.sessionCommands.messages(messages, grouped(messages)), id),
      columns,
    )) {
      lines.push(paint('bold', line))
    }
    if (title !== null) lines.push(` ${cutToWidth(cleanText(title), columns - 1)}`)
    const facts = [
      strings.sessionCommands.importedFormat(format),
      ...(usages === 0 ? [] : [strings.sessionCommands.importedUsages(grouped(usages))]),
    ]
    lines.push(...wrapped(facts.join('; ')))
    if (abandoned + sidechains > 0) lines.push(...wrapped(strings.sessionCommands.importedRest(abandoned, sidechains)))
  }
  for (const sentence of skippedSentences(skipped, strings.view, cleanText))
    lines.push(...wrapText(sentence, columns - 2).map((line) => ` ${line}`))
  const latest = sessions.at(-1)?.id ?? 'last'
  const commands = [
    { command: `plimsoll show ${latest}`, does: strings.sessionCommands.tryShow },
    { command: `plimsoll resume ${latest}`, does: strings.sessionCommands.tryResume },
    { command: 'plimsoll recall --query "…"', does: strings.sessionCommands.tryRecall },
  ]
  const widest = Math.max(...commands.map(({ command }) => displayWidth(command)))
  const beside = commands.every(({ does }) => widest + displayWidth(does) + 6 <= columns)
  lines.push('', strings.sessionCommands.tryNext)
  for (const { command, does } of commands) {
    lines.push(`  ${command}${beside ? `${' '.repeat(widest - displayWidth(command))}  ${paint('dim', does)}` : ''}`)
  }
  return `${lines.join('\n')}\n`
}

import { isoTime, timeText } from '../../files/time-and-size.ts'
import { listSessions, type SessionRow } from '../../session/list-sessions.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import { type SessionOptions, sayNotices, sessionContext } from '../settings.ts'
import type { TextScreen } from '../terminal/screen.ts'
import { cleanText, cutToWidth, displayWidth, fitWidth, grouped, sizeText, tildePath, wrapText } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'

type SessionsOptions = SessionOptions & { readonly all?: boolean }

/** Lists the stored sessions. */
export async function sessionsCommand(options: SessionsOptions, io: CommandIo): Promise<void> {
  const { sessions, strings, screen } = await sessionContext(options, io)
  const { rows, unreadable } = await listSessions(sessions)
  if (options.json === true) {
    const told = rows.map(({ first, last, ...row }) => ({ ...row, first: isoTime(first), last: isoTime(last) }))
    return writeJson({ sessions: told, unreadable }, sessions, strings, io.stdout)
  }
  const home = io.environment['HOME'] ?? ''
  const list = { rows, folder: sessions, home, all: options.all === true || screen.endless }
  io.stdout.write(sessionsScreen(list, strings.sessionCommands, screen))
  if (unreadable.length > 0) sayNotices(io, [strings.sessionCommands.unreadable(unreadable.join(', '))], options)
}

interface ListedSessions {
  readonly rows: readonly SessionRow[]
  readonly folder: string
  readonly home: string
  readonly all: boolean
}

const maxRows = 20

export function sessionsScreen(list: ListedSessions, strings: Strings['sessionCommands'], screen: TextScreen): string {
  const { rows, all } = list
  const { paint, columns } = screen
  if (rows.length === 0) {
    const lines = [...wrapText(strings.noSessions(cleanText(list.folder)), columns), strings.howToImport]
    return `${lines.join('\n')}\n`
  }
  const shown = all ? rows : rows.slice(0, maxRows)
  const widest = shown.reduce((width, row) => Math.max(width, displayWidth(countOf(row, strings))), 0)
  const lines = wrapText(strings.list(rows.length), columns).map((line) => paint('bold', line))
  for (const row of shown) for (const line of rowLines(row, widest, list.home, strings, screen)) lines.push(line)
  if (shown.length < rows.length) lines.push(paint('dim', strings.olderSessions(rows.length - shown.length)))
  if (!screen.endless) lines.push('', paint('dim', strings.howToShow))
  return `${lines.join('\n')}\n`
}

function rowLines(
  row: SessionRow,
  widest: number,
  home: string,
  strings: Strings['sessionCommands'],
  { paint, columns, endless }: TextScreen,
): readonly string[] {
  const facts = [row.id, timeText(row.last)]
  const size = [fitWidth(countOf(row, strings), widest, 'right'), sizeText(row.bytes)]
  const from = row.from ? [strings.splitFrom(cleanText(row.from.session))] : []
  const place = row.root === null ? [] : [shortPath(cleanText(row.root), cleanText(home), endless ? null : columns)]
  const about = [...place, ...from, row.title === null ? strings.untitled : cleanText(row.title)].join(' · ')
  if (endless) return [[...facts, ...size, about].join('  ')]
  const line = ['', ...facts, ...size].join('  ')
  const first = displayWidth(line) <= columns ? [line] : [`  ${facts[0]}`, `    ${timeText(row.last)}`, `    ${size.join('  ')}`]
  return [...first, paint('dim', `    ${cutToWidth(about, columns - 4)}`)]
}

function countOf({ messages }: SessionRow, strings: Strings['sessionCommands']): string {
  return strings.messages(messages, grouped(messages))
}

/** Keeps the end of a long path, which tells projects apart. */
function shortPath(path: string, home: string, columns: number | null): string {
  const short = tildePath(path, home)
  const max = columns === null ? short.length : Math.max(12, Math.floor(columns / 2) - 6)
  return short.length <= max ? short : `…${[...short].slice(1 - max).join('')}`
}

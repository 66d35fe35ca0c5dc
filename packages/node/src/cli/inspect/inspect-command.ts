import type { InspectedTexts } from '../../inspect/inspected-texts.ts'
import { checkQuestion, underNamed, WhatIfError } from '../../inspect/what-if-choices.ts'
import type { InspectedUnder, Inspection } from '../../shared/inspection/inspection.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { numberOf } from '../requests/view-options.ts'
import { type SessionContext, sayNotices, sessionContext } from '../settings.ts'
import { createMessageLines, lineText } from '../terminal/message-line.ts'
import { startProgress } from '../terminal/progress.ts'
import { type ColourOptions, createTextScreen } from '../terminal/screen.ts'
import { writeJson } from '../terminal/write-out.ts'
import { type BigMessage, inspectScreen } from './inspect-screen.ts'
import { findTarget, openTarget } from './inspect-target.ts'
import { writeInspectionPage } from './write-inspection-page.ts'

export interface InspectOptions extends ColourOptions {
  readonly conversation?: string
  readonly last?: boolean
  readonly html?: string
  readonly force?: boolean
  readonly open?: boolean
  /** False for `--no-redact`. */
  readonly redact?: boolean
  /** A policy set of `plimsoll replay` that is assumed to have been in force. */
  readonly under?: string
  /** Policy sets of `plimsoll replay` with commas between them, or `none`. */
  readonly policies?: string
  readonly json?: boolean
}

/** Shows what fills the window of one session, or writes it as a page with the inspector in it. */
export async function inspectCommand(word: string | undefined, options: InspectOptions, io: CommandIo): Promise<void> {
  // Policies are those of what-if here, and not those of the settings.
  const { policies: _, ...others } = options
  const context = sessionContext(others, io)
  const { strings } = context
  const { inspect } = strings
  const wanted = numberOf(others, strings)
  const question = questionIn(options, context)
  const under = underIn(options, context)
  const isPage = options.html !== undefined || options.open === true
  const misplaced = isPage ? undefined : pageOnly(options)
  if (misplaced !== undefined) throw new CommandError(inspect.onlyWithHtml(misplaced), 2)
  if (word !== undefined && options.last === true) throw new CommandError(inspect.tooManyTargets, 2)
  const target = await findTarget(word, context)
  const progress = startProgress(io.stderr, under === null ? inspect.reading(target.name) : inspect.simulating(under.policies))
  const opened = await openTarget(target, wanted, context, under).finally(progress.end)
  try {
    const inspection = await opened.texts.inspection(options.json === true ? null : context.settings.config.locale)
    const notices = [
      ...(target.kind === 'file' && target.isExample ? [inspect.example] : []),
      ...(opened.count > 1 && wanted === null ? [strings.view.conversations(opened.count, opened.number)] : []),
    ]
    sayNotices(io, notices, options)
    if (options.json === true) writeJson(inspection, target.name, strings, io.stdout)
    else if (!isPage) {
      const biggest = await biggestOf(opened.texts, inspection)
      io.stdout.write(inspectScreen(inspection, biggest, strings, createTextScreen(options, io, 60)))
    }
    if (isPage) await writeInspectionPage({ ...opened, inspection, question }, options, context)
  } finally {
    await opened.close()
  }
}

/** Null where the page is to have no replay. Unknown names are said before anything is read. */
function questionIn({ policies }: InspectOptions, { strings }: SessionContext): { readonly policies: readonly string[] } | null {
  const names = (policies ?? '').split(',').map((name) => name.trim())
  if (names.length === 1 && names[0] === 'none') return null
  const given = names.filter((name) => name !== '')
  return known(strings, () => {
    checkQuestion({ policies: given, prices: [] })
    return { policies: given }
  })
}

/** Null for a session as it was recorded. Unknown names are said before anything is read. */
function underIn({ under }: InspectOptions, { strings }: SessionContext): InspectedUnder | null {
  if (under === undefined) return null
  const { set, row } = known(strings, () => underNamed({ policies: under }))
  return { policies: set.name, price: row.name }
}

function known<Result>(strings: SessionContext['strings'], look: () => Result): Result {
  try {
    return look()
  } catch (error) {
    throw error instanceof WhatIfError ? new CommandError(error.text(strings), 2) : error
  }
}

function pageOnly({ force, redact, policies }: InspectOptions): string | undefined {
  if (force === true) return '--force'
  if (redact === false) return '--no-redact'
  return policies === undefined ? undefined : '--policies'
}

const shownBiggest = 8

/** The biggest messages, each with what it is about: a result is named by the call it answers. */
async function biggestOf(texts: InspectedTexts, { messages }: Inspection): Promise<readonly BigMessage[]> {
  const numbers = [...messages.tokens.keys()]
    .toSorted((one, other) => (messages.tokens[other] ?? 0) - (messages.tokens[one] ?? 0))
    .slice(0, shownBiggest)
  const biggest: BigMessage[] = []
  for (const number of numbers) {
    const near = await texts.messages(Math.max(0, number - callsAreNear), number + 1)
    const lineOf = createMessageLines()
    const lines = near.map(({ message }) => ({ line: lineOf(message), role: message.role }))
    const last = lines.at(-1)
    biggest.push({ number, text: last === undefined ? '' : lineText(last.line, last.role) })
  }
  return biggest
}

/** A result stands close behind the call it answers. */
const callsAreNear = 20

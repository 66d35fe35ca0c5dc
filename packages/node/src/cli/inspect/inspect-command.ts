import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { InspectError, type InspectSettings } from '../../inspect/inspect-facts.ts'
import { openInspectedLog } from '../../inspect/inspect-log.ts'
import { openInspectedSession } from '../../inspect/inspect-session.ts'
import { openInspectedUnder } from '../../inspect/inspect-under.ts'
import type { InspectedTexts } from '../../inspect/inspected-texts.ts'
import { checkQuestion, underNamed, WhatIfError } from '../../inspect/what-if-choices.ts'
import { findLogs, logPlaces } from '../../logs/find-logs.ts'
import { readLog } from '../../logs/read-log.ts'
import { sessionPrice } from '../../replay/own-case.ts'
import { sessionIds } from '../../session/list-sessions.ts'
import { pathsOf } from '../../session/session-folder.ts'
import type { InspectedUnder, Inspection } from '../../shared/inspection/inspection.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { findExample } from '../requests/find-conversation.ts'
import { numberOf } from '../requests/view-options.ts'
import { chooseSession, named } from '../sessions/session-choice.ts'
import { type SessionContext, sayNotices, sessionContext } from '../settings.ts'
import { createMessageLines, lineText } from '../terminal/message-line.ts'
import { problemText } from '../terminal/problem-text.ts'
import { type ColourOptions, createTextScreen, startProgress } from '../terminal/screen.ts'
import { cleanText } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'
import { type BigMessage, inspectScreen } from './inspect-screen.ts'
import { writeInspectionPage } from './write-inspection-page.ts'

export interface InspectOptions extends ColourOptions {
  readonly conversation?: string
  readonly last?: boolean
  readonly html?: string
  readonly force?: boolean
  readonly open?: boolean
  readonly redact?: boolean
  /** A policy set of `plimsoll replay` that the session is shown under. */
  readonly under?: string
  /** Policy sets of `plimsoll replay` with commas between them, or `none`. */
  readonly policies?: string
  readonly json?: boolean
}

/** Shows the window of one session, or writes it as a page with the inspector in it. */
export async function inspectCommand(word: string | undefined, options: InspectOptions, io: CommandIo): Promise<void> {
  // These policies are those of what-if, not of the settings.
  const { policies: _, ...others } = options
  const context = await sessionContext(others, io)
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

/** Null if the page needs no replay. Reports unknown names before anything is read. */
function questionIn({ policies }: InspectOptions, { strings }: SessionContext): { readonly policies: readonly string[] } | null {
  const names = (policies ?? '').split(',').map((name) => name.trim())
  if (names.length === 1 && names[0] === 'none') return null
  const given = names.filter((name) => name !== '')
  return known(strings, () => {
    checkQuestion({ policies: given, prices: [] })
    return { policies: given }
  })
}

function underIn({ under }: InspectOptions, { strings }: SessionContext): InspectedUnder | null {
  if (under === undefined) return null
  const { set, row } = known(strings, () => underNamed({ policies: under }))
  return { policies: set.name, price: row?.name ?? sessionPrice }
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

/** A result is close to the call it answers, which names it. */
const callsAreNear = 20

type NamedTarget =
  | { readonly kind: 'session'; readonly id: string; readonly name: string; readonly path: string }
  | { readonly kind: 'file'; readonly name: string; readonly path: string; readonly isExample: boolean }

/**
 * Finds what a word names: a file, a session by its id, or `last`. Without a word: the newest session or log on this machine, or
 * the bundled example. Throws `CommandError` if the word names nothing.
 */
async function findTarget(word: string | undefined, context: SessionContext): Promise<NamedTarget> {
  const { io, sessions, strings } = context
  if (word === undefined) return newest(context)
  const path = resolve(io.folder, word)
  // An empty name would resolve to the folder.
  if (word !== '' && word !== 'last' && (await timeOf(path)) !== null)
    return { kind: 'file', name: cleanText(word) || JSON.stringify(word), path, isExample: false }
  if (word !== 'last' && !mayBeId.test(word)) throw new CommandError(strings.inspect.nothingThere(named(word)), 1)
  return sessionTarget(sessions, await chooseSession(sessions, word, strings.sessionCommands))
}

/** An id, its beginning, or its last six characters. */
const mayBeId = /^(?:\d{4,8}(?:-[\da-z-]*)?|[\da-z]{6})$/

function sessionTarget(sessions: string, id: string): NamedTarget {
  return { kind: 'session', id, name: id, path: pathsOf(join(sessions, id)).log }
}

async function newest({ io, sessions }: SessionContext): Promise<NamedTarget> {
  const own = (await sessionIds(sessions)).map((id) => sessionTarget(sessions, id))
  const { logs } = await findLogs(logPlaces(io))
  const found = logs.map(({ path }): NamedTarget => ({ kind: 'file', name: cleanText(path), path, isExample: false }))
  let latest: NamedTarget | null = null
  let latestTime = Number.NEGATIVE_INFINITY
  for (const target of [...own, ...found]) {
    const time = await timeOf(target.path)
    if (time === null || time <= latestTime) continue
    latest = target
    latestTime = time
  }
  if (latest !== null) return latest
  const { file } = await findExample()
  return { kind: 'file', name: cleanText(file), path: file, isExample: true }
}

async function timeOf(path: string): Promise<number | null> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? null
}

/**
 * Opens the target, with `under` as if that policy set had been active. Throws `CommandError` if it cannot be read, has no such
 * conversation, or cannot be replayed.
 */
async function openTarget(
  target: NamedTarget,
  wanted: number | null,
  context: SessionContext,
  under: InspectedUnder | null = null,
) {
  const { sessions, settings, strings, io } = context
  const { name, path } = target
  const { config, windowSetBy } = settings
  const day = new Date(io.now()).toISOString().slice(0, 10)
  const inspect: InspectSettings = { config, isWindowSet: windowSetBy !== null, day }
  const number = wanted ?? 1
  const missing = (count: number) =>
    new CommandError(problemText({ kind: 'no-such-conversation', wanted: number, count }, name, strings.problem), 1)
  if (target.kind === 'session') {
    if (number !== 1) throw missing(1)
    if (under === null) return { ...(await openInspectedSession(sessions, target.id, inspect)), number, count: 1 }
  }
  const { value: log, problem } = await readLog(path)
  if (log === undefined) throw new CommandError(problemText(problem, name, strings.problem), 1)
  const count = log.sessions.length
  if (number > count) throw missing(count)
  const id = target.kind === 'session' ? target.id : name
  const logged = { path, number: number - 1, id, log }
  if (under === null) return { ...(await openInspectedLog(logged, inspect)), number, count }
  const own = target.kind === 'session' ? { sessions } : {}
  const opened = await openInspectedUnder({ ...logged, ...own, under }, inspect).catch((error: unknown) => {
    throw error instanceof InspectError ? new CommandError(strings.inspect.nothingToReplay, 1) : error
  })
  return { ...opened, number, count }
}

import { type Message, recall } from '@plimsoll/core'
import type { RecallRequest, Span } from '@plimsoll/core/session'
import { escapeUnprintable } from '@plimsoll/core/text'
import type { Agent, TurnOutcome } from '../../agent/agent.ts'
import { compactHarder, startHandOver } from '../../agent/compaction/hand-over.ts'
import { previewSession, roundsToKeep } from '../../agent/compaction/plan-session.ts'
import { isoTime, readableTime, timeText } from '../../files/time-and-size.ts'
import { offlineProvider } from '../../model/model-knowledge.ts'
import { branchMessages, rewindBefore } from '../../session/branch.ts'
import { listSessions } from '../../session/list-sessions.ts'
import { recallSourceOf } from '../../session/recall-source.ts'
import type { OpenSession } from '../../session/session.ts'
import type { AgentError } from '../../shared/event.ts'
import { isSaid, saidText } from '../../shared/mentions.ts'
import { overflowFacts } from '../../shared/overflow-facts.ts'
import { agentErrorText } from '../../shared/strings/strings-for.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { changedFiles, undoFiles } from '../../tools/change/undo-files.ts'
import { CommandError } from '../command-io.ts'
import { compactScreen, previewAccount } from '../requests/compact-screen.ts'
import { hideChange, pinChange } from '../sessions/change-commands.ts'
import { exportCommand } from '../sessions/export-command.ts'
import { chooseSession } from '../sessions/session-choice.ts'
import { sessionsScreen } from '../sessions/sessions-command.ts'
import { writing } from '../settings.ts'
import { cleanLine, cleanLines, cleanText, cutToWidth, grouped, wrapText } from '../terminal/text.ts'
import type { ChoicesDialog, Desk } from './chat-state.ts'

/** Resumes another session: the one named, or one picked from the list. */
export async function resumeSession(word: string, desk: Desk): Promise<void> {
  const { sessions, io } = desk.host.context
  const { sessionCommands } = desk.strings
  if (word !== '') {
    const id = await chooseSession(sessions, word, sessionCommands)
    if (id === desk.agent().session.id) return desk.say(desk.strings.chat.inThisSession)
    return desk.enter(id)
  }
  const { rows } = await listSessions(sessions)
  const others = rows.filter(({ id }) => id !== desk.agent().session.id)
  if (!desk.isAttended || others.length === 0) {
    const list = { rows, folder: sessions, home: io.environment['HOME'] ?? '', all: false }
    return desk.print(sessionsScreen(list, sessionCommands, desk.screen()).trimEnd().split('\n'))
  }
  const shown = others.map(({ id, last, messages, title }) => {
    const name = title === null ? sessionCommands.untitled : cleanText(title)
    return `${timeText(last)}  ${sessionCommands.messages(messages, grouped(messages))}  ${name}  ${id.slice(-6)}`
  })
  const index = await desk.pick({ kind: 'list', title: desk.strings.chat.sessionsTitle, rows: shown })
  const chosen = index === null ? undefined : others[index]
  if (chosen !== undefined) await desk.enter(chosen.id)
}

/** Pins or unpins a message; the last one if none is named. */
export async function changePin(word: string, desk: Desk, how: 'pin' | 'unpin'): Promise<void> {
  const { session } = desk.agent()
  const { text, entry } = pinChange(session, messageWord(word, desk), how, desk.strings.sessionCommands)
  if (entry !== null) await session.append([entry])
  desk.say(text)
  if (entry !== null) await desk.look()
}

/** Hides the result of a message, or shows it again; the last one if none is named. */
export async function changeHidden(word: string, desk: Desk, how: 'hide' | 'unhide'): Promise<void> {
  const { session } = desk.agent()
  const { text, entry } = hideChange(session, messageWord(word, desk), how, desk.strings, desk.host.context.io.now())
  if (entry !== null) await session.append([entry])
  for (const line of text.split('\n')) desk.say(line)
  if (entry !== null) await desk.look()
}

function messageWord(word: string, { agent, strings }: Desk): string {
  if (word !== '' && word !== 'last') return word
  const last = branchMessages(agent().session).at(-1)
  if (last === undefined) throw new CommandError(strings.requestCommands.nothingSaid, 1)
  return `${last.number}`
}

const maxRecalledLines = 200

/** Shows omitted text: all of it by handle, or the places that match some words. */
export function recallText(asked: string, desk: Desk): void {
  const { sessionCommands, chat } = desk.strings
  if (asked === '') throw new CommandError(chat.noHandle, 2)
  const look = (request: RecallRequest) =>
    recall(request, recallSourceOf(desk.agent().session), { facts: { config: desk.host.context.settings.config } })
  const byHandle = /^[0-9a-f]{6,64}$/i.test(asked) ? look({ handle: asked }) : null
  // Some words consist of the letters of a handle.
  const isWord = byHandle?.kind === 'missing' && byHandle.reason === 'unknown-handle' && !/\d/.test(asked)
  const answer = byHandle === null || isWord ? look({ query: asked }) : byHandle
  const query = cleanText(asked.slice(0, 200))
  if (answer.kind === 'missing') {
    const isSearch = answer.reason === 'no-match'
    throw new CommandError(isSearch ? chat.noPlace(query) : sessionCommands.missing(answer.reason, cleanText(answer.text)), 1)
  }
  if (answer.kind === 'spans' && answer.spans.length > 0) {
    const { paint, columns } = desk.screen()
    const places = answer.spans.flatMap((span) => [
      '',
      paint('bold', cutToWidth(placeText(span, chat), columns)),
      ...printable(span.text),
    ])
    return desk.print(firstLines([...wrapText(chat.placesFound(answer.spans.length, query), columns), ...places], chat))
  }
  desk.print(firstLines(printable(answer.text), chat))
}

function placeText({ original, lines: [first, last] }: Span, strings: Strings['chat']): string {
  const { tool, role, about, handle } = original
  const what = cleanText(tool === null ? role : `${tool}${about === '' ? '' : ` ${about}`}`)
  return `${handle} · ${strings.placeLines(first === last ? `${first}` : `${first}-${last}`)} · ${what}`
}

function printable(text: string): readonly string[] {
  return text.split('\n').map((line) => escapeUnprintable(line.slice(0, 2000).replaceAll('\t', '    ')))
}

function firstLines(lines: readonly string[], strings: Strings['chat']): readonly string[] {
  if (lines.length <= maxRecalledLines) return lines
  return [...lines.slice(0, maxRecalledLines), strings.moreLines(grouped(lines.length - maxRecalledLines))]
}

/** Writes the session as Markdown to a file, or explains how to. */
export async function exportChat(file: string, desk: Desk): Promise<void> {
  const { session } = desk.agent()
  if (file === '') return desk.say(desk.strings.chat.howToExport(session.id))
  const { io } = desk.host.context
  const written: string[] = []
  const output = { ...io.stdout, write: (text: string) => void written.push(text) }
  await exportCommand(session.id, { format: 'markdown', out: file }, { ...io, stdout: output, stderr: output })
  desk.print(written.join('').trimEnd().split('\n'))
}

const maxPreviewLines = 24

/** Shows what a compaction would do, asks, and does it. */
export async function compactChat(focus: string, desk: Desk): Promise<void> {
  const { strings, host } = desk
  const { config } = host.context.settings
  const { session } = desk.agent()
  const wish = focus === '' ? {} : { focus }
  const now = host.context.io.now()
  const keepRounds = roundsToKeep(session, { config, now, ...wish })
  const found = keepRounds === null ? null : previewSession(session, { config, keepRounds, now, force: true, ...wish })
  if (found === null || keepRounds === null) return desk.say(strings.chat.nothingToFold, 'dim')
  const preview = previewAccount(session.id, found, keepRounds, { model: null, window: null })
  const account = compactScreen(
    { ...preview, summary: shortened(found.text, (more) => strings.chat.moreLines(more)) },
    { ...strings, requestCommands: { ...strings.requestCommands, previewed: '' } },
    desk.screen(),
  )
  desk.print(account.trimEnd().split('\n'))
  if (found.fold === null) return
  const { yes, no, compactNow } = strings.chat
  const choices = [
    { key: 'y', label: yes },
    { key: 'n', label: no },
  ]
  const isWritten = config.compaction.model !== null || desk.agent().model().provider !== offlineProvider
  const lines = [compactNow[isWritten ? 'model' : 'outline']]
  const picked = desk.isAttended ? await desk.pick({ kind: 'choices', lines, choices, dismiss: 1 }) : 0
  if (picked !== 0) return desk.say(strings.chat.notCompacted, 'dim')
  await desk.work(async (signal) => {
    const outcome = await desk.agent().compact({ ...wish, keepRounds }, signal)
    if (outcome.kind === 'unchanged') desk.say(strings.requestCommands.unchanged, 'dim')
  })
}

function shortened(text: string, more: (count: string) => string): string {
  const lines = text.split('\n')
  if (lines.length <= maxPreviewLines) return text
  return [...lines.slice(0, maxPreviewLines), more(`${lines.length - maxPreviewLines}`)].join('\n')
}

/** Lets the user pick one of their messages, goes back to before it, and puts its text into the prompt again. */
export async function goBack(desk: Desk): Promise<void> {
  const { chat } = desk.strings
  const said = saidOn(desk.agent().session).toReversed()
  if (said.length === 0) return desk.say(chat.nothingToRewind, 'dim')
  const rows = said.map((message) => `${readableTime(isoTime(message.at)).slice(-5)}  ${lineOf(message)}`)
  if (!desk.isAttended) return desk.print(rows)
  const index = await desk.pick({ kind: 'list', title: chat.rewindTitle, rows })
  const chosen = index === null ? undefined : said[index]
  if (chosen !== undefined) await takeBack(chosen, desk)
}

/** Undoes the last user message, with everything after it. */
export async function undoTurn(desk: Desk): Promise<void> {
  const last = saidOn(desk.agent().session).at(-1)
  if (last === undefined) throw new CommandError(desk.strings.chat.nothingToRewind, 1)
  await takeBack(last, desk)
}

const maxDiffLines = 40

/** Shows the last changes of files by the agent, asks, and undoes them. Files that were changed since stay unless they are chosen too. */
export async function undoChanges(desk: Desk): Promise<void> {
  const { chat } = desk.strings
  const { undoFiles: texts, yes, no } = chat
  const { session } = desk.agent()
  const { root } = desk.host
  const found = await changedFiles(session, root, null)
  if (found === null) return desk.say(texts.nothing, 'dim')
  const { paint, columns } = desk.screen()
  for (const { path, state, isNew, diff } of found.files) {
    const what = isNew && state === 'written' ? texts.removed : texts.states[state]
    desk.print([paint('bold', cutToWidth(`${cleanText(path)}: ${what}`, columns))])
    const lines = diff === null ? [] : printable(diff.trimEnd()).slice(2)
    desk.print(lines.slice(0, maxDiffLines))
    if (lines.length > maxDiffLines) desk.say(chat.moreLines(grouped(lines.length - maxDiffLines)), 'dim')
  }
  const able = found.files.filter(({ canChange }) => canChange)
  const safe = able.filter(({ state }) => state !== 'changed')
  if (able.length === 0) return
  const choices = [
    ...(safe.length > 0 ? [{ key: 'y', label: yes, files: safe }] : []),
    ...(safe.length < able.length ? [{ key: 'a', label: texts.all, files: able }] : []),
    { key: 'n', label: no, files: [] },
  ]
  const dialog = { kind: 'choices', lines: [texts.question], choices, dismiss: choices.length - 1 } as const
  const picked = desk.isAttended ? choices[(await desk.pick(dialog)) ?? dialog.dismiss]?.files : safe
  if (picked === undefined || picked.length === 0) return
  await desk.work(async (signal) => {
    const outcome = await undoFiles(session, root, found.turn, picked, { signal, config: desk.host.context.settings.config })
    const names = (paths: readonly string[] = []) => paths.map((path) => cleanText(path)).join(', ')
    if (outcome !== null && outcome.done.length > 0) desk.say(texts.done(names(outcome.done)))
    if (outcome !== null && outcome.left.length > 0) desk.say(texts.left(names(outcome.left)), 'warning')
  })
}

async function takeBack(chosen: Message, desk: Desk): Promise<void> {
  const { session } = desk.agent()
  const { chat } = desk.strings
  const { message, dropped, end } = await rewindBefore(session, chosen.id)
  await desk.look()
  desk.say(chat.rewound(cutToWidth(lineOf(message), 60), dropped))
  desk.say(chat.howToGoBack(`plimsoll sessions rewind ${session.id} ${end}`), 'dim')
  if (desk.isAttended) desk.fill(saidText(message))
}

/** Folded rounds are not among them. */
function saidOn(session: OpenSession): readonly Message[] {
  const places = new Set(branchMessages(session).map(({ head }) => head.id))
  return session.state().messages.filter((message) => isSaid(message) && places.has(message.id))
}

function lineOf(message: Message): string {
  const line = cleanLines(saidText(message).slice(0, 2000)).find((text) => text.trim() !== '')
  return line?.trim() ?? ''
}

/**
 * Asks what to do about a conversation that is too long, and does it. Returns the outcome of the turn, null if it did not
 * continue.
 */
export async function answerOverflow(error: AgentError, desk: Desk): Promise<TurnOutcome | null> {
  const dialog = overflowDialog(error, desk)
  if (!desk.isAttended) {
    desk.print(dialog.lines.slice(1))
    return null
  }
  const picked = await desk.pick(dialog)
  if (picked === 0) return workOn(desk, (agent, signal) => compactHarder(agent, desk.host.context.settings.config, signal))
  if (picked === 1) return goOnElsewhere(desk)
  if (picked === 2) desk.fill('/model ')
  return null
}

function overflowDialog(error: AgentError, { strings, host }: Desk): ChoicesDialog {
  const { overflow } = strings.chat
  const { requested, max, biggest } = overflowFacts(error)
  // The choices say what can be done.
  const { message } = agentErrorText(error, host.context.settings.config.locale)
  return {
    kind: 'choices',
    lines: [
      cleanLine(message.slice(0, 500)),
      ...(requested === null || max === null ? [] : [overflow.sizes(grouped(requested), grouped(max))]),
      ...biggest.map(({ kind, about, tokens }, index) => {
        const what = overflow.parts[kind](cleanLine(about))
        return `  ${index + 1}. ${overflow.part(what, grouped(tokens))}`
      }),
    ],
    choices: [
      { key: 'c', label: overflow.compress },
      { key: 'n', label: overflow.newSession },
      { key: 'm', label: overflow.otherModel },
      { key: 'd', label: overflow.dismiss },
    ],
    dismiss: 3,
  }
}

/** Continues in a new session with the needed part of the old one, and has the last message answered there. */
async function goOnElsewhere(desk: Desk): Promise<TurnOutcome | null> {
  const { context } = desk.host
  const old = desk.agent().session
  const next = await startHandOver(context.sessions, old, writing(context))
  const { id } = next
  await next.close()
  await desk.enter(id)
  desk.say(desk.strings.chat.handedOver(old.id))
  return workOn(desk, async () => undefined)
}

async function workOn(desk: Desk, prepare: (agent: Agent, signal: AbortSignal) => Promise<void>): Promise<TurnOutcome | null> {
  let outcome: TurnOutcome | null = null
  await desk.work(async (signal) => {
    const agent = desk.agent()
    await prepare(agent, signal)
    if (!signal.aborted) outcome = await desk.resume(signal)
  })
  return outcome
}

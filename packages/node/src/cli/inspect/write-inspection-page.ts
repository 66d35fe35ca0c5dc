import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { homeFolder } from '../../config/home-folder.ts'
import { embedInspection } from '../../inspect/embed-inspection.ts'
import type { InspectedTexts } from '../../inspect/inspected-texts.ts'
import { inspectionPage, readPageAssets } from '../../inspect/inspection-page.ts'
import { type LoggedSession, whatIf } from '../../inspect/what-if.ts'
import { WhatIfError } from '../../inspect/what-if-choices.ts'
import type { Inspection } from '../../shared/inspection/inspection.ts'
import { CommandError } from '../command-io.ts'
import { type SessionContext, sayNotices } from '../settings.ts'
import { progressBar, startProgress } from '../terminal/screen.ts'
import { cleanText, grouped, sizeText } from '../terminal/text.ts'
import { checkOut, openFile, writeOut } from '../terminal/write-out.ts'
import type { InspectOptions } from './inspect-command.ts'

export interface InspectedPage {
  readonly texts: InspectedTexts
  readonly logged: LoggedSession
  readonly inspection: Inspection
  readonly question: { readonly policies: readonly string[] } | null
}

/** Writes a page with the session and the inspector in it, and opens it on request. */
export async function writeInspectionPage(page: InspectedPage, options: InspectOptions, context: SessionContext): Promise<void> {
  const { io, strings, settings } = context
  const { inspect } = strings
  const assets = await readPageAssets()
  if (assets === null) throw new CommandError(inspect.notBuilt, 1)
  const isForced = options.force === true
  if (options.html !== undefined) await checkOut(resolve(io.folder, options.html), isForced, strings.sessionCommands)
  const replayed = await replay(page, context)
  const progress = startProgress(io.stderr, inspect.writing('0', grouped(page.inspection.messages.ids.length)))
  try {
    const isRedacted = options.redact !== false
    const data = await embedInspection(page.texts, {
      locale: settings.config.locale,
      isRedacted,
      home: homeFolder(io.environment),
      strings: strings.page,
      whatIf: replayed.answer,
      progress: (done, all) => progress.say(`${progressBar(done, all)}  ${inspect.writing(grouped(done), grouped(all))}`),
      signal: io.interrupted?.(),
    })
    const file = options.html ?? join(await mkdtemp(join(tmpdir(), 'plimsoll-inspect-')), 'inspect.html')
    const path = resolve(io.folder, file)
    const size = await writeOut(path, inspectionPage(data, assets, strings.page), isForced, strings)
    progress.end()
    const left = data.left ?? { secrets: 0, homes: 0 }
    const about = isRedacted ? strings.page.redacted(grouped(left.secrets), grouped(left.homes)) : inspect.wroteUnredacted
    const isOpened = options.open !== true || (await openFile(path, io))
    const notices = [inspect.wrote(cleanText(file), sizeText(size)), about, ...replayed.notices]
    sayNotices(io, isOpened ? notices : [...notices, inspect.cannotOpen], options)
  } finally {
    progress.end()
  }
}

const maxReplayedBytes = 20_000_000

async function replay({ logged, inspection, question }: InspectedPage, { io, strings, settings }: SessionContext) {
  const { inspect } = strings
  const { bytes } = inspection.session
  if (question === null) return { answer: null, notices: [] }
  if (question.policies.length === 0 && (bytes ?? 0) > maxReplayedBytes)
    return { answer: null, notices: [inspect.noReplayOfLarge(sizeText(bytes ?? 0))] }
  const progress = startProgress(io.stderr, inspect.replaying)
  try {
    const answer = await whatIf(
      logged,
      { policies: question.policies, prices: [] },
      {
        prices: settings.config.prices,
        progress: (share) => progress.say(`${progressBar(share, 1)}  ${inspect.replaying}`),
        signal: io.interrupted?.(),
      },
    )
    return { answer, notices: [] }
  } catch (error) {
    if (!(error instanceof WhatIfError)) throw error
    return { answer: null, notices: [inspect.noReplayBecause(error.text(strings))] }
  } finally {
    progress.end()
  }
}

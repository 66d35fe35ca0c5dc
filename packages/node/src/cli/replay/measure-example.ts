import { readFile, stat } from 'node:fs/promises'
import { codecs } from '@plimsoll/core'
import { modelStringsIn } from '@plimsoll/core/text'
import { viewRequest } from '@plimsoll/core/wire'
import { measureLogs } from '../../logs/measure/measure-logs.ts'
import { modelLanguage } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import { findExample } from '../requests/find-conversation.ts'
import type { Settings } from '../settings.ts'

/** The overview of the bundled example, and its tokens as stored and as sent. */
export async function measureExample({ policies, config }: Settings, { platform }: CommandIo) {
  const { file, now, root } = await findExample()
  const { size } = await stat(file)
  const logs = [{ agent: 'Plimsoll', path: file, bytes: size, stamp: null }]
  const request: unknown = JSON.parse(await readFile(file, 'utf8'))
  const { report } = viewRequest(codecs['openai-chat'], request, policies, {
    now,
    root,
    platform,
    config,
    strings: modelStringsIn(modelLanguage(config)),
  })
  return {
    overview: await measureLogs({ logs, unreadable: [] }, { platform }),
    tokens: { before: report.tokensBefore, after: report.tokensAfter },
  }
}

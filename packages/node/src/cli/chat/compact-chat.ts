import { previewSession } from '../../agent/preview-session.ts'
import { roundsToKeep } from '../../agent/rounds-to-keep.ts'
import { offlineProvider } from '../../model/model-knowledge.ts'
import { compactScreen } from '../requests/compact-screen.ts'
import type { Desk } from './desk.ts'

/** Lines of a preview that are shown before the question. */
const mostPreview = 24

/** Shows what folding the older rounds would do, asks, and does it. */
export async function compactChat(focus: string, desk: Desk): Promise<void> {
  const { strings, host } = desk
  const { config } = host.context.settings
  const { session } = desk.agent()
  const wish = focus === '' ? {} : { focus }
  const now = host.context.io.now()
  const keepRounds = roundsToKeep(session, { config, now, ...wish })
  const found = keepRounds === null ? null : previewSession(session, { config, keepRounds, now, force: true, ...wish })
  if (found === null || keepRounds === null) return desk.say(strings.chat.nothingToFold, 'dim')
  const { segment, text, fold, foldedTokens, summaryTokens, tokensBefore, tokensAfter } = found
  const account = compactScreen(
    {
      outcome: 'preview',
      session: session.id,
      messages: segment.messages.length,
      rounds: segment.rounds,
      hasMore: segment.rounds.kept > keepRounds,
      isSmaller: fold !== null,
      foldedTokens,
      summaryTokens,
      tokensBefore,
      tokensAfter,
      model: null,
      window: null,
      summary: shortened(text, (more) => strings.chat.moreLines(more)),
    },
    { ...strings, requestCommands: { ...strings.requestCommands, previewed: '' } },
    desk.screen(),
  )
  desk.print(account.trimEnd().split('\n'))
  if (fold === null) return
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
  if (lines.length <= mostPreview) return text
  return [...lines.slice(0, mostPreview), more(`${lines.length - mostPreview}`)].join('\n')
}

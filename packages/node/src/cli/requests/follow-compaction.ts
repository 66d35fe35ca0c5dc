import type { Config } from '@plimsoll/core/policies'
import type { AgentEvent, CompactionStart, Emit } from '../../shared/event.ts'
import { noticeText } from '../../shared/strings/event-text.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import { sayNotices } from '../session-context.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { grouped } from '../terminal/format-number.ts'
import type { ColourOptions } from '../terminal/paint.ts'
import { startProgress } from '../terminal/progress.ts'
import { cutToWidth } from '../terminal/text-width.ts'

/** Follows one compaction and tells whoever waits for it. */
export interface CompactionFollower {
  readonly emit: Emit
  /** What was about to be folded; null where there was nothing. */
  readonly start: () => CompactionStart | null
  /** Tokens of the whole conversation before. */
  readonly tokensBefore: () => number
  /** Says what there is to say, once nothing more happens. */
  readonly end: () => void
}

/** What a compaction is followed with. */
export interface FollowOptions {
  readonly options: ColourOptions
  /** The model that writes; null where code alone does. */
  readonly model: string | null
  readonly config: Config
  readonly strings: Strings
}

/** Shows how far a model is with a summary, and afterwards what went wrong with it. Code alone takes no time worth showing. */
export function followCompaction(
  io: CommandIo,
  { options, model, config, strings: { requestCommands } }: FollowOptions,
): CompactionFollower {
  const shown = (text: string) => (io.stderr.isTerminal ? cutToWidth(text, (io.stderr.columns ?? 80) - 1) : text)
  const waiting = requestCommands.writing(model ?? '', config.compaction.timeout_seconds)
  const notices: string[] = []
  let progress: ReturnType<typeof startProgress> | null = null
  let start: CompactionStart | null = null
  let tokensBefore = 0
  const emit = ({ type, data }: AgentEvent) => {
    if (type === 'compaction_start') {
      start = data
      if (data.writer === 'model') progress = startProgress(io.stderr, shown(waiting), 200)
    }
    if (type === 'compaction_progress') progress?.say(shown(`${requestCommands.written(grouped(data.written))} · ${waiting}`))
    if (type === 'compaction_end') {
      tokensBefore = data.tokensBefore
      progress?.end()
    }
    if (type === 'notification')
      notices.push(
        noticeText(data.code, data.message, config.locale) + (data.details === null ? '' : ` (${cleanText(data.details)})`),
      )
    if (type === 'error') notices.push(cleanText(data.message))
  }
  return {
    emit,
    start: () => start,
    tokensBefore: () => tokensBefore,
    end() {
      progress?.end()
      sayNotices(io, notices.splice(0), options)
    },
  }
}

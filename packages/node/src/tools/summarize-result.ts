import { handleOf, resultText } from '@plimsoll/core'
import { type Config, finishResultSummary, planResultSummary } from '@plimsoll/core/policies'
import { sanitizeToolResultForHistory } from '@plimsoll/core/spec'
import { isRecord, type ModelStrings, modelStrings } from '@plimsoll/core/text'
import type { BlobReference, ResultContent } from '@plimsoll/core/wire'
import { thrownText } from '../files/problem.ts'
import type { Ask } from '../model/side-calls.ts'
import type { BlobSink } from '../session/blob-sink.ts'
import type { ToolOutcome } from '../shared/event.ts'
import { redactSecrets } from '../shared/redact/redact.ts'
import type { ToolContext } from './tool.ts'
import { TimeLimitError, within } from './work-limits.ts'

export interface SummarizeResultOptions extends Pick<ToolContext, 'config' | 'blobs' | 'signal'> {
  /** Default: the specification's. */
  readonly strings?: ModelStrings
  readonly tool: string
  readonly ask: Ask
  readonly onProblem?: (sentence: string) => void
  /** Milliseconds that the model has. Default: 30,000. */
  readonly timeLimit?: number
}

/**
 * Replaces a long text by a model's summary, if that is configured, and stores the original; the last line says how to recall it.
 * Returns errors and extracts unchanged, and every outcome if the model fails. Rejects only with the signal's reason.
 */
export async function summarizeResult(outcome: ToolOutcome, options: SummarizeResultOptions): Promise<ToolOutcome> {
  const { tool, config, strings = modelStrings, ask, blobs, signal, onProblem, timeLimit = 30_000 } = options
  if (outcome.isError === true || outcome.blob !== undefined || outcome.content.type === 'list') return outcome
  const kept = withoutSecrets(forHistory(outcome), config)
  const text = textOf(kept.content)
  const plan = planResultSummary(text, tool, { config, strings })
  if (plan === null) return outcome
  try {
    const summary = await within(timeLimit, signal, (either) => ask(plan.prompt, either))
    const reference = await keptOriginal(kept.content, text, blobs)
    const shown = finishResultSummary(plan, summary, reference.handle)
    if (shown === null) {
      onProblem?.(`The result of ${tool} was cut: the model wrote no summary.`)
      return outcome
    }
    const metadata = { ...kept.metadata, original_length: plan.characters, summarized: true }
    return { ...kept, content: { type: 'text', text: shown }, blob: reference, metadata }
  } catch (error) {
    signal.throwIfAborted()
    const isLate = error instanceof TimeLimitError
    const reason = isLate ? `no summary within ${timeLimit / 1000} seconds` : thrownText(error).replace(/(?<![.\s])[.\s]+$/, '')
    onProblem?.(`The result of ${tool} was cut: ${reason}.`)
    return outcome
  }
}

/**
 * The outcome for the log. If its bytes are stored already, as `metadata.blob` says, placeholders replace them; otherwise they
 * would be lost. Images in a provider's own form stay for the model.
 */
export function forHistory(outcome: ToolOutcome): ToolOutcome {
  const { content, metadata } = outcome
  const blob = metadata?.['blob']
  if (metadata === undefined || !isRecord(blob) || typeof blob['sha256'] !== 'string') return outcome
  const kept = content.type === 'json' ? { ...content, value: sanitizeToolResultForHistory(content.value) } : content
  return { ...outcome, content: kept, metadata: sanitizeToolResultForHistory(metadata) }
}

/** The original goes to the disk past the log, where secrets would have been blanked. */
function withoutSecrets(outcome: ToolOutcome, { sessions }: Config): ToolOutcome {
  const { content } = outcome
  if (!sessions.redact_secrets || content.type === 'list') return outcome
  const text = redactSecrets(textOf(content))
  return text === textOf(content) ? outcome : { ...outcome, content: { type: 'text', text } }
}

async function keptOriginal(content: ResultContent, text: string, blobs: BlobSink): Promise<BlobReference & { handle: string }> {
  // Half a surrogate pair has no UTF-8 bytes; JSON can escape it.
  const form = content.type === 'json' ? 'json' : text.isWellFormed() ? 'text' : 'quoted'
  const reference = await blobs.write(Buffer.from(form === 'quoted' ? JSON.stringify(text) : text, 'utf8'))
  return { ...reference, handle: form === 'quoted' ? handleOf(text) : (reference.handle ?? handleOf(text)), form }
}

function textOf(content: ResultContent): string {
  return resultText({ type: 'tool-result', callId: null, tool: null, content })
}

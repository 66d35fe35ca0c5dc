import { handleOf, resultText, type ToolRules } from '@plimsoll/core'
import { type Config, finishResultSummary, planResultSummary } from '@plimsoll/core/policies'
import { sanitizeToolResultForHistory } from '@plimsoll/core/spec'
import { isRecord } from '@plimsoll/core/text'
import { type BlobReference, type ResultContent } from '@plimsoll/core/wire'
import { thrownText } from '../files/trouble.ts'
import type { Ask } from '../model/side-calls.ts'
import { type ToolOutcome } from '../shared/event.ts'
import { redactSecrets } from '../shared/redact/redact.ts'
import type { BlobSink } from './tool.ts'
import { TimeLimitError, within } from './work-limits.ts'

/** What summarises results. */
export interface SummarizeResultOptions {
  /** The name of the tool that answered. */
  readonly tool: string
  readonly config: Config
  /** Rows laid over the built-in tool table. Default: none. */
  readonly rules?: readonly ToolRules[]
  /** Puts the question to the model of `summarization.model`. */
  readonly ask: Ask
  /** Where the original goes. */
  readonly blobs: BlobSink
  readonly signal: AbortSignal
  /** Told in one sentence why there is no summary, where there should be one. */
  readonly onTrouble?: (sentence: string) => void
  /** Milliseconds that the model has. Default: 30,000. */
  readonly timeLimit?: number
}

/**
 * The outcome with a model's summary in place of a long text, where the settings ask for one; the original is kept in full and the
 * last line says how to recall it. Failures and whatever already is an extract are not summarised. Where the model fails, takes too
 * long or says nothing, the very same outcome comes back, to be cut as any other. Rejects only with the signal's reason.
 */
export async function summarizeResult(outcome: ToolOutcome, options: SummarizeResultOptions): Promise<ToolOutcome> {
  const { tool, config, rules, ask, blobs, signal, onTrouble, timeLimit = 30_000 } = options
  if (outcome.isError === true || outcome.blob !== undefined || outcome.content.type === 'list') return outcome
  const kept = withoutSecrets(forHistory(outcome), config)
  const text = textOf(kept.content)
  const plan = planResultSummary(text, tool, { config, ...(rules === undefined ? {} : { tools: rules }) })
  if (plan === null) return outcome
  try {
    const summary = await within(timeLimit, signal, (either) => ask(plan.prompt, either))
    const reference = await keptOriginal(kept.content, text, blobs)
    const shown = finishResultSummary(plan, summary, reference.handle)
    if (shown === null) {
      onTrouble?.(`The result of ${tool} was cut: the model wrote no summary.`)
      return outcome
    }
    const metadata = { ...kept.metadata, original_length: plan.characters, summarized: true }
    return { ...kept, content: { type: 'text', text: shown }, blob: reference, metadata }
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof TimeLimitError ? `no summary within ${timeLimit / 1000} seconds` : reasonOf(error)
    onTrouble?.(`The result of ${tool} was cut: ${reason}.`)
    return outcome
  }
}

/** The original goes to the disk past the log, where secrets would have been blanked. */
function withoutSecrets(outcome: ToolOutcome, { sessions }: Config): ToolOutcome {
  const { content } = outcome
  if (!sessions.redact_secrets || content.type === 'list') return outcome
  const text = redactSecrets(textOf(content))
  return text === textOf(content) ? outcome : { ...outcome, content: { type: 'text', text } }
}

async function keptOriginal(
  content: ResultContent,
  text: string,
  blobs: BlobSink,
): Promise<BlobReference & { readonly handle: string }> {
  // Half a character has no bytes of its own; only JSON can write it down.
  const form = content.type === 'json' ? 'json' : text.isWellFormed() ? 'text' : 'quoted'
  const reference = await blobs.write(Buffer.from(form === 'quoted' ? JSON.stringify(text) : text, 'utf8'))
  return { ...reference, handle: form === 'quoted' ? handleOf(text) : (reference.handle ?? handleOf(text)), form }
}

function textOf(content: ResultContent): string {
  return resultText({ type: 'tool-result', callId: null, tool: null, content })
}

function reasonOf(error: unknown): string {
  return thrownText(error).replace(/[.\s]+$/, '')
}

/**
 * An outcome as the log keeps it: where its bytes are stored already, as `metadata.blob` says, placeholders stand for them in
 * everything the outcome holds. Any other outcome comes back as it is, because its bytes would be lost. Pictures in a provider's own
 * form stay: the model is meant to see them.
 */
export function forHistory(outcome: ToolOutcome): ToolOutcome {
  const { content, metadata } = outcome
  if (!isStored(metadata?.['blob'])) return outcome
  const kept = content.type === 'json' ? { ...content, value: sanitizeToolResultForHistory(content.value) } : content
  return { ...outcome, content: kept, metadata: sanitizeToolResultForHistory(metadata as Readonly<Record<string, unknown>>) }
}

function isStored(blob: unknown): boolean {
  return isRecord(blob) && typeof blob['sha256'] === 'string'
}

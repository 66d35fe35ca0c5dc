import type { ToolOutcome } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core'
import { sanitizeToolResultForHistory } from '@plimsoll/core/spec'

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

import type { ReplaceEdit } from '@plimsoll/core'
import type { TrimMode } from '@plimsoll/core/policies'
import { countMessages, estimator, isRecord } from '@plimsoll/core/text'
import type { Patch } from '@plimsoll/core/wire'
import type { Finding } from '../store/finding.ts'
import { contextManagementName, manageContext } from './planner/context-management.ts'
import type { AppliedEdit, RelayedRequest } from './planner.ts'
import type { UnderstoodRequest } from './understand-request.ts'

/** What comes of a client's `context_management`. */
export interface ManagedRequest {
  /** The name of the rule under which its edits are reported. */
  readonly policy: string
  readonly edits: readonly ReplaceEdit[]
  /** Changes of the request beside its messages. */
  readonly patches: readonly Patch[]
  /** What the answer has to tell. */
  readonly applied: readonly AppliedEdit[] | null
  readonly findings: readonly Finding[]
}

/**
 * Does what a client asks for with `context_management` where the upstream does not; where nothing may be changed, a finding says that it
 * was asked. Null where nothing was, or where it is the upstream's business.
 */
export function manageRequest(
  { dialect, isManagedUpstream }: Pick<RelayedRequest, 'dialect' | 'isManagedUpstream'>,
  { body, messages, overhead, doubt }: UnderstoodRequest,
  mode: TrimMode,
  locale: string | null,
): ManagedRequest | null {
  if (dialect !== 'anthropic' || isManagedUpstream || !isRecord(body.value['context_management'])) return null
  const nothing = { policy: contextManagementName, edits: [], patches: [], applied: null }
  if (mode === 'observe' || doubt !== null) return { ...nothing, findings: [{ code: 'context-management', count: 1 }] }
  const inputTokens = countMessages(messages, estimator) + overhead
  const managed = manageContext({ request: body.value, messages, inputTokens, locale })
  return managed === null ? null : { policy: contextManagementName, ...managed }
}

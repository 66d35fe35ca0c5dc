import { codecs, createConversation, type Message } from '@plimsoll/core'
import { estimator } from '@plimsoll/core/text'
import { writeRequest } from '@plimsoll/core/wire'
import { readRequest } from '../../packages/core/src/engine/known-request.ts'
import type { PolicySet } from '../../packages/node/src/replay/policy-sets.ts'
import { createViewSource, overheadOf } from '../../packages/node/src/replay/view-source.ts'
import type { WireDialect } from '../../packages/node/src/store/gateway-record.ts'
import type { RecordedConversation } from '../laws/recordings.ts'
import { bodyOf, createUsage, type Difference } from './compare-gateway.ts'
import { outline, outlineDifference } from './outline.ts'
import { noteReached, type Reached } from './reached.ts'

/** How a conversation is sent. */
export interface ReplayRun {
  readonly dialect: WireDialect
  readonly model: string
  readonly set: PolicySet
  /** Whether the model thinks aloud before each answer. Default: no. */
  readonly hasThoughts?: boolean
  readonly reached: Reached
}

/** Sends a conversation through replay and through the library with a codec, and compares what the model sees. */
export function compareWithReplay(
  { name, root, requests }: RecordedConversation,
  { dialect, model, set, hasThoughts = false, reached }: ReplayRun,
): readonly Difference[] {
  const differences: Difference[] = []
  const codec = codecs[dialect]
  const where = root === undefined ? {} : { root }
  const { policies, timing, rules = [] } = set
  const session = { name, format: 'test', model, ...where, segments: [], steps: [], hasTimes: true }
  const replay = createViewSource(set, session, [], terms, estimator)
  const library = createConversation({ codec, policies, timing, rules, model })
  const facts = { config: endless, overhead: overheadOf(set, estimator), cache: terms, platform: 'linux', ...where } as const
  const usageOf = createUsage()
  const firstSeen = new Map<string, number>()
  let at = 0
  for (const [number, request] of requests.entries()) {
    at = request.at > at ? request.at : at + 20_000
    const body = bodyOf(dialect, request.messages, { model, hasThoughts })
    const messages = readRequest(codec, body).messages.map((message): Message => {
      // Replay takes a message's time from the log, the library from when it first saw the message.
      const seen = firstSeen.get(message.id) ?? at
      firstSeen.set(message.id, seen)
      return { ...message, at: seen }
    })
    const shown = replay.next(messages, at)
    const prepared = library.next(body, { ...facts, now: at })
    const viewOf = (view: readonly Message[]) => outline(codec.read(writeRequest(dialect, view, { model })).messages)
    const different = outlineDifference(viewOf(codec.read(prepared.request).messages), viewOf(shown.view))
    if (different !== null) differences.push({ conversation: name, request: number, between: 'library and replay', ...different })
    const text = JSON.stringify(body)
    noteReached(reached, prepared.report, text, JSON.stringify(prepared.request))
    const usage = usageOf(text, model, at)
    replay.accepted(usage)
    library.accepted(usage)
  }
  return differences
}

const terms = { read: 0.1, write: 1.25, lifetimeSeconds: 300 }

/** Replay ignores the window, because recorded requests did fit. */
const endless = { context_window: 100_000_000, request_limits: { max_bytes: null, max_images: null } }

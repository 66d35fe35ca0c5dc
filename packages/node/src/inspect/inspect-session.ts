import { handleOf, type Message, type Tokenizer } from '@plimsoll/core'
import { plainCounts, sizeMessage } from '@plimsoll/core/bill'
import type { EntryHead, HeaderEntry } from '@plimsoll/core/session'
import { learnedLimits } from '../agent/request/learned-limits.ts'
import { sideUsageIn } from '../agent/request/session-cost.ts'
import { branchBack } from '../session/branch.ts'
import type { StoredSession } from '../session/session.ts'
import { titleOf, titleText } from '../session/shown-message.ts'
import type { Inspection } from '../shared/inspection/inspection.ts'
import { createCostSum } from './cost-sum.ts'
import { inspectBranch } from './inspect-branch.ts'
import { createInspectFacts, type InspectSettings } from './inspect-facts.ts'
import { createSampledTokenizer, sampledEstimator } from './sampled-tokenizer.ts'
import { troubleSentences } from './trouble-sentences.ts'

/** How a stored session is inspected. */
export interface InspectSessionOptions extends InspectSettings {
  /** The size of its log. */
  readonly bytes: number
}

/**
 * Everything that the inspector shows of a session of ours, read once in the order of the file. Of messages nothing is held but what
 * they take up. Never throws for what a log holds.
 */
export function inspectSession(session: StoredSession, options: InspectSessionOptions): Inspection {
  const facts = createInspectFacts(options)
  const tokens = tokenizerFor(options.bytes)
  const count = plainCounts(tokens)
  const calls = new Map<string, string>()
  const layers = new Map<string, string>()
  const toolOf = (callId: string) => calls.get(callId)
  const cost = createCostSum(facts.priceOf)
  const limitsOf = rememberLimits((model) => withLearned(session, model, facts.limitsOf(model)))
  const branch = inspectBranch({ layer: (handle) => layers.get(handle), toolOf, tokens, limitsOf, priceOf: facts.priceOf })
  let header: HeaderEntry | null = null
  let title: string | null = null

  const takeMessage = (message: Message) => {
    for (const part of message.parts) if (part.type === 'tool-call') calls.set(part.callId, part.tool)
    branch.message(sizeMessage(message, toolOf, count))
    title ??= titleOf([message])
  }

  const heads = session.heads()
  const isOnBranch = createBranchWalk(session, heads)
  for (const head of heads) {
    const onBranch = isOnBranch(head)
    if (!onBranch && (head.type === 'message' || head.type === 'edits')) continue
    const entry = session.read(head)
    if (entry === null) continue
    switch (entry.type) {
      case 'message':
        takeMessage(entry.message)
        continue
      case 'header':
        header = entry
        break
      case 'request':
        cost.asked(entry.id, entry.model)
        break
      case 'usage':
        cost.answered(entry.request, entry.usage)
        break
      case 'note': {
        const side = sideUsageIn(entry)
        if (side !== null) cost.beside(side.model, side.usage)
        if (entry.code !== 'layer' || entry.text === undefined) break
        const handle = entry.data?.['handle']
        layers.set(typeof handle === 'string' ? handle : handleOf(entry.text), entry.text)
        break
      }
      case 'edits':
      case 'failure':
      case 'rewind':
        break
    }
    if (onBranch) branch.entry(entry)
  }

  const { messages, requests, edits, fill, pins, model } = branch.finish()
  return {
    session: {
      id: session.id,
      title: header?.title === undefined ? title : titleText(header.title),
      format: 'plimsoll',
      isOwn: true,
      root: header?.root ?? null,
      model,
      first: heads[0]?.at ?? null,
      last: heads.length === 0 ? null : heads.reduce((latest, { at }) => Math.max(latest, at), 0),
      bytes: options.bytes,
      cost: cost.sum(),
      pins,
    },
    messages,
    requests,
    edits,
    fill,
    troubles: troubleSentences(session.troubles().map((trouble) => trouble.message)),
  }
}

/** In a log of more bytes, short texts are estimated from pieces of them too. */
const countedWhole = 24_000_000

function tokenizerFor(bytes: number): Tokenizer {
  return bytes > countedWhole ? coarseEstimator : sampledEstimator
}

const coarseEstimator = createSampledTokenizer({ wholeUpTo: 400, pieces: 2, pieceLength: 60 })

/** Tells of heads in the order of the file whether they are on the active branch, which has them in the same order. */
function createBranchWalk(session: StoredSession, heads: readonly EntryHead[]): (head: EntryHead) => boolean {
  // In most sessions nothing was ever wound back.
  if (heads.every(({ parentId }, index) => index === 0 || parentId === heads[index - 1]?.id)) return () => true
  const leaf = heads.at(-1)
  const path = leaf === undefined ? [] : [...branchBack(session, leaf.id)].reverse()
  let next = 0
  return (head) => {
    if (path[next] !== head) return false
    next += 1
    return true
  }
}

type Limits = ReturnType<ReturnType<typeof createInspectFacts>['limitsOf']>

function rememberLimits(look: (model: string | null) => Limits): (model: string | null) => Limits {
  const known = new Map<string | null, Limits>()
  return (model) => {
    let limits = known.get(model)
    if (limits === undefined) {
      limits = look(model)
      known.set(model, limits)
    }
    return limits
  }
}

/** What refusals have taught about a model's window holds for the session. */
function withLearned(session: StoredSession, model: string | null, limits: Limits): Limits {
  const { window } = learnedLimits(session, model ?? '')
  if (window === null || window >= limits.window) return limits
  return { window, reserve: Math.min(limits.reserve, Math.floor(window / 4)) }
}

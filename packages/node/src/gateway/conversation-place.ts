import type { Recognised } from '../store/gateway-store.ts'
import { hashText } from './understand-request.ts'

/** Where a request belongs. */
export interface ConversationPlace {
  readonly conversation: string
  /** How many requests the conversation had before it. */
  readonly number: number
  /** The request that it goes on from. */
  readonly after: string | null
  /** How many messages, from the first after the system prompts on, that one had. */
  readonly shared: number
}

/** What is asked about. */
export interface PlaceQuestion {
  readonly id: string
  readonly at: number
  readonly label: string | null
  readonly chains: readonly string[]
  readonly branch: Recognised['branch']
  /** The conversation of an earlier try that the upstream did not accept. */
  readonly tried: string | null
}

/** Finds the conversation of a request, or begins one. A label that a client gave tells conversations apart that begin alike. */
export function placeRequest({ id, at, label, chains, branch, tried }: PlaceQuestion): ConversationPlace {
  const mark = label === null ? '' : hashText(label).slice(0, 8)
  if (branch !== null && !isOther(branch, mark, chains, at)) {
    const { conversation, requests, state } = branch.branch
    return { conversation, number: requests, after: state.request ?? null, shared: branch.place + 1 }
  }
  const fresh = tried ?? `${hashText(`${id} ${at} ${chains.at(-1) ?? ''}`).slice(0, 24)}${mark === '' ? '' : `-${mark}`}`
  return { conversation: fresh, number: 0, after: null, shared: 0 }
}

/** A request that is said again all the same is tried again; later than this it is another conversation that begins alike. */
const longestRetry = 600_000

function isOther(
  { place, branch }: NonNullable<Recognised['branch']>,
  mark: string,
  chains: readonly string[],
  at: number,
): boolean {
  const known = branch.conversation.split('-')[1] ?? ''
  if (mark !== '' && known !== '' && mark !== known) return true
  return place === chains.length - 1 && branch.requests === 1 && at - branch.at > longestRetry
}

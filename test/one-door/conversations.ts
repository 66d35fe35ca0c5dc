import fc from 'fast-check'
import { repeatingSessions } from '../../packages/core/src/testing/repeating-sessions.ts'
import { workingSessions } from '../../packages/core/src/testing/working-sessions.ts'
import { conversationOf, ownConversations, type RecordedConversation, realConversations } from '../laws/recordings.ts'
import type { VariedConversation } from '../laws/variants.ts'

/** Every conversation in every mode takes many minutes. By default a sample of them is sent. */
export const isFull = process.env['PLIMSOLL_ONE_DOOR'] === 'full'

/** The conversations to send. */
export interface Conversations {
  /** Short ones in the format of each agent. */
  readonly small: readonly RecordedConversation[]
  /** Long ones, by name. */
  readonly long: ReadonlyMap<string, RecordedConversation>
  /** Those of real agents, if any. */
  readonly real: readonly RecordedConversation[]
}

/** Reads them all; `isFull` keeps them complete. */
export async function readConversations(): Promise<Conversations> {
  const own = await ownConversations()
  const real = await realConversations()
  const isLong = ({ requests }: RecordedConversation) => requests.length > 20
  const example = own.filter(({ name }) => name.startsWith('example/')).map((one) => ({ ...one, name: 'example' }))
  const long = [...example, ...generated(), ...(isFull ? own.filter(isLong) : [])]
  return {
    small: own.filter((conversation) => !isLong(conversation)),
    long: new Map(long.map((conversation) => [conversation.name, conversation])),
    real: isFull ? real : real.filter((_, index) => index % 37 === 20).map((conversation) => firstOf(conversation, 12)),
  }
}

/** The same sessions at every run. */
function generated(): readonly RecordedConversation[] {
  const seeded = { seed: 7, numRuns: 4 }
  return [
    ...fc.sample(repeatingSessions, seeded).map((messages, index) => conversationOf(`repeating ${index}`, messages)),
    ...fc.sample(workingSessions, seeded).map((messages, index) => conversationOf(`working ${index}`, messages)),
  ]
}

/** A conversation up to a request. */
export function firstOf<Conversation extends VariedConversation>(conversation: Conversation, requests: number): Conversation {
  return { ...conversation, requests: conversation.requests.slice(0, isFull ? Number.POSITIVE_INFINITY : requests) }
}

/** Every third request fails and is sent again a second later. */
export function withRetries(conversation: RecordedConversation): VariedConversation {
  return {
    ...conversation,
    requests: conversation.requests.flatMap((request, index) =>
      index % 3 === 2
        ? [
            { ...request, isAccepted: false },
            { ...request, at: request.at + 1000 },
          ]
        : [request],
    ),
  }
}

/** The same requests, all to one model. */
export function toModel(model: string): (conversation: RecordedConversation) => VariedConversation {
  return (conversation) => ({ ...conversation, requests: conversation.requests.map((request) => ({ ...request, model })) })
}

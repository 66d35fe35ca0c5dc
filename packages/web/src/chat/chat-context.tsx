import type { LiveState } from '@plimsoll/core'
import { createContext, useContext } from 'react'

/** What everything in a conversation works with. */
export interface ChatContextValue {
  readonly session: string
  readonly isBusy: boolean
  /** The error that the last turn ended with, where it can be gone on with; null elsewhere. */
  readonly retryable: string | null
  /** The call that waits for the user; null where none does. */
  readonly permission: LiveState['permission']
  /** Goes back to before a message of the user. */
  readonly rewind: (message: string) => void
  /** Goes on in a session of its own, with everything before a message. */
  readonly fork: (message: string) => void
  /** Goes on with a turn that was cut off. */
  readonly resume: () => void
  /** What is unfolded by hand, or folded, by key: a row that comes back into sight looks as it was left. */
  readonly unfolded: Map<string, boolean>
}

export const ChatContext = createContext<ChatContextValue | null>(null)

/** What everything in a conversation works with. */
export function useChat(): ChatContextValue {
  const value = useContext(ChatContext)
  if (value === null) throw new Error('useChat is called outside of a chat')
  return value
}

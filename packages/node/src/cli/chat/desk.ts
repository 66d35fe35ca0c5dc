import type { Agent } from '../../agent/agent.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { AgentHost } from '../agent/agent-host.ts'
import type { Tint } from '../terminal/paint.ts'
import type { Screen } from '../terminal/screen.ts'
import type { ChatState } from './chat-state.ts'
import type { ChoicesDialog, ListDialog } from './dialog.ts'

/** What the commands of a chat work with. */
export interface Desk {
  readonly host: AgentHost
  readonly strings: Strings
  readonly agent: () => Agent
  readonly state: () => ChatState
  /** As wide as the terminal is now. */
  readonly screen: () => Screen
  /** Whether somebody is there to be asked. */
  readonly isAttended: boolean
  /** Prints lines as they are. */
  readonly print: (lines: readonly string[]) => void
  /** Prints a text, broken into lines. */
  readonly say: (text: string, tint?: Tint) => void
  /** Asks a person, who may pick none; where nobody is there, that is what comes back. */
  readonly pick: (dialog: ChoicesDialog | ListDialog) => Promise<number | null>
  /** Goes on in another session, or in a new one. */
  readonly enter: (session: string | null) => Promise<void>
  /** Does something that Esc and Ctrl-C end. */
  readonly work: (run: (signal: AbortSignal) => Promise<void>) => Promise<void>
  /** Puts text into the prompt. */
  readonly fill: (text: string) => void
  /** Measures the next request again. */
  readonly look: () => Promise<void>
  readonly quit: () => void
}

import type { Report } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'
import type { TimingAccount } from '@plimsoll/core/policies'
import type { Agent, AgentView, SessionCost } from '../../agent/agent.ts'
import type {
  AgentError,
  AgentEvent,
  CompactionEnd,
  CompactionStart,
  PermissionAnswer,
  PermissionRequest,
  TurnEnd,
} from '../../shared/event.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { AgentHost } from '../agent/open-agent-host.ts'
import type { Screen, Tint } from '../terminal/screen.ts'
import type { CallSummary } from './summarise-call.ts'

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

/** A question that waits for a person. */
export type Dialog = PermissionDialog | ChoicesDialog | ListDialog

/** May this call run? */
export interface PermissionDialog {
  readonly kind: 'permission'
  readonly request: PermissionRequest
}

/** A few answers, each with its key. */
export interface ChoicesDialog {
  readonly kind: 'choices'
  /** What it is about; the first line is the title. */
  readonly lines: readonly string[]
  readonly choices: readonly { readonly key: string; readonly label: string }[]
  /** What Esc stands for. */
  readonly dismiss: number
}

/** Many answers, of which one is picked with the arrow keys. */
export interface ListDialog {
  readonly kind: 'list'
  readonly title: string
  readonly rows: readonly string[]
}

/** What the person answered: to a question of permission, or which one they picked, null for none. */
export type DialogAnswer =
  | { readonly kind: 'permission'; readonly answer: PermissionAnswer; readonly stop: boolean }
  | { readonly kind: 'picked'; readonly index: number | null }

/** Something that is finished and stands in the terminal for good. */
export type Block =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string; readonly isCode: boolean }
  | { readonly kind: 'reasoning'; readonly last: string; readonly characters: number }
  | {
      readonly kind: 'call'
      readonly tool: string
      readonly about: string
      readonly durationMs: number
      readonly summary: CallSummary
    }
  | { readonly kind: 'notice'; readonly code: string; readonly message: string; readonly details: string | null }
  | { readonly kind: 'error'; readonly error: AgentError }
  | { readonly kind: 'compaction'; readonly start: CompactionStart | null; readonly end: CompactionEnd }
  | { readonly kind: 'turn'; readonly end: TurnEnd; readonly durationMs: number | null }
  /** Lines that are ready to be printed. */
  | { readonly kind: 'lines'; readonly lines: readonly string[] }

/** A call that has not come back yet. */
export interface RunningCall {
  readonly callId: string
  readonly tool: string
  readonly about: string
  /** What it says about itself, and how far it is in per cent. */
  readonly message: string
  readonly progress: number | null
  /** The last lines of its output. */
  readonly output: readonly string[]
}

/** What the status line tells. */
export interface Meter {
  readonly tokens: number
  readonly usable: number
  readonly source: 'usage' | 'estimate'
  /** What the last request took, and when it was answered. */
  readonly last: { readonly usage: Usage; readonly at: number } | null
  readonly dollars: number
  readonly unpriced: number
  /** Tokens that wait to be left out of requests. */
  readonly waitingTokens: number
  /** Seconds that the provider is taken to keep a prompt; null where nobody knows. */
  readonly lifetimeSeconds: number | null
  /** How often the last prompt was sent again while nobody asked anything, and for how much. */
  readonly keepAlive: SessionCost['keepAlive']
}

/** What one turn took. */
export interface TurnCost {
  readonly steps: number
  readonly usage: Usage
  readonly dollars: number
  readonly unpriced: number
}

/** Everything that the terminal shows. */
export interface ChatState {
  /** What is finished, oldest first; null once it is printed. */
  readonly blocks: readonly (Block | null)[]
  /** Words of the model that are not yet a whole paragraph. */
  readonly answer: { readonly text: string; readonly isCode: boolean; readonly wasPrinted: boolean }
  readonly reasoning: { readonly line: string; readonly characters: number } | null
  readonly calls: readonly RunningCall[]
  readonly compaction: { readonly start: CompactionStart; readonly written: number } | null
  /** Set while a request that was too long is being made to fit. */
  readonly isRecovering: boolean
  /** Since when a turn or a compaction is running. */
  readonly busySince: number | null
  readonly waiting: readonly string[]
  readonly dialog: Dialog | null
  readonly meter: Meter
  readonly report: Report | null
  /** What was decided about waiting edits when the last request was made. */
  readonly lastTiming: TimingAccount | null
  /** The last turns, newest last. */
  readonly turns: readonly TurnCost[]
}

/** Something that changes what is shown. */
export type ChatAction =
  | { readonly type: 'event'; readonly event: AgentEvent; readonly at: number }
  | { readonly type: 'block'; readonly block: Block }
  | { readonly type: 'printed' }
  | { readonly type: 'busy'; readonly since: number | null }
  | { readonly type: 'waiting'; readonly texts: readonly string[] }
  | { readonly type: 'dialog'; readonly dialog: Dialog | null }
  | { readonly type: 'looked'; readonly view: AgentView; readonly cost: SessionCost }
  | { readonly type: 'session' }

/** Where nothing has happened yet. */
export const emptyChat: ChatState = {
  blocks: [],
  answer: { text: '', isCode: false, wasPrinted: false },
  reasoning: null,
  calls: [],
  compaction: null,
  isRecovering: false,
  busySince: null,
  waiting: [],
  dialog: null,
  meter: {
    tokens: 0,
    usable: 0,
    source: 'estimate',
    last: null,
    dollars: 0,
    unpriced: 0,
    waitingTokens: 0,
    lifetimeSeconds: null,
    keepAlive: { times: 0, dollars: 0 },
  },
  report: null,
  lastTiming: null,
  turns: [],
}

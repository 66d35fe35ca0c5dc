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

/** The functions that the commands of a chat use. */
export interface Desk {
  readonly host: AgentHost
  readonly strings: Strings
  readonly agent: () => Agent
  readonly state: () => ChatState
  readonly screen: () => Screen
  readonly isAttended: boolean
  readonly print: (lines: readonly string[]) => void
  readonly say: (text: string, tint?: Tint) => void
  /** Null if the user picks nothing, or is not there. */
  readonly pick: (dialog: ChoicesDialog | ListDialog) => Promise<number | null>
  /** Resumes another session, or starts a new one for null. */
  readonly enter: (session: string | null) => Promise<void>
  /** Runs something that Esc and Ctrl-C end. */
  readonly work: (run: (signal: AbortSignal) => Promise<void>) => Promise<void>
  /** Continues the unfinished turn. */
  readonly resume: Agent['resume']
  readonly fill: (text: string) => void
  readonly look: () => Promise<void>
  readonly quit: () => void
}

/** A question that waits for the user. */
export type Dialog = PermissionDialog | ChoicesDialog | ListDialog

export interface PermissionDialog {
  readonly kind: 'permission'
  readonly request: PermissionRequest
}

export interface ChoicesDialog {
  readonly kind: 'choices'
  /** The first line is the title. */
  readonly lines: readonly string[]
  readonly choices: readonly { readonly key: string; readonly label: string }[]
  /** The choice that Esc selects. */
  readonly dismiss: number
}

export interface ListDialog {
  readonly kind: 'list'
  readonly title: string
  readonly rows: readonly string[]
}

/** The answer to a question of permission, or the picked index, null for none. */
export type DialogAnswer =
  | { readonly kind: 'permission'; readonly answer: PermissionAnswer; readonly stop: boolean }
  | { readonly kind: 'picked'; readonly index: number | null }

/** Something finished that stays in the terminal. */
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
  | { readonly kind: 'lines'; readonly lines: readonly string[] }

export interface RunningCall {
  readonly callId: string
  readonly tool: string
  readonly about: string
  readonly message: string
  readonly progress: number | null
  readonly output: readonly string[]
}

export interface Meter {
  readonly tokens: number
  readonly usable: number
  readonly source: 'usage' | 'estimate'
  readonly last: { readonly usage: Usage; readonly at: number } | null
  readonly dollars: number
  readonly unpriced: number
  readonly waitingTokens: number
  readonly lifetimeSeconds: number | null
  readonly keepAlive: SessionCost['keepAlive']
}

export type TurnCost = Pick<TurnEnd, 'steps' | 'usage'> & TurnEnd['cost']

export interface ChatState {
  /** Finished blocks, oldest first; null once printed. */
  readonly blocks: readonly (Block | null)[]
  /** Text of the model that is not yet a whole paragraph. */
  readonly answer: { readonly text: string; readonly isCode: boolean }
  readonly reasoning: { readonly line: string; readonly characters: number } | null
  readonly calls: readonly RunningCall[]
  readonly compaction: { readonly start: CompactionStart; readonly written: number } | null
  readonly isRecovering: boolean
  /** When the work started, later by the time that it waited for the user. */
  readonly busySince: number | null
  readonly waiting: readonly string[]
  readonly dialog: Dialog | null
  /** When the dialog appeared. */
  readonly askedAt: number | null
  readonly meter: Meter
  /** The decision about pending edits for the last request. */
  readonly lastTiming: TimingAccount | null
  readonly turns: readonly TurnCost[]
}

export type ChatAction =
  | { readonly type: 'event'; readonly event: AgentEvent; readonly at: number }
  | { readonly type: 'block'; readonly block: Block }
  | { readonly type: 'printed' }
  | { readonly type: 'busy'; readonly since: number | null }
  | { readonly type: 'waiting'; readonly texts: readonly string[] }
  | { readonly type: 'dialog'; readonly dialog: Dialog | null; readonly at: number }
  | { readonly type: 'looked'; readonly view: AgentView; readonly cost: SessionCost }
  | { readonly type: 'session' }

export const emptyChat: ChatState = {
  blocks: [],
  answer: { text: '', isCode: false },
  reasoning: null,
  calls: [],
  compaction: null,
  isRecovering: false,
  busySince: null,
  waiting: [],
  dialog: null,
  askedAt: null,
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
  lastTiming: null,
  turns: [],
}

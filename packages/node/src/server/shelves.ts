import type { GatewayShelf } from './gateway-shelf.ts'
import type { LogShelf } from './log-shelf.ts'

/** What can be looked at besides the sessions of ours: logs, and what went through gateways. */
export interface Shelves {
  readonly shelf: LogShelf
  /** Null where nobody runs one. */
  readonly gateways: GatewayShelf | null
}

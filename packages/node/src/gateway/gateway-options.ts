import type { TrimMode } from '@plimsoll/core/policies'
import type { Finding, WireDialect } from '../store/gateway-record.ts'
import type { Planner } from './planner.ts'

export interface GatewayOptions {
  readonly host: string
  /** 0 takes any that is free. */
  readonly port: number
  /** Allows an address that other machines reach; it then needs a token. */
  readonly allowPublic: boolean
  /** Clients of a public gateway send it in `x-plimsoll-token`; null asks for none. */
  readonly token: string | null
  readonly upstreams: Readonly<Record<WireDialect, Upstream>>
  readonly mode: TrimMode
  readonly planner: Planner
  readonly limits: GatewayLimits
  /** Seconds of silence in an event stream after which a comment is sent between two events; null sends none. */
  readonly keepAliveSeconds: number | null
  /** Whether the planner may have prompts sent again in pauses, with the keys of their clients. Default: no. */
  readonly keepsCacheAlive?: boolean
  readonly now: () => number
  /** Receives events for the operator; never a key, a prompt or a body. */
  readonly onEvent: (event: GatewayEvent) => void
  /** Answers paths for the operator, such as `/metrics`; null for an unknown path. Default: all are. */
  readonly operations?: (path: string) => Promise<OperationsAnswer | null>
}

export interface OperationsAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** The server for requests of one dialect. Fixed by configuration: no client can choose it. */
export interface Upstream {
  /** Scheme, host, port and the start of the path; no credentials. */
  readonly url: string
  /** Whether it does `context_management` itself. */
  readonly managesContext: boolean
  readonly proxy?: string
}

export interface GatewayLimits {
  readonly maxBodyBytes: number
  /** Bytes of a body unpacked; longer ones are relayed unread. */
  readonly maxReadBytes: number
  readonly maxHeaderBytes: number
  readonly headersSeconds: number
  readonly bodySeconds: number
  readonly connectSeconds: number
  /** After this, the original bytes go out without a plan. */
  readonly planMilliseconds: number
  readonly maxConnections: number
  /** Requests and web sockets that one client may have open; a client is a key, or else an address. */
  readonly maxConnectionsPerClient: number
  /** Bytes of bodies that are read before they are sent on; a quarter of it for each client, or one whole body. */
  readonly maxBufferedBytes: number
  /** How long a shutdown waits for running requests. */
  readonly shutdownSeconds: number
}

export type GatewayEvent =
  | AnsweredEvent
  | KeptAliveEvent
  | { readonly type: 'fault'; readonly id: string | null; readonly code: string }

/** A prompt was sent again so that it stays cached. The id begins with that of the client's request. */
export interface KeptAliveEvent {
  readonly type: 'kept-alive'
  readonly id: string
  readonly status: number | null
  readonly end: 'complete' | 'upstream-failed'
}

export interface AnsweredEvent {
  readonly type: 'answered'
  readonly id: string
  readonly dialect: WireDialect | null
  readonly method: string
  /** The name of the route, never the path as the client wrote it. */
  readonly route: string
  readonly model: string | null
  /** Missing if the request only passed. */
  readonly mode?: TrimMode
  readonly traceparent?: string
  /** Found by the relay itself: why a body was not read, or a plan not followed. */
  readonly findings?: readonly Finding[]
  readonly status: number | null
  readonly end: 'complete' | 'client-gone' | 'upstream-failed' | 'refused'
  readonly isChanged: boolean
  readonly requestBytes: number
  readonly answerBytes: number
  readonly firstByteMilliseconds: number | null
  readonly wholeMilliseconds: number
  /** The part of it that the gateway took before the request went out. */
  readonly overheadMilliseconds: number
}

export interface Gateway {
  readonly listen: () => Promise<number>
  /** Takes no more requests, waits for the running ones, and then ends them. */
  readonly close: () => Promise<void>
}

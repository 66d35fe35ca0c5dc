import type { TrimMode } from '@plimsoll/core/policies'
import type { Finding, WireDialect } from '../store/gateway-record.ts'
import type { Planner } from './planner.ts'

/** What a gateway relays to where, and how. */
export interface GatewayOptions {
  readonly host: string
  /** 0 takes any that is free. */
  readonly port: number
  /** Whether an address that others reach is meant; it then needs a token. */
  readonly allowPublic: boolean
  /** What clients of a public gateway have to show in `x-plimsoll-token`; null asks for none. */
  readonly token: string | null
  readonly upstreams: Readonly<Record<WireDialect, Upstream>>
  readonly mode: TrimMode
  readonly planner: Planner
  readonly limits: GatewayLimits
  /** Seconds of silence in an event stream after which a comment is put between two events; null relays silence as it is. */
  readonly keepAliveSeconds: number | null
  readonly now: () => number
  /** Told of everything that people who run a gateway want to see; never a key, a prompt or a body. */
  readonly onEvent: (event: GatewayEvent) => void
  /** Answers what those who run a gateway ask it, as `/metrics`; null for a path that it does not know. Default: it knows none. */
  readonly operations?: (path: string) => Promise<OperationsAnswer | null>
}

/** An answer to those who run a gateway. */
export interface OperationsAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** Where requests of one dialect go. Fixed by configuration: no client can choose it. */
export interface Upstream {
  /** Scheme, host, port and what stands before the path; no credentials. */
  readonly url: string
  /** Whether it does `context_management` by itself. */
  readonly managesContext: boolean
  /** The proxy on the way to it, as an address. Default: none. */
  readonly proxy?: string
}

/** What a client may ask of a gateway, and for how long. */
export interface GatewayLimits {
  /** Bytes of a body as it comes. */
  readonly maxBodyBytes: number
  /** Bytes of a body unpacked; longer ones are relayed unread. */
  readonly maxReadBytes: number
  readonly maxHeaderBytes: number
  /** How long a client may take for its headers, and for its body. */
  readonly headersSeconds: number
  readonly bodySeconds: number
  /** How long connecting to the upstream may take. */
  readonly connectSeconds: number
  /** How long a plan may take before the original bytes go out. */
  readonly planMilliseconds: number
  readonly maxConnections: number
  /** How long a shutdown waits for answers that are on their way. */
  readonly shutdownSeconds: number
}

/** Something that happened to a request, or to the gateway. */
export type GatewayEvent =
  | {
      readonly type: 'answered'
      readonly id: string
      readonly dialect: WireDialect | null
      readonly method: string
      /** The route it matched, never the path with what a client wrote into it. */
      readonly route: string
      readonly model: string | null
      /** How much might have been changed in it, after what the client asked for; missing where it was not looked at. */
      readonly mode?: TrimMode
      /** The client's `traceparent` header, cut to 100 characters; missing where it sent none. */
      readonly traceparent?: string
      /** What the relay itself found, so that the planner cannot tell it: why a body was not read, or a plan not followed. */
      readonly findings?: readonly Finding[]
      readonly status: number | null
      readonly end: 'complete' | 'client-gone' | 'upstream-failed' | 'refused'
      readonly isChanged: boolean
      readonly requestBytes: number
      readonly answerBytes: number
      readonly firstByteMilliseconds: number | null
      readonly wholeMilliseconds: number
      /** What of that the gateway itself took before the request went out. */
      readonly overheadMilliseconds: number
    }
  | { readonly type: 'fault'; readonly id: string | null; readonly code: string }

/** A running gateway. */
export interface Gateway {
  /** Resolves with the port it listens on. */
  readonly listen: () => Promise<number>
  /** Takes no more requests, waits for those that are on their way, and then ends them. */
  readonly close: () => Promise<void>
}

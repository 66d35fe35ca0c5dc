import type { ConversationState, Message } from '@plimsoll/core'
import type { Decision, GatewayMessage, GatewayRequest } from '../gateway-record.ts'
import type { Branch, Claim, RecogniseQuestion, StoredRequest } from '../gateway-store.ts'

/** The time at which tests start. */
export const noon = 1_700_000_000_000

/** A tool result with this text. */
export function answer(id: string, text: string): Message {
  return {
    id,
    role: 'tool',
    parts: [{ type: 'tool-result', callId: `call-${id}`, tool: 'Bash', content: { type: 'text', text } }],
  }
}

/** A decision about the part of a call. */
export function decision(key: string, shown: string, { part = 0, original = `hash of ${key}`, at = noon } = {}): Decision {
  return { key, part, original, policy: 'limit-tool-output', why: 'too long', with: { type: 'text', text: shown }, at }
}

/** A claim that a call's result is shown as another text. */
export function claim(
  key: string,
  shown: string,
  { conversation = 'c1', handle = `handle-${key}`, part = 0, at = noon } = {},
): Claim {
  return {
    decision: decision(key, shown, { part, at }),
    original: { handle, conversation, message: answer(key, `all of ${key}`), call: null, at },
  }
}

/** A lookup of messages, and of nothing else by default. */
export function question(asked: Partial<RecogniseQuestion> = {}): RecogniseQuestion {
  return { chains: [], messages: [], parts: [], at: noon, isIdle: false, ...asked }
}

/** The state of a conversation. */
export function branch(chain: string, { conversation = 'c1', requests = 1, at = noon } = {}): Branch {
  const state: ConversationState = {
    model: 'm',
    edits: [],
    sent: chain,
    ledger: { debts: {}, bank: requests, cacheLifetimeSeconds: null },
  }
  return { conversation, chain, requests, state, at }
}

/** The record of a request. */
export function request(id: string, given: Partial<GatewayRequest> = {}): GatewayRequest {
  return {
    id,
    conversation: 'c1',
    number: 0,
    at: noon,
    dialect: 'anthropic',
    model: 'claude-sonnet-5',
    mode: 'safe',
    isHeldOut: false,
    status: 200,
    tokensBefore: 100,
    tokensAfter: 60,
    fill: { tokens: 60, categories: {}, results: [], source: 'estimate', window: 200_000, reserve: 8000 },
    sharedMessages: 0,
    messages: [],
    edits: [],
    waiting: 0,
    broken: null,
    findings: [],
    usage: { input: 60, cacheRead: 0, cacheWrite: 0, output: 5 },
    cost: dollars(0.25),
    untrimmed: dollars(0.5),
    milliseconds: { firstByte: 10, whole: 20, planned: 1 },
    ...given,
  }
}

/** A record of a request, and of nothing else by default. */
export function record(given: GatewayRequest, others: Partial<Omit<StoredRequest, 'request'>> = {}): StoredRequest {
  return { request: given, label: null, messages: [], texts: [], branch: null, ...others }
}

/** A cost of this many dollars, all for input. */
export function dollars(sum: number): NonNullable<GatewayRequest['cost']> {
  return { dollars: sum, parts: { input: sum, cacheRead: 0, cacheWrite: 0, output: 0 } }
}

/** The record of a message. */
export function message(id: string, at: number = noon): GatewayMessage {
  return { id, role: 'tool', tokens: 7, category: 'results', tool: 'Bash', at }
}

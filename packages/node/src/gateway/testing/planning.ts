import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codecs } from '@plimsoll/core'
import { defaultConfig, isThought, type TrimMode } from '@plimsoll/core/policies'
import type { WireDialect } from '../../store/gateway-record.ts'
import type { GatewayStore } from '../../store/gateway-store.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import type { Timer } from '../keep-alive/kept-prompts.ts'
import { createPlanner, type QueuedPlanner } from '../planner/create-planner.ts'
import type { PlannerSettings, RelayedRequest, RequestOutcome } from '../planner.ts'
import { spliceBytes } from '../relay/plan-request.ts'

/** The default settings of a planner. */
export const plainSettings: PlannerSettings = {
  config: defaultConfig,
  isWindowSet: false,
  keepText: false,
  holdout: 0,
  recall: 'handle',
}

/** A real store in its own folder, with planners on it. */
export interface PlanningBench {
  readonly store: GatewayStore
  readonly folder: string
  /** On another store, if one is given. */
  readonly planner: (settings?: Partial<PlannerSettings>, store?: GatewayStore, timer?: Timer) => QueuedPlanner
  readonly close: () => Promise<void>
}

/** Opens a store for planners to work on. */
export async function openPlanningBench(now: () => number = () => 1_700_000_000_000): Promise<PlanningBench> {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-planner-'))
  const store = await openSqliteStore({ path: join(folder, 'gateway.sqlite'), now })
  return {
    store,
    folder,
    planner: (settings = {}, other = store, timer) =>
      createPlanner({
        store: other,
        settings: { ...plainSettings, ...settings },
        now,
        ...(timer === undefined ? {} : { timer }),
      }),
    async close() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

let requests = 0

/** A request as the relay passes it to a planner. */
export function relayed(
  dialect: WireDialect,
  value: unknown,
  mode: TrimMode,
  rest: Partial<Omit<RelayedRequest, 'dialect' | 'mode' | 'body'>> = {},
): RelayedRequest {
  requests += 1
  return {
    id: `request-${requests}`,
    dialect,
    kind: 'generate',
    model: null,
    credential: 'credential',
    mode,
    session: null,
    isManagedUpstream: false,
    at: 1_700_000_000_000 + requests * 1000,
    body: typeof value === 'string' ? Buffer.from(value) : Buffer.from(JSON.stringify(value)),
    ...rest,
  }
}

/** An accepted request with its usage. */
export function accepted({ id, dialect }: Pick<RelayedRequest, 'id' | 'dialect'>, input = 5000, cacheRead = 0): RequestOutcome {
  return {
    id,
    status: 200,
    end: 'complete',
    firstByteMilliseconds: 10,
    wholeMilliseconds: 20,
    answer: {
      contentType: 'application/json',
      contentEncoding: '',
      head: Buffer.from(JSON.stringify(answerOf(dialect, input, cacheRead))),
      tail: null,
    },
  }
}

/** The bytes that go out: the original ones with the plan's splices. */
export async function planned(planner: QueuedPlanner, request: RelayedRequest): Promise<Buffer> {
  const plan = await planner.plan(request)
  const bytes = spliceBytes(request.body, plan.splices)
  if (bytes === null) throw new Error('the splices do not fit')
  return bytes
}

/** The messages of a request without what a mode may change in this dialect: all else goes out as it came. */
export function unchangeable(dialect: WireDialect, mode: TrimMode, value: unknown): readonly unknown[] {
  const hasCalls = mode === 'economy' && (dialect === 'anthropic' || dialect === 'openai-chat')
  const hasThoughts = mode === 'economy' && dialect === 'anthropic'
  return codecs[dialect]
    .read(value)
    .messages.map(({ role, parts }) => [
      role,
      parts
        .filter((part) => !(hasThoughts && isThought(part)))
        .map((part) =>
          part.type === 'tool-result'
            ? { ...part, content: null }
            : hasCalls && part.type === 'tool-call'
              ? { ...part, input: null }
              : part,
        ),
    ])
}

function answerOf(dialect: WireDialect, input: number, cacheRead: number): unknown {
  switch (dialect) {
    case 'anthropic':
      return {
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: 'ok' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: input, cache_read_input_tokens: cacheRead, cache_creation_input_tokens: 0, output_tokens: 7 },
      }
    case 'openai-chat':
      return {
        object: 'chat.completion',
        model: 'm',
        choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: 'ok' } }],
        usage: { prompt_tokens: input + cacheRead, completion_tokens: 7, prompt_tokens_details: { cached_tokens: cacheRead } },
      }
    case 'openai-responses':
      return {
        object: 'response',
        status: 'completed',
        model: 'm',
        output: [],
        usage: { input_tokens: input + cacheRead, output_tokens: 7, input_tokens_details: { cached_tokens: cacheRead } },
      }
    case 'gemini':
      return {
        candidates: [{ finishReason: 'STOP', content: { role: 'model', parts: [{ text: 'ok' }] } }],
        usageMetadata: { promptTokenCount: input + cacheRead, candidatesTokenCount: 7, cachedContentTokenCount: cacheRead },
      }
  }
}

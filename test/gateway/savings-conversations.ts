import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Message } from '@plimsoll/core'
import { estimator } from '@plimsoll/core/text'
import fc from 'fast-check'
import { requestLengths as repeatingLengths, repeatingSessions } from '../../packages/core/src/testing/repeating-sessions.ts'
import type { ReadLog } from '../../packages/node/src/logs/log-reader.ts'
import { readLog } from '../../packages/node/src/logs/read-log.ts'
import { recordSession } from '../../packages/node/src/replay/record-session.ts'
import type { SavingsRequest } from './savings-run.ts'
import { requestLengths, workOf } from './work.ts'

const noon = Date.UTC(2026, 0, 5, 12)

/** Seconds between requests, repeated. Some are longer than any cache lasts. */
const pauses = [20, 30, 20, 400, 20, 20, 4000, 20]

/** Invented work with pauses, and a switch to another model and back. */
export function workRequests(models: readonly [usual: string, other: string], steps = 22): readonly SavingsRequest[] {
  return requestsOf(withoutScreenshots(workOf(steps)), models)
}

/** Invented work with screenshots in base64, a quarter of the cost, which every trimming mode removes before a provider sees it. */
export function screenshotRequests(model: string, steps = 22): readonly SavingsRequest[] {
  return requestsOf(workOf(steps), [model, model])
}

function requestsOf(messages: readonly Message[], models: readonly [usual: string, other: string]): readonly SavingsRequest[] {
  let at = noon
  return requestLengths(messages).map((length, index) => {
    at += (pauses[index % pauses.length] ?? 0) * 1000
    return { messages: messages.slice(0, length), model: index % 20 >= 12 && index % 20 < 17 ? models[1] : models[0], at }
  })
}

function withoutScreenshots(messages: readonly Message[]): readonly Message[] {
  const shots = new Set(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === 'tool-call' && JSON.stringify(part.input).includes('screenshot') ? [part.callId] : [],
      ),
    ),
  )
  return messages.filter(({ parts }) =>
    parts.every((part) => !((part.type === 'tool-call' || part.type === 'tool-result') && shots.has(part.callId ?? ''))),
  )
}

/** A generated session that reads the same files again and again. */
export function repeatingRequests(model: string): readonly SavingsRequest[] {
  const sessions = fc.sample(repeatingSessions, { seed: 5, numRuns: 5 })
  const messages = sessions.reduce((longest, session) => (session.length > longest.length ? session : longest))
  let at = noon
  return repeatingLengths(messages).map((length, index) => {
    at += (pauses[index % pauses.length] ?? 0) * 1000
    return { messages: messages.slice(0, length), model, at }
  })
}

const recorded = fileURLToPath(new URL('../../../shared/sessions', import.meta.url))

/** Logs of real agents, if they are next to the repository. */
export const recordedLogs: readonly string[] = [
  'entireio-cli/19abe528-a510-4c89-a1f8-138956474766.jsonl',
  'entireio-skills/019dd4b9-496d-7581-a780-16f20aecff69.jsonl',
].filter((name) => existsSync(join(recorded, name)))

/** The requests of a recorded session, at most this many. */
export async function recordedRequests(name: string, model: string, most: number): Promise<readonly SavingsRequest[]> {
  const [session] = ((await readLog(join(recorded, name))).value as ReadLog).sessions
  if (session === undefined) return []
  const { segments, steps } = recordSession(session, { name, format: 'any', tokens: estimator })
  let last = 0
  return steps.slice(0, most).map(({ segment, length, at }, index) => {
    last = Math.max(last + 1000, at > 0 ? at : noon + index * 20_000)
    return { messages: (segments[segment] as readonly Message[]).slice(0, length), model, at: last }
  })
}

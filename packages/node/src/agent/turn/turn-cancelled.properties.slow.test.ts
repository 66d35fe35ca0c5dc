import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep, setImmediate as turnOfLoop } from 'node:timers/promises'
import { checkView, type Message, resultText, type ToolCallPart, type ToolResultPart } from '@plimsoll/core'
import { summaryPrompt } from '@plimsoll/core/compaction'
import { messageText } from '@plimsoll/core/text'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { longConversation } from '../../model/testing/long-conversation.ts'
import type { Answer, ReceivedRequest } from '../../model/testing/openai-server.ts'
import type { OpenSession } from '../../session/session.ts'
import type { AgentEvent } from '../../shared/event.ts'
import { defineTool, type Tool, told } from '../../tools/tool.ts'
import type { AskPermission } from '../agent.ts'
import { forgetful } from '../testing/compacting.ts'
import { startAgent } from '../testing/start-agent.ts'
import { type ModelCall, streamedAnswer } from '../testing/streamed-answer.ts'

/** The activity during which the user stopped the turn. */
type Moment = 'text' | 'input' | 'tool' | 'question' | 'compaction' | 'retry' | 'answered' | 'between'

/** When the turn is stopped: at the so-manieth moment of a kind, at once or a little later. */
interface Stop {
  readonly moment: Moment
  readonly count: number
  readonly delay: 'none' | 'loop' | 'milliseconds'
}

/** How many moments of each kind a turn has, about. */
const most: Readonly<Record<Moment, number>> = {
  text: 14,
  input: 40,
  tool: 7,
  question: 2,
  compaction: 100,
  retry: 0,
  answered: 4,
  between: 14,
}
const moments = Object.keys(most) as readonly Moment[]
const sideBySide = 4

/** Counts moments, and stops the turn at the one that was chosen. */
function createStop({ moment: wanted, count, delay }: Stop) {
  const controller = new AbortController()
  let left = count
  let current: Moment = 'between'
  let stoppedIn: Moment | null = null
  const stop = () => {
    if (controller.signal.aborted) return
    stoppedIn = current
    controller.abort()
  }
  return {
    signal: controller.signal,
    stoppedIn: () => stoppedIn,
    reach: (moment: Moment): void => {
      current = moment
      if (moment !== wanted || controller.signal.aborted) return
      left -= 1
      if (left >= 0) return
      if (delay === 'none') stop()
      else if (delay === 'loop') void turnOfLoop().then(stop)
      else void sleep(6).then(stop)
    },
  }
}

type Reach = (moment: Moment) => void

const words = 'I will do it step by step, as you said.'
const bash = (id: string, rest: string): ModelCall => ({
  id,
  tool: 'Bash',
  input: { command: `echo ${id} >> done; echo $$ >> processes; ${rest}` },
})
const look = (id: string): ModelCall => ({ id, tool: 'Look', input: { id } })

/** The model's steps: the calls of each step are made once, regardless of their outcome. */
const steps: readonly (readonly ModelCall[])[] = [
  [bash('first', 'sleep 0.02')],
  [look('one'), look('two'), { id: 'change', tool: 'Change', input: { id: 'change' } }],
  [bash('last', 'for i in 1 2 3 4; do echo $i; sleep 0.01; done')],
]

/** A model that continues from the request, is overloaded once, and writes summaries. */
function createModel(reach: Reach) {
  let isRested = false
  const between = (kind: 'text' | 'input') => async () => {
    reach(kind)
    await sleep(2)
  }
  return ({ text, body }: ReceivedRequest): Answer => {
    if (text.includes(JSON.stringify(summaryPrompt.slice(0, 40)).slice(1, -1)))
      return streamedAnswer({
        text: forgetful,
        between: () => async () => {
          reach('compaction')
          await turnOfLoop()
        },
      })
    const called = new Set(
      body.messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map((call) => (call as { id: string }).id)),
    )
    const step = steps.find((calls) => !calls.every(({ id }) => called.has(id)))
    if (step === steps[1] && !isRested) {
      isRested = true
      return { kind: 'body', status: 503, body: '{"error":{"message":"overloaded"}}', headers: { 'retry-after-ms': '15' } }
    }
    return step === undefined
      ? streamedAnswer({ text: 'All is done.', between })
      : streamedAnswer({ text: words, calls: step, between })
  }
}

/** Tools that leave a mark when they run, and take their time. `late` gets those that began after the turn was stopped. */
function marking(name: string, access: 'read' | 'write', reach: Reach, late: string[]): Tool {
  return defineTool({
    name,
    description: name,
    access,
    input: z.object({ id: z.string() }),
    about: ({ id }) => id,
    async run({ id }, { root, signal }) {
      if (signal.aborted) late.push(id)
      await appendFile(join(root, 'done'), `${id}\n`)
      reach('tool')
      await sleep(10, undefined, { signal })
      reach('tool')
      return told(`${id} is done`)
    },
  })
}

function momentOf({ type, data }: AgentEvent): Moment | null {
  if (type === 'tool_progress') return 'tool'
  if (type.startsWith('compaction')) return type === 'compaction_end' ? 'between' : 'compaction'
  if (type === 'notification') return data.code === 'retrying' ? 'retry' : null
  if (type === 'usage') return 'answered'
  return type === 'text_delta' || type === 'reasoning_delta' ? null : 'between'
}

const person =
  (reach: Reach): AskPermission =>
  async (_request, signal) => {
    reach('question')
    await sleep(4, undefined, { signal })
    return { kind: 'once' }
  }

async function linesOf(root: string, name: string): Promise<readonly string[]> {
  const text = await readFile(join(root, name), 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}

function partsOf(session: OpenSession) {
  const parts = session.state().messages.flatMap((message) => message.parts)
  return {
    calls: parts.filter(
      (part): part is ToolCallPart => part.type === 'tool-call' && part.tool !== 'Edit' && !part.callId.startsWith('call-'),
    ),
    results: parts.filter(
      (part): part is ToolResultPart => part.type === 'tool-result' && part.callId?.startsWith('call-') === false,
    ),
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Rounds that end a moment ago, so that nothing of them is old. */
function history() {
  const messages = longConversation()
  const shift = Date.now() - 60_000 - (messages.at(-1)?.at ?? 0)
  return messages.map((message) => ({ ...message, at: (message.at ?? 0) + shift }))
}

const config = {
  agent: { mode: 'ask' },
  context_window: 28_000,
  output_reserve: 2000,
  compaction: { keep_rounds: 4 },
} as const

/** With a price, changes of cached content wait until they are worth it; without one they take effect at once. */
const priced = { prices: { test: { input: 2, cache_read: 0.1, cache_write: 2.5, output: 10 } } }

/** Stops a turn, and holds the session to its promises then and after going on. */
async function stopAndGoOn(stop: Stop, restarts: boolean, isPriced: boolean): Promise<Moment | null> {
  const { signal, stoppedIn, reach } = createStop(stop)
  const late: string[] = []
  const started = await startAgent({
    messages: history(),
    config: isPriced ? { ...config, ...priced } : config,
    answers: [createModel(reach)],
    tools: [marking('Look', 'read', reach, late), marking('Change', 'write', reach, late)],
    ask: person(reach),
    onEvent(event) {
      const moment = momentOf(event)
      if (moment !== null) reach(moment)
    },
  })
  const { root, events } = started
  const outcome = await started.turn('Do all of it', signal)
  // A stop after the answer is complete has no effect.
  const isSaid = messageText(started.session.state().messages.at(-1) as Message) === 'All is done.'
  if (!isSaid) expect(outcome).toEqual({ kind: 'cancelled' })
  else expect([{ kind: 'cancelled' }, { kind: 'finished', text: 'All is done.' }]).toContainEqual(outcome)
  expect(await stillRunning(root)).toEqual([])
  expect(events.at(-1)).toMatchObject({ type: 'turn_end', data: { outcome: outcome.kind } })

  expect(late).toEqual([])
  // Every call in the log has its result without repair, every call that ran is reported, and everything shown is stored.
  const before = partsOf(started.session)
  expect(before.results.map(({ callId }) => callId)).toEqual(before.calls.map(({ callId }) => callId))
  const ended = events.flatMap(({ type, data }) => (type === 'tool_call_end' ? [data.callId] : []))
  expect(ended).toHaveLength(before.results.length)
  expect(new Set(ended)).toEqual(new Set(before.results.map(({ callId }) => callId)))
  expect(checkView((await started.agent.look()).messages)).toEqual([])
  const shown = shownOf(events)
  if (shown !== '')
    expect(messageText(started.session.state().messages.findLast(({ role }) => role === 'assistant') as Message)).toBe(shown)

  const again = restarts ? await started.restart() : started
  expect(await again.turn('Go on')).toEqual({ kind: 'finished', text: 'All is done.' })
  const { calls, results } = partsOf(again.session)
  expect(calls.map(({ callId }) => callId)).toEqual(steps.flat().map(({ id }) => id))
  expect(results.map(({ callId }) => callId)).toEqual(calls.map(({ callId }) => callId))
  const runs = await linesOf(root, 'done')
  for (const result of results) {
    const count = runs.filter((line) => line === result.callId).length
    const text = resultText(result)
    if (text.startsWith('Error: this call did not run')) expect(count, result.callId ?? '').toBe(0)
    else if (result.isError === true) expect(count, text).toBeLessThanOrEqual(1)
    else expect(count, text).toBe(1)
  }
  expect(await stillRunning(root)).toEqual([])
  const said = again.session.state().messages.filter(({ role, summary }) => role === 'user' && summary !== true)
  expect(said.slice(-2).map(messageText)).toEqual(['Do all of it', 'Go on'])
  expect(checkView((await again.agent.look()).messages)).toEqual([])
  expect(events.some(({ type, data }) => type === 'view_built' && data.report.timing !== null)).toBe(isPriced)
  expect(again.session.troubles()).toEqual([])
  return stoppedIn()
}

/** The part of the last answer that the user saw. */
function shownOf(events: readonly AgentEvent[]): string {
  const since = events.slice(events.findLastIndex(({ type }) => type === 'view_built') + 1)
  return since.map(({ type, data }) => (type === 'text_delta' ? data.text : '')).join('')
}

async function stillRunning(root: string): Promise<readonly string[]> {
  return (await linesOf(root, 'processes')).filter((pid) => isRunning(Number(pid)))
}

it('a turn that is stopped at any moment leaves a legal log, runs nothing twice, leaves no process, and can go on', async () => {
  const reached = new Map<Moment | null, number>()
  const stops = fc.constantFrom(...moments).chain((moment) =>
    fc.record<Stop>({
      moment: fc.constant(moment),
      count: fc.nat(most[moment]),
      delay: fc.constantFrom('none', 'loop', 'milliseconds'),
    }),
  )
  const examples: readonly Stop[] = [
    ...moments.map((moment): Stop => ({ moment, count: 0, delay: 'none' })),
    // Answers whose calls have not begun.
    ...[1, 2, 3].map((count): Stop => ({ moment: 'answered', count, delay: 'none' })),
  ]
  // A turn mostly waits, so that some can be stopped side by side.
  const few = fc.array(fc.tuple(stops, fc.boolean()), { minLength: sideBySide, maxLength: sideBySide })
  const groups = Array.from({ length: Math.ceil(examples.length / sideBySide) }, (_, index) =>
    examples.slice(index * sideBySide, (index + 1) * sideBySide).map((stop): [Stop, boolean] => [stop, true]),
  )
  await fc.assert(
    fc.asyncProperty(few, async (group) => {
      const ends = await Promise.allSettled(group.map(([stop, restarts], index) => stopAndGoOn(stop, restarts, index % 2 === 0)))
      for (const end of ends) {
        if (end.status === 'rejected') throw end.reason
        reached.set(end.value, (reached.get(end.value) ?? 0) + 1)
      }
    }),
    {
      numRuns: 4,
      examples: groups.map((group) => [group]),
    },
  )
  expect([...reached.keys()]).toEqual(expect.arrayContaining([...moments]))
})

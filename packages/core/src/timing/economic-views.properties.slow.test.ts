import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createConversation } from '../conversation.ts'
import type { Message, Part } from '../message.ts'
import { specPolicies } from '../policies/spec-policies.ts'
import { checkView } from '../results/invariants.ts'
import { deepFreeze } from '../testing/messages.ts'

const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('say' as const), words: fc.integer({ min: 1, max: 400 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      tool: fc.constantFrom('Bash', 'Read', 'LS', 'Grep'),
      lines: fc.integer({ min: 1, max: 900 }),
      isError: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
      isAnswered: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
      seconds: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 90 }) }, fc.constantFrom(400, 1200)),
    }),
  },
)

it('promise 9: a view is legal, people’s words stand, and what was sent stays as it was until a rewrite is reported or nothing of it is cached', () => {
  const reached = { rewrites: 0, cold: 0, waits: 0, kept: 0, repaired: 0 }
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 70, size: 'max' }), fc.constantFrom(0.05, 0.4), (steps, read) => {
      const conversation = createConversation({ policies: specPolicies, timing: 'economic', model: 'm' })
      let messages: readonly Message[] = []
      let before: ReadonlyMap<string, string> = new Map()
      let now = 0
      const add = (role: Message['role'], part: Part) => {
        messages = [...messages, deepFreeze<Message>({ id: `m${messages.length}`, role, parts: [part], at: now })]
      }
      add('user', { type: 'text', text: 'Begin.' })
      for (const [index, one] of steps.entries()) {
        if (one.do === 'say') {
          add('assistant', { type: 'text', text: 'Done.' })
          add('user', { type: 'text', text: `Now ${index} ${'word '.repeat(one.words)}` })
        } else {
          now += one.seconds * 1000
          const callId = `c${index}`
          const input = { command: `run ${index % 3}`, file_path: `/f${index % 2}.ts`, path: '.', pattern: 'x' }
          add('assistant', { type: 'tool-call', callId, tool: one.tool, input })
          const text = `${one.isError ? 'Error: failed\n' : ''}${index} of it\n${'line of output\n'.repeat(one.lines)}`
          const content = { type: 'text', text } as const
          if (one.isAnswered) add('tool', { type: 'tool-result', callId, tool: one.tool, content, isError: one.isError })
        }
        const facts = { now, prefix: 'p', cache: { read, write: 1, lifetimeSeconds: 300 } }
        const { messages: view, report } = conversation.next(messages, facts)
        conversation.accepted()
        expect(checkView(view)).toEqual([])
        const people = (list: readonly Message[]) => list.filter(({ role }) => role === 'user')
        expect(people(view)).toEqual(people(messages))
        const shown = new Map(view.map((message) => [message.id, JSON.stringify(message)]))
        const rewritten = new Set(report.edits.flatMap(({ cache, message }) => (cache === 'rewrite' ? [message] : [])))
        const changed = [...before].filter(([id, text]) => shown.get(id) !== text).map(([id]) => id)
        const cold = report.timing?.cold ?? null
        // A call with a late or missing result is repaired at once; so is everything if nothing of it is cached.
        if (cold === null) expect(changed.filter((id) => !rewritten.has(id) && !id.includes(':'))).toEqual([])
        if (cold === null && changed.length > 0) reached.rewrites += 1
        if (cold !== null && changed.length > 0) reached.cold += 1
        if (report.waiting.length > 0) reached.waits += 1
        if (cold === null && report.edits.length > 0 && changed.length === 0) reached.kept += 1
        if (view.length !== messages.length) reached.repaired += 1
        before = shown
      }
    }),
    { numRuns: 28 },
  )
  expect(Object.entries(reached).filter(([, times]) => times < 12)).toEqual([])
})

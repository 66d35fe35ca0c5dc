import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { checkView, resultText, type ToolResultPart } from '@plimsoll/core'
import type { Entry } from '@plimsoll/core/session'
import { messageText } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ChatMessage, ReceivedRequest } from '../../model/testing/openai-server.ts'
import type { OpenSession } from '../../session/session.ts'
import type { AgentEvent } from '../../shared/event.ts'
import { defineTool, told } from '../../tools/tool.ts'
import { startAgent } from '../testing/start-agent.ts'
import { streamedAnswer } from '../testing/streamed-answer.ts'

/** Entries and events in one list, in the order in which they came to be. */
function createStory() {
  const lines: string[] = []
  let known = 1
  let session: OpenSession | null = null
  const readLog = () => {
    const heads = session?.heads() ?? []
    for (const { id } of heads.slice(known)) lines.push(inWords(session?.entry(id) ?? null))
    known = Math.max(known, heads.length)
  }
  return {
    lines,
    follow(given: OpenSession) {
      session = given
    },
    onEvent: (event: AgentEvent) => {
      readLog()
      lines.push(eventInWords(event))
    },
    end: readLog,
  }
}

function inWords(entry: Entry | null): string {
  if (entry?.type !== 'message') return `  log ${entry?.type}${entry?.type === 'note' ? ` ${entry.code}` : ''}`
  const { role, parts } = entry.message
  const pieces = parts.map((part) => {
    if (part.type === 'text') return JSON.stringify(part.text)
    if (part.type === 'tool-call') return `calls ${part.callId}`
    return part.type === 'tool-result' ? `result of ${part.callId}` : part.type
  })
  return `  log ${role}: ${pieces.join(', ')}`
}

function eventInWords({ type, data }: AgentEvent): string {
  if (type === 'text_delta') return `${type} ${data.text}`
  if (type === 'tool_call_start' || type === 'tool_call_end') return `${type} ${data.callId}`
  if (type === 'turn_end') return `${type} ${data.outcome}, ${data.steps} steps`
  return type === 'notification' ? `${type} ${data.code}` : type
}

const sentBy = (requests: readonly ReceivedRequest[] | undefined, index: number): readonly ChatMessage[] =>
  requests?.at(index)?.body.messages ?? []
const contentOf = (messages: readonly ChatMessage[], callId: string) =>
  String(messages.find(({ tool_call_id }) => tool_call_id === callId)?.content)
const resultsIn = (session: OpenSession): readonly ToolResultPart[] =>
  session.state().messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'))

describe('the order of a turn', () => {
  it('R004-52 Q-21 prepare, keep what the user said, view, ask, keep the answer at once, run, keep the results, until the answer', async () => {
    const story = createStory()
    const { turn, session, server, root } = await startAgent({
      files: { 'a.txt': 'alpha\n' },
      onEvent: story.onEvent,
      answers: [
        streamedAnswer({
          text: 'I look.',
          calls: [
            { id: 'c1', tool: 'Read', input: { file_path: 'a.txt' } },
            { id: 'c2', tool: 'Bash', input: { command: 'true' } },
          ],
        }),
        streamedAnswer({ calls: [{ id: 'c3', tool: 'Write', input: { file_path: 'c.txt', content: 'gamma\n' } }] }),
        streamedAnswer({ text: 'Done.' }),
      ],
    })
    utimesSync(join(root, 'a.txt'), 1_750_000_000, 1_750_000_000)
    story.follow(session)
    expect(await turn('Copy @a.txt')).toEqual({ kind: 'finished', text: 'Done.' })
    story.end()
    const reminder =
      '<system-reminder>\\nThe user mentioned @a.txt.\\nYou MUST read this file with the Read tool before answering.\\n'
    expect(story.lines).toEqual([
      'turn_start',
      `  log user: "Copy @a.txt\\n\\n${reminder}</system-reminder>"`,
      'view_built',
      '  log note layer',
      '  log request',
      'text_delta I look.',
      '  log usage',
      'usage',
      '  log assistant: "I look.", calls c1, calls c2',
      'tool_call_start c1',
      'tool_call_end c1',
      '  log tool: result of c1',
      'tool_call_start c2',
      'tool_call_end c2',
      '  log tool: result of c2',
      'view_built',
      '  log request',
      '  log usage',
      'usage',
      '  log assistant: calls c3',
      'tool_call_start c3',
      'tool_call_end c3',
      '  log tool: result of c3',
      'view_built',
      '  log request',
      'text_delta Done.',
      '  log usage',
      'usage',
      '  log assistant: "Done."',
      'turn_end finished, 3 steps',
    ])
    expect(server?.requests.map(({ body }) => body.messages.map(({ role }) => role).join(' '))).toEqual([
      'system user',
      'system user assistant tool tool',
      'system user assistant tool tool assistant tool',
    ])
    expect(contentOf(sentBy(server?.requests, 1), 'c1')).toBe(
      'a.txt lines 1-1 of 1, modified 2025-06-15T15:06:40.000Z\n     1\talpha',
    )
  })

  it('R004-41 lets the model read mentioned files one by one, in order, before anything else', async () => {
    const { turn, events, session } = await startAgent({
      files: { 'z.txt': '26\n', 'notes/a.md': '1\n', 'm.txt': '13\n' },
    })
    const outcome = await turn('Look at @z.txt, @notes/a.md and @m.txt; then run echo done')
    expect(outcome.kind).toBe('finished')
    const calls = events.flatMap(({ type, data }) => (type === 'tool_call_start' ? [`${data.tool} ${data.about}`] : []))
    expect(calls).toEqual(['Read z.txt', 'Read notes/a.md', 'Read m.txt', 'Bash echo done'])
    // One by one: a separate answer for each.
    const answers = session.state().messages.filter(({ role }) => role === 'assistant')
    expect(answers.map(({ parts }) => parts.filter(({ type }) => type === 'tool-call').length)).toEqual([1, 1, 1, 1, 0])
  })

  it('ends after the allowed number of steps, with everything in the log, and can continue', async () => {
    const { turn, agent, session, events } = await startAgent({
      config: { agent: { max_steps: 2 } },
      answers: [
        ({ body }) =>
          streamedAnswer({
            calls: [{ id: `c${body.messages.length}`, tool: 'Bash', input: { command: `echo ${body.messages.length}` } }],
          }),
      ],
    })
    expect(await turn('Continue endlessly')).toEqual({ kind: 'stopped', reason: 'max-steps' })
    expect(events.flatMap(({ type, data }) => (type === 'notification' ? [data.code] : []))).toEqual(['max_steps'])
    expect(resultsIn(session).map(resultText)).toEqual(['2\n[exit code 0]', '4\n[exit code 0]'])
    expect(await agent.resume(new AbortController().signal)).toEqual({ kind: 'stopped', reason: 'max-steps' })
    expect(resultsIn(session).map(resultText)).toEqual([2, 4, 6, 8].map((number) => `${number}\n[exit code 0]`))
  })
})

describe('the view of a turn', () => {
  const folders = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7']
  const files = Object.fromEntries(
    folders.flatMap((folder) => Array.from({ length: 30 }, (_, index) => [`${folder}/file-${index}.txt`, 'x'] as const)),
  )
  const answers = [
    streamedAnswer({
      text: 'I list them all.',
      calls: folders.map((path) => ({ id: path, tool: 'LS', input: { path } })),
    }),
    streamedAnswer({
      calls: [
        {
          id: 'todo',
          tool: 'TodoWrite',
          input: {
            todos: [
              { content: 'count', status: 'in_progress' },
              { content: 'sum', status: 'pending' },
            ],
          },
        },
      ],
    }),
    streamedAnswer({ text: 'Thirty in each.' }),
    streamedAnswer({ text: 'Still thirty.' }),
  ] as const

  it('R004-5 R004-6 R004-7 R004-8 Q-20 Q-21b full results while the turn runs, digests by rule once it is over, and each turn once', async () => {
    const { turn, session, server } = await startAgent({ files, answers })
    await turn('How many files?')
    const whole = Object.fromEntries(resultsIn(session).map((part) => [part.callId, resultText(part)]))
    const running = sentBy(server?.requests, 2)
    for (const folder of folders) expect(contentOf(running, folder)).toBe(whole[folder])

    await turn('And now?')
    // The rules need no model: as many requests as there were answers.
    expect(server?.requests).toHaveLength(4)
    const sent = sentBy(server?.requests, 3)
    expect(sent.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      ...folders.map(() => 'tool'),
      'assistant',
      'tool',
      'assistant',
      'user',
      'user',
    ])
    // The five latest results stay whole by the rule for commands; the older ones are digests.
    const digests = folders.filter((folder) => contentOf(sent, folder) !== whole[folder])
    expect(digests).toEqual(['d0', 'd1', 'd2', 'd3'])
    for (const folder of digests) {
      expect(contentOf(sent, folder).length).toBeLessThan(whole[folder]?.length ?? 0)
      expect(contentOf(sent, folder)).toContain('file-0.txt')
      expect(contentOf(sent, folder)).not.toContain('file-9.txt')
    }
    // The log has all of it, and the running turn is in it once, after all earlier turns; the todo list comes last.
    expect(resultsIn(session).map(resultText)).toEqual(Object.values(whole))
    expect(sent.at(-2)).toEqual({ role: 'user', content: 'And now?' })
    expect(String(sent.at(-1)?.content)).toBe(
      '<system-reminder>\nTodo: 1 open, 1 in progress, 0 done\n- [in progress] count\n- [open] sum\n</system-reminder>',
    )
    expect(sent.filter(({ content }) => content === 'How many files?')).toHaveLength(1)
  })

  it('R004-6 shows a running turn in full after a restart in the middle of it', async () => {
    const first = await startAgent({ files, answers, config: { agent: { max_steps: 1 } } })
    await first.turn('How many files?')
    const { agent, server, session } = await first.restart()
    await agent.resume(new AbortController().signal)
    const sent = sentBy(server?.requests, 1)
    expect(folders.map((folder) => contentOf(sent, folder))).toEqual(resultsIn(session).slice(0, 8).map(resultText))
  })
})

describe('output that is over its limit', () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `line ${index + 1} of the long output`)

  const handleIn = (text: string) => /recall ([0-9a-f]{12})/.exec(text)?.[1]

  it.each<[name: string, line: string, ask: (shown: string) => object]>([
    ['by its tool and arguments', 'nothing of note', () => ({ tool: 'Bash', about: 'cat long.txt' })],
    ['by the handle next to the error', 'error: the middle is broken', (shown) => ({ handle: handleIn(shown) })],
  ])('R003-7 R003-8 R003-15 R003-24 is cut in the request, complete in the log, and recalled %s', async (_name, line, ask) => {
    const output = lines.with(1500, line)
    const { turn, session, server } = await startAgent({
      files: { 'long.txt': output.join('\n') },
      answers: [
        streamedAnswer({ calls: [{ id: 'all', tool: 'Bash', input: { command: 'cat long.txt' } }] }),
        ({ body }) =>
          streamedAnswer({
            calls: [{ id: 'middle', tool: 'recall', input: { ...ask(contentOf(body.messages, 'all')), lines: '1500-1502' } }],
          }),
        streamedAnswer({ text: 'Found.' }),
      ],
    })
    expect(await turn('What is in the middle?')).toEqual({ kind: 'finished', text: 'Found.' })
    const shown = contentOf(sentBy(server?.requests, 1), 'all')
    expect(Array.from(shown).length).toBeLessThanOrEqual(8000)
    expect(shown.split('\n').length).toBeLessThanOrEqual(500)
    expect(shown.startsWith('line 1 of the long output\n')).toBe(true)
    expect(shown).toContain('\n\n... [截断了 ')
    expect(shown).not.toContain('line 1500 of')
    const [stored] = resultsIn(session)
    expect(resultText(stored as ToolResultPart)).toBe(`${output.join('\n')}\n[exit code 0]`)
    expect(contentOf(sentBy(server?.requests, 2), 'middle')).toContain(output.slice(1499, 1502).join('\n'))
  })

  it('R003-24 lets the model read the next lines of a file by number', async () => {
    const { turn, server } = await startAgent({
      files: { 'long.txt': lines.join('\n') },
      answers: [
        streamedAnswer({ calls: [{ id: 'all', tool: 'Read', input: { file_path: 'long.txt' } }] }),
        streamedAnswer({ calls: [{ id: 'more', tool: 'Read', input: { file_path: 'long.txt', offset: 2500, limit: 3 } }] }),
        streamedAnswer({ text: 'Found.' }),
      ],
    })
    await turn('What is in the middle?')
    const first = contentOf(sentBy(server?.requests, 1), 'all')
    expect(first).toContain('line 1 of the long output')
    expect(first).not.toContain('line 2501 of')
    expect(contentOf(sentBy(server?.requests, 2), 'more')).toContain('line 2501 of the long output')
  })

  it('R003-15 is cut for every tool, even one without its own limits', async () => {
    const endless = defineTool({
      name: 'recite',
      description: 'Says a poem.',
      access: 'read',
      input: z.object({}),
      about: () => '',
      run: () => Promise.resolve(told('verse\n'.repeat(20_000))),
    })
    const { turn, session, server, events } = await startAgent({
      tools: [endless],
      answers: [streamedAnswer({ calls: [{ id: 'c', tool: 'recite', input: {} }] }), streamedAnswer({ text: 'Long.' })],
    })
    await turn('Recite')
    expect(contentOf(sentBy(server?.requests, 1), 'c').length).toBeLessThanOrEqual(8000)
    expect(resultsIn(session).map((part) => resultText(part).length)).toEqual([120_000])
    const end = events.find(({ type }) => type === 'tool_call_end')
    expect(end).toMatchObject({ data: { result: { content: { text: 'verse\n'.repeat(20_000) } } } })
  })
})

it('logs the error of a failed turn with the next one', async () => {
  const { turn, agent, session } = await startAgent({
    answers: [{ kind: 'body', status: 401, body: '{"error":{"message":"no such key"}}' }, streamedAnswer({ text: 'Hello.' })],
  })
  expect(await turn('Hello?')).toMatchObject({ kind: 'failed', error: { code: 'KEY_REFUSED' } })
  expect(await agent.resume(new AbortController().signal)).toEqual({ kind: 'finished', text: 'Hello.' })
  expect(session.state().messages.map((message) => `${message.role}: ${messageText(message)}`)).toEqual([
    'user: Hello?',
    'assistant: Hello.',
  ])
  expect(checkView((await agent.look()).messages)).toEqual([])
})

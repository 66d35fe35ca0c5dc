import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ReadLog, ReadSession } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { readLogs } from '../read-logs.ts'
import { openHandsSdkEvents } from '../testing/agent-recordings.ts'
import { outlineOf } from '../testing/outline.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-openhands-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Line = Readonly<Record<string, unknown>>
const read = async (value: unknown) => (await readLogText(JSON.stringify(value))).value as ReadLog
const sessionOf = ({ sessions }: ReadLog) => sessions[0] as ReadSession
const counts: readonly Line[] = [
  { response_id: 'r1', model: 'model-a', prompt_tokens: 50, completion_tokens: 3, cache_read_tokens: 20, cache_write_tokens: 5 },
  { response_id: 'r9', model: 'model-a', prompt_tokens: 1, completion_tokens: 1 },
]
const outline = [
  's system 0.5 "You fix bugs."',
  'u user 1.5 "Fix it." image/* "Rules: be brief."',
  'a1 assistant 2.5 (Hm.) "Look." h1=terminal{"command":"h1"} h2=terminal{"command":"h2"}',
  'o1 tool 3.5 h1→a.c [exit 0]',
  'o2 tool 4.5 h2→No such tool!',
  'a3 assistant 5.5 h3=terminal{"command":"h3"}',
  'o3 tool 6.5 h3→Action rejected: Not that.!',
  'k summary 7.5 "a.c is there."',
  'a4 assistant 8.5 h4=terminal{"command":"h4"}',
]

describe('a session of OpenHands as a library', () => {
  it('has one answer for each response, and what stayed beside a summary', async () => {
    const log = await read(openHandsSdkEvents)
    const session = sessionOf(log)
    expect(outlineOf(session)).toEqual(outline)
    expect({ kept: session.keptFrom, compactions: session.compactions }).toEqual({ kept: new Map([['k', 'a3']]), compactions: 1 })
    expect(log.unread).toEqual({ ConversationStateUpdateEvent: 1 })
  })

  it('is read from the line of an evaluation, with the counts next to it', async () => {
    const session = sessionOf(
      await read({ instance_id: 'shop-7', history: openHandsSdkEvents, metrics: { token_usages: counts } }),
    )
    expect({ id: session.id, model: session.model, usages: session.usages }).toEqual({
      id: 'shop-7',
      model: 'model-a',
      usages: [{ after: 'a1', model: 'model-a', usage: { input: 25, cacheRead: 20, cacheWrite: 5, output: 3 } }],
    })
  })

  it('is read from the files of its folder, one to an event, as one session', async () => {
    const home = join(folder, 'conversations', '5a1d')
    mkdirSync(join(home, 'events'), { recursive: true })
    openHandsSdkEvents.forEach((event, index) => {
      const name = `event-${String(index).padStart(5, '0')}-${String(event['id'])}.json`
      writeFileSync(join(home, 'events', name), JSON.stringify(event))
    })
    writeFileSync(join(home, 'events', 'event-00099-broken.json'), '{"kind":')
    const state = { workspace: { working_dir: '/repo' }, stats: { usage_to_metrics: { agent: { token_usages: counts } } } }
    writeFileSync(join(home, 'base_state.json'), JSON.stringify(state))
    const found = []
    for await (const one of readLogs([join(folder, 'conversations')])) found.push(one)
    expect(found.map(({ log, problem }) => [log?.format, log?.skipped, problem])).toEqual([
      ['openhands-sdk', [{ line: 12, reason: 'not-json' }], undefined],
    ])
    const session = sessionOf(found[0]?.log as ReadLog)
    expect(outlineOf(session)).toEqual(outline)
    expect({ id: session.id, root: session.root, model: session.model, usages: session.usages.length }).toEqual({
      id: '5a1d',
      root: '/repo',
      model: 'model-a',
      usages: 1,
    })
  })

  it('follows the tree to the last event, and counts what was left', async () => {
    const say = (id: string, parent: string | null, source: string): Line => ({
      id,
      parent_id: parent,
      source,
      kind: 'MessageEvent',
      llm_message: { role: source === 'agent' ? 'assistant' : 'user', content: [{ type: 'text', text: id }] },
    })
    const session = sessionOf(
      await read([say('a', null, 'user'), say('b', 'a', 'agent'), say('c', 'b', 'user'), say('d', 'b', 'user')]),
    )
    expect({ ids: session.messages.map(({ id }) => id), abandoned: session.abandoned }).toEqual({
      ids: ['a', 'b', 'd'],
      abandoned: 1,
    })
  })

  it('ends with words, answered or not', async () => {
    const call = { tool_name: 'finish', tool_call_id: 'f', thought: [], llm_response_id: 'r' }
    const session = sessionOf(
      await read([
        { id: 'a', kind: 'ActionEvent', source: 'agent', action: { kind: 'FinishAction', message: 'It works.' }, ...call },
        { id: 'b', kind: 'ObservationEvent', source: 'environment', observation: { content: [] }, ...call },
      ]),
    )
    expect(outlineOf(session)).toEqual(['a assistant - "It works."'])
  })
})

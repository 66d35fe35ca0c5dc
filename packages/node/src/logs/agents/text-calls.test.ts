import { describe, expect, it } from 'vitest'
import type { ReadLog, ReadSession } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { miniSweAgentRun, sweAgentRun, sweSmithChat } from '../testing/agent-recordings.ts'
import { outlineOf } from '../testing/outline.ts'
import { commandIn, functionIn } from './swe-agent.ts'

const read = async (value: unknown) => ((await readLogText(JSON.stringify(value))).value as ReadLog).sessions[0] as ReadSession

describe('calls that are written as text', () => {
  it('become calls and results in a run of SWE-agent, the last result from the steps', async () => {
    const session = await read(sweAgentRun)
    expect(outlineOf(session)).toEqual([
      '0 system - "SETTING: fix it."',
      '1 system - "Here is a demonstration."',
      '2 user - "The total is wrong."',
      '3 assistant - "First look." call-3=bash{"command":"ls"}',
      '4 tool - call-3→a.py\n(Open file: n/a)\nbash-$',
      '5 assistant - "Done." call-5=bash{"command":"submit"}',
      '5.result tool - call-5→diff --git a/a.py',
    ])
    expect({ model: session.model, root: session.root }).toEqual({ model: 'model-a', root: '/repo' })
  })

  it('become calls and results in a run of mini-swe-agent, unless an answer has several', async () => {
    const session = await read(miniSweAgentRun)
    expect(outlineOf(session)).toEqual([
      '0 system 1 "One command each time."',
      '1 user 1 "Fix the total."',
      '2 assistant 1 "Look." call-2=bash{"command":"ls -la"}',
      '3 tool 1 call-2→<returncode>0</returncode>\n<output>\na.py\n</output>',
      '4 assistant 2 "Two.\n```bash\nls\n```\nor\n```bash\npwd\n```"',
      '5 system 2 "Please always provide EXACTLY ONE action."',
      '6 assistant 3 "That should do." call-6=bash{"command":"cat <<EOF > a.py\\nprint(1)\\nEOF"}',
      '7 tool 3 call-6→<returncode>0</returncode>\n<output>\n</output>',
      '8 assistant 4 "Again." call-8=bash{"command":"npm test"}',
    ])
    expect(session.usages.map(({ after, usage, model }) => [after, usage.input, usage.cacheRead, model])).toEqual([
      ['2', 50, 50, 'model-b'],
      ['4', 150, 50, 'model-b'],
      ['6', 250, 50, 'model-b'],
      ['8', 350, 50, 'model-b'],
    ])
  })

  it('become calls and results in a chat of SWE-smith, and what a person says stays theirs', async () => {
    expect(outlineOf(await read(sweSmithChat))).toEqual([
      '0 system - "You can call functions."',
      '1 user - "Fix the total."',
      '2 assistant - "Look." call-2=edit{"path":"/a.py","text":"a\\nb"}',
      '3 tool - call-2→OBSERVATION:\nedited',
      '4 assistant - "It is better now."',
      '5 user - "Submit, then."',
      '6 assistant - call-6=submit{}',
    ])
  })

  it('are not detected in a chat that only mentions one', async () => {
    const messages = [
      { role: 'assistant', content: 'Write <function=ls></function>.' },
      { role: 'user', content: 'Thanks.' },
      { role: 'assistant', content: 'You are welcome.' },
      { role: 'assistant', content: 'Bye.' },
    ]
    expect((await readLogText(JSON.stringify({ messages }))).value?.format).toBe('openai-chat')
  })

  it.each<[string, string | null]>([
    ['```bash\nls\n```', 'ls'],
    ['a\n```bash  \nls\n\npwd\n```\nb', 'ls\n\npwd'],
    ['```mswea_bash_command\nls\n```', 'ls'],
    ['```bash\n```', null],
    ['```bash ls```', null],
    ['```bash\nls', null],
    ['```sh\nls\n```', null],
    ['```bash\nls\n```\n```bash\nls\n```', null],
    ['', null],
  ])('finds the one command of %j', (text, command) =>
    expect(commandIn(text)?.input ?? null).toEqual(command === null ? null : { command }),
  )

  it.each<[string, object | null]>([
    ['<function=a></function>', { tool: 'a', input: {} }],
    ['x<function=a><parameter=b>\n1\n</parameter></function>y', { tool: 'a', input: { b: '1' }, words: 'xy' }],
    ['<function=a><parameter=__proto__>1</parameter></function>', { tool: 'a' }],
    ['<function=a b></function>', null],
    ['<function=a><parameter=b>1</function>', { tool: 'a', input: {} }],
    ['<function=a>', null],
    ['<function=a></function><function=b></function>', null],
    ['', null],
  ])('finds the one function of %j', (text, call) => {
    if (call === null) expect(functionIn(text)).toBeNull()
    else expect(functionIn(text)).toMatchObject(call)
  })

  it('takes a long text without an end in its stride', () => {
    expect(functionIn(`<function=a>${'<parameter=b>'.repeat(200_000)}</function>`)?.input).toEqual({})
    expect(commandIn('```bash\n'.repeat(200_000))).toBeNull()
  })
})

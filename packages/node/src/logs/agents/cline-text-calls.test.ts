import { describe, expect, it } from 'vitest'
import type { ReadLog, ReadSession } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { outlineOf } from '../testing/outline.ts'

const read = async (value: unknown) => (await readLogText(JSON.stringify(value))).value as ReadLog
const blocks = (...texts: readonly string[]) => texts.map((text) => ({ type: 'text', text }))
const user = (...texts: readonly string[]) => ({ role: 'user', content: blocks(...texts) })
const answer = (text: string) => ({ role: 'assistant', content: blocks(text) })
const details = '<environment_details>\nNothing open.\n</environment_details>'

const task = [
  user('<task>\nFix it.\n</task>', details),
  answer('<thinking>Look.</thinking>\n\n<read_file>\n<path>a.ts</path>\n</read_file>'),
  user("[read_file for 'a.ts'] Result:", 'let a', details),
  answer('Now.\n<write_to_file>\n<path>a.ts</path>\n<content>\nx = "</content>"\n</content>\n</write_to_file>'),
  user("[write_to_file for 'a.ts'] Result:", 'Saved.'),
  answer('<attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>'),
  user('[attempt_completion] Result:', '<feedback>\nNot yet.\n</feedback>'),
]

describe('an older task of Cline', () => {
  it('has calls and results if the answer names the tool, and text if the user replies', async () => {
    const log = await read(task)
    expect({ format: log.format, sessions: log.sessions.length }).toEqual({ format: 'cline', sessions: 1 })
    expect(outlineOf(log.sessions[0] as ReadSession)).toEqual([
      '0 user - "<task>\nFix it.\n</task>" "<environment_details>\nNothing open.\n</environment_details>"',
      '1 assistant - "<thinking>Look.</thinking>" call-1=read_file{"path":"a.ts"}',
      "2 tool - call-1→[read_file for 'a.ts'] Result:\nlet a",
      '2.about system - "<environment_details>\nNothing open.\n</environment_details>"',
      '3 assistant - "Now." call-3=write_to_file{"path":"a.ts","content":"x = \\"</content>\\""}',
      "4 tool - call-3→[write_to_file for 'a.ts'] Result:\nSaved.",
      '5 assistant - "<attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>"',
      '6 user - "[attempt_completion] Result:" "<feedback>\nNot yet.\n</feedback>"',
    ])
  })

  it.each([
    ['an answer without the call', [answer('Reading.'), user("[read_file for 'a.ts'] Result:", 'let a')]],
    ['half a call', [answer('<read_file><path>a.ts'), user("[read_file for 'a.ts'] Result:", 'let a')]],
    ['another tool', [answer('<read_file></read_file>'), user("[list_files for '.'] Result:", 'a.ts')]],
    ['a user who mentions it', [user('[read_file] Result: is what I see'), answer('<read_file></read_file>')]],
  ])('stays words with %s', async (_, messages) => {
    const log = await read([user('Go.'), answer('Yes.'), ...messages])
    expect(log.format).not.toBe('cline')
    expect(log.sessions[0]?.messages.flatMap(({ parts }) => parts).every(({ type }) => type === 'text')).toBe(true)
  })

  it('is read quickly even if an answer is long or incomplete', async () => {
    const long = '<read_file>\n'.repeat(50_000)
    const log = await read([...task.slice(0, 3), answer(`${long}<path>`.repeat(2)), user("[read_file for 'a'] Result:", long)])
    expect(log.sessions[0]?.messages).toHaveLength(6)
  })
})

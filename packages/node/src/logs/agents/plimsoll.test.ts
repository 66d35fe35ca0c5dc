import { type Entry, writeLine } from '@plimsoll/core/session'
import { describe, expect, it } from 'vitest'
import { createSealer, unsealed } from '../../session/log-chain.ts'
import type { ReadLog } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { plimsollLines } from '../testing/agent-recordings.ts'
import { outlineOf } from '../testing/outline.ts'
import { linesOf } from '../testing/recordings.ts'

describe('a session of Plimsoll', () => {
  it('is its branch, with a fold as the summary it was made into, and what requests used', async () => {
    const { sessions } = (await readLogText(linesOf(plimsollLines))).value as ReadLog
    expect(outlineOf(sessions[0] as never)).toEqual([
      'm1 user 1 "Why?" image/png',
      'm2 assistant 2 (Look.) o1=bash{"command":"ls"}',
      'm3 tool 3 o1→a.ts',
      'm5 assistant 6 "There is a.ts."',
      'sum summary 7 "a.ts is there."',
      'm6 user 8 "Read it."',
      'm7 assistant 9 o2=read{"path":"a.ts"}',
    ])
    const { messages: _, ...rest } = sessions[0] as NonNullable<(typeof sessions)[0]>
    expect(rest).toEqual({
      id: 's1',
      title: 'Shop',
      root: '/home/sam/shop',
      model: 'model-a',
      usages: [
        { after: 'm2', model: 'model-a', usage: { input: 10, cacheRead: 90, cacheWrite: 3, output: 5 } },
        { after: 'm5', model: 'model-b', usage: { input: 20, cacheRead: 0, cacheWrite: 0, output: 4 } },
      ],
      compactions: 1,
      sidechains: 0,
      abandoned: 1,
      keptFrom: new Map([['sum', 'm5']]),
    })
  })

  it('is read without its first line', async () => {
    const { format, sessions } = (await readLogText(linesOf(plimsollLines.slice(1)))).value as ReadLog
    expect({ format, messages: sessions[0]?.messages.length }).toEqual({ format: 'plimsoll', messages: 7 })
  })

  const head = { type: 'header', id: 'h', parentId: null, at: 1, version: 1, session: 's' } as const
  const said = (id: string, parentId: string) =>
    ({ type: 'message', id, parentId, at: 2, message: { id, role: 'user', parts: [{ type: 'text', text: id }] } }) as const

  it('is used and named as damaged if its checksums show that lines were changed, moved or removed', async () => {
    const sealer = createSealer()
    const entries: readonly Entry[] = [head, said('m1', 'h'), said('m2', 'm1'), said('m3', 'm2')]
    const lines = entries.map((entry) => sealer.seal(writeLine(entry)).toString().trimEnd())
    const damageIn = async (some: readonly (string | undefined)[]) => (await readLogText(some.join('\n'))).value?.skipped
    expect(await damageIn(lines)).toEqual([])
    const changed = [lines[0], lines[1]?.replace('"text":"m1"', '"text":"m9"'), ...lines.slice(2)]
    expect(await damageIn(changed)).toEqual([{ line: 2, reason: 'changed' }])
    expect(await damageIn([lines[0], lines[1], lines[3]])).toEqual([{ line: 3, reason: 'changed' }])
    expect(await damageIn([lines[0], lines[2], lines[1], lines[3]])).toEqual([{ line: 3, reason: 'changed' }])
    // Another program wrote it in its own form, so nothing can be checked.
    expect(await damageIn(lines.map((line) => line.replace('{', '{ ')))).toHaveLength(4)
    // As in logs of earlier versions.
    expect(await damageIn(lines.map(unsealed))).toEqual([])
  })

  it('has no counts of a message that is not in it, as a note about another branch has', async () => {
    const data = { message: 'gone', usage: { input: 5, output: 1 } }
    const note = { type: 'note', id: 'n', parentId: 'h', at: 2, code: 'reported-usage', data }
    const { sessions } = (await readLogText(linesOf([head, note, said('m1', 'n')]))).value as ReadLog
    expect(sessions[0]?.usages).toEqual([])
  })

  it('has no two messages of one id, also where a summary took that of a message that came later', async () => {
    const { message: into } = said('m2', 'h')
    const fold = { id: 'f', policy: 'p', kind: 'fold', first: 'm1', last: 'm1', into, why: '' }
    const lines = [head, said('m1', 'h'), { type: 'edits', id: 'e', parentId: 'm1', at: 3, apply: [fold] }, said('m2', 'e')]
    const { sessions } = (await readLogText(linesOf(lines))).value as ReadLog
    expect(sessions[0]?.messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm2~2'])
  })
})

import { describe, expect, it } from 'vitest'
import type { CommandIo } from './command-io.ts'
import { run } from './run.ts'

async function runBroken(
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const written = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text
    },
    isTerminal: false,
    columns: null,
  })
  const io: CommandIo = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    stdin: {
      async *[Symbol.asyncIterator]() {
        yield Buffer.from('[]')
      },
    },
    environment: { HOME: '/nonexistent', ...environment },
    folder: '/nonexistent',
    platform: 'linux',
    now: () => {
      throw new Error('the clock\u001b[31m has stopped')
    },
  }
  return { code: await run(['view', '-'], io), ...written }
}

describe('an error that nobody expected', () => {
  it('is one sentence that asks for a report, without a stack', async () => {
    expect(await runBroken({})).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: Something went wrong inside Plimsoll: the clock has stopped. Please report it with what you ran; PLIMSOLL_DEBUG=1 shows where.\n',
    })
  })

  it('shows where with PLIMSOLL_DEBUG', async () => {
    const { code, stdout, stderr } = await runBroken({ PLIMSOLL_DEBUG: '1' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/\n\s+at .*view-command/)
  })
})

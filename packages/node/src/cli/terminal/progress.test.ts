import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { progressBar, startProgress } from './screen.ts'

function createOutput(isTerminal: boolean, columns: number | null = null) {
  const written: string[] = []
  return { written, output: { write: (text: string) => void written.push(text), isTerminal, columns } }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(1)
}

describe('progress', () => {
  it('writes nothing for a short task', () => {
    const { written, output } = createOutput(true)
    startProgress(output, 'reading').end()
    expect(written).toEqual([])
  })

  it('writes one line on a terminal and removes it', async () => {
    const { written, output } = createOutput(true)
    const progress = startProgress(output, 'reading', 1)
    await until(() => written.length === 1)
    progress.say('storing')
    await until(() => written.length === 2)
    progress.end()
    expect(written).toEqual(['\r\u001b[Kreading', '\r\u001b[Kstoring', '\r\u001b[K'])
  })

  it('writes one line without a terminal', async () => {
    const { written, output } = createOutput(false)
    const progress = startProgress(output, 'reading', 1)
    await until(() => written.length === 1)
    progress.say('storing')
    await wait(20)
    progress.end()
    expect(written).toEqual(['reading\n'])
  })

  it('writes a line now and then without a terminal, if asked to', async () => {
    const { written, output } = createOutput(false)
    const progress = startProgress(output, 'reading', 1, 1)
    await until(() => written.length === 1)
    progress.say('storing')
    await until(() => written.length === 2)
    progress.end()
    expect(written).toEqual(['reading\n', 'storing\n'])
  })

  it('cuts a line to the terminal width, so that it can be removed completely', async () => {
    const { written, output } = createOutput(true, 10)
    const progress = startProgress(output, 'reading a long list', 1)
    await until(() => written.length === 1)
    progress.end()
    expect(written).toEqual(['\r\u001b[Kreading …', '\r\u001b[K'])
  })
})

describe('progressBar', () => {
  it.each([
    [0, 10, '░░░░░░░░░░   0 %'],
    [3, 10, '███░░░░░░░  30 %'],
    [999, 1000, '█████████░  99 %'],
    [10, 10, '██████████ 100 %'],
    [12, 10, '██████████ 100 %'],
    [0, 0, '░░░░░░░░░░   0 %'],
  ])('draws %d of %d', (done, all, bar) => expect(progressBar(done, all, 10)).toBe(bar))
})

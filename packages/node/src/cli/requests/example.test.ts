import { specPolicies } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { runCaptured } from '../testing/run-captured.ts'

describe('the bundled example', () => {
  it('triggers every policy except the last resort, and the one for colours, which it has none of', async () => {
    const { code, stdout } = await runCaptured(['view', '--json'])
    const { report } = JSON.parse(stdout) as { report: { rules: Record<string, { edits: number }>; problems: unknown[] } }
    expect({ code, problems: report.problems, policies: Object.keys(report.rules) }).toEqual({
      code: 0,
      problems: [],
      policies: specPolicies.map(({ name }) => name).filter((name) => name !== 'fit-window' && name !== 'shorten-losslessly'),
    })
  })

  it('is labelled as an example, on screen and with --json', async () => {
    const sentence = stringsFor('en').view.example
    expect((await runCaptured(['view'])).stdout).toContain(sentence)
    expect((await runCaptured(['view', '--json'])).stderr).toContain(sentence)
  })

  it('keeps the failure in the middle of the long build log', async () => {
    const { stdout } = await runCaptured(['view', '--json'])
    const { messages } = JSON.parse(stdout) as { messages: { content: unknown }[] }
    const log = messages.find(({ content }) => String(content).includes('release:dry finished with problems'))
    expect(log?.content).toContain('zones/skerry.json has no "zone"')
  })

  it('contains an unanswered call, an orphan result, filtered images, and one file read under seven names', async () => {
    const { stdout } = await runCaptured(['view', '--json'])
    const { report } = JSON.parse(stdout) as {
      report: { rules: Record<string, { edits: number }>; edits: { policy: string; kind: string; tool: string | null }[] }
    }
    const of = (policy: string) => report.edits.filter((edit) => edit.policy === policy)
    expect(of('pair-tool-calls').map(({ kind }) => kind)).toEqual(['insert', 'fold'])
    expect(of('filter-binary').map(({ tool }) => tool)).toEqual(['screenshot', 'browser_take_screenshot'])
    expect(of('trim-repeated-reads')).toHaveLength(2)
    expect(of('compress-old-results').map(({ tool }) => tool)).toEqual(['grep_search'])
    expect(of('limit-tool-output').map(({ tool }) => tool)).toEqual(['terminal-execute'])
  })
})

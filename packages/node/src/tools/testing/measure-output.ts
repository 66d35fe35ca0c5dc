import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { completeConfig } from '@plimsoll/core/policies'
import { modelStrings } from '@plimsoll/core/text'
import { createBlobSink } from '../../session/blob-sink.ts'
import { createSession } from '../../session/create-session.ts'
import { bashTool } from '../command/bash-tool.ts'
import { createRecallTool } from '../own-tools.ts'
import { createFreshness, createSeenFiles } from '../tool.ts'

/** Memory and time that a command with much output cost this process. */
export interface OutputMeasurement {
  readonly bytes: number
  readonly milliseconds: number
  /** The most memory the process ever had, in megabytes. */
  readonly peakMegabytes: number
  /** The same when the last lines of the output were recalled, and how long that took. */
  readonly recallMilliseconds: number
  readonly recallPeakMegabytes: number
}

/** Runs a command that writes this many bytes, stores its output in a session and recalls a piece of it. Needs a separate process. */
export async function measureOutput(bytes: number, line = 'y'): Promise<OutputMeasurement> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-measure-'))
  const stopCollecting = collectGarbage()
  try {
    const session = await createSession(folder)
    const started = performance.now()
    const outcome = await bashTool.run(
      { command: `yes '${line}' | head -c ${bytes}` },
      {
        root: folder,
        config: completeConfig({ shell: { timeout_seconds: 600 } }),
        strings: modelStrings,
        environment: process.env,
        signal: new AbortController().signal,
        progress: () => undefined,
        freshness: createFreshness({ root: folder }),
        seen: createSeenFiles(),
        blobs: createBlobSink(session),
        now: Date.now,
      },
    )
    const ended = performance.now()
    const peakMegabytes = peak()
    const { content, blob } = outcome
    if (blob === undefined) throw new Error(`nothing was spooled: ${JSON.stringify(content).slice(0, 300)}`)
    const part = { type: 'tool-result', callId: 'c', tool: 'Bash', content, blob } as const
    await session.append([{ type: 'message', message: { id: 'm', role: 'tool', parts: [part] } }])
    const recall = createRecallTool(session, {})
    const { content: answer } = await recall.run({ handle: blob.handle ?? '', lines: '100000-100002' }, {} as never)
    if (answer.type !== 'text' || !answer.text.includes(line)) throw new Error(`not recalled: ${JSON.stringify(answer)}`)
    const recalled = performance.now()
    await session.close()
    return {
      bytes: blob.bytes,
      milliseconds: Math.round(ended - started),
      peakMegabytes,
      recallMilliseconds: Math.round(recalled - ended),
      recallPeakMegabytes: peak(),
    }
  } finally {
    stopCollecting()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Collects garbage as soon as there may be 16 MB of it: on a busy machine it is collected late, and counts as if it was needed. */
function collectGarbage(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const inUse = () => process.memoryUsage().heapUsed + process.memoryUsage().external
  let needed = inUse()
  let next = setImmediate(function turn() {
    if (inUse() > needed + 16_000_000) {
      collect()
      needed = inUse()
    }
    next = setImmediate(turn)
  })
  return () => clearImmediate(next)
}

function peak(): number {
  return Math.round(process.resourceUsage().maxRSS / 1000)
}

if (import.meta.main) console.log(JSON.stringify(await measureOutput(Number(process.argv[2] ?? 2_000_000_000), process.argv[3])))

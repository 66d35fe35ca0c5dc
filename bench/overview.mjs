import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeAgentLogs } from './agent-logs.mjs'
import { program, runCommand } from './run-command.mjs'

const warmRounds = 5

/** The overview of generated logs, as a command in its own process: with no index yet, with one, and after one log has grown. */
export async function overviewBench({ megabytes = 1000 } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-overview-'))
  try {
    const paths = writeAgentLogs(home, megabytes * 1_000_000)
    // A log that was written a moment ago is not remembered.
    await new Promise((resolve) => setTimeout(resolve, 2500))
    return await measure(home, paths)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function measure(home, paths) {
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  const size = `${Math.round(bytes / 1_000_000)} MB in ${paths.length} logs`
  const cores = availableParallelism()
  const cold = await runCommand([program, 'overview', '--json'], { home })
  const warm = []
  for (let round = 0; round < warmRounds; round += 1) warm.push(await runCommand([program, 'overview', '--json'], { home }))
  for (const { output } of warm)
    if (figuresOf(output) !== figuresOf(cold.output)) throw new Error('the index changes the overview')
  const { wall: warmTime, cpu: warmCpu } = warm.toSorted((a, b) => a.wall - b.wall)[warmRounds >> 1]
  appendFileSync(paths[0], '{"type":"progress"}\n')
  const grown = await runCommand([program, 'overview', '--json'], { home })
  // The targets are for a thousand megabytes on a machine that does nothing else: other programs stretch only the wall clock.
  const seconds = (10 * bytes) / 1_000_000_000
  const perCore = `processor time, divided by ${cores} cores`
  return [
    {
      name: `overview of ${size}, no index: ${perCore}`,
      value: cold.cpu / cores / 1000,
      unit: 's',
      bound: `<= ${seconds.toFixed(1)} s`,
    },
    { name: 'the same: wall clock', value: cold.wall / 1000, unit: 's' },
    { name: 'the same: wall clock until the first sign of progress', value: cold.firstSign / 1000, unit: 's', bound: '<= 1 s' },
    { name: 'with the index: processor time; median', value: warmCpu / 1000, unit: 's', bound: '<= 1 s' },
    { name: 'with the index: wall clock; median', value: warmTime / 1000, unit: 's' },
    { name: 'with the index, after one log has grown: processor time', value: grown.cpu / 1000, unit: 's' },
  ]
}

/** Without what would have been saved: every call replays more of the logs. */
function figuresOf(output) {
  const { saving: _saving, ...rest } = JSON.parse(output)
  return JSON.stringify(rest)
}

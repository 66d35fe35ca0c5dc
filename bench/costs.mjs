import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeCostLogs } from '../test/costs/cost-logs.ts'

const program = fileURLToPath(new URL('../packages/node/bin/plimsoll.js', import.meta.url))
const ccusage = fileURLToPath(new URL('node_modules/.bin/ccusage', import.meta.url))
const figuresFile = fileURLToPath(new URL('../test/costs/ccusage-figures.json', import.meta.url))

const categories = ['input', 'cacheRead', 'cacheWrite', 'output']

/**
 * Tokens and cost of the same logs, by ccusage and by our overview. The figures of ccusage are written to a file that the tests compare
 * with, so that they need no network.
 */
export function costsBench() {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-costs-'))
  try {
    writeCostLogs(home)
    const theirs = { 'Claude Code': figuresOf('claude', home), Codex: figuresOf('codex', home) }
    writeFileSync(figuresFile, `${JSON.stringify({ ccusage: version(), agents: theirs }, null, 2)}\n`)
    const ours = JSON.parse(run(process.execPath, [program, 'overview', '--json'], home))
    const rows = Object.entries(theirs).flatMap(([agent, figures]) => {
      const own = ours.agents.find((row) => row.agent === agent)
      const tokens = categories.map((name) =>
        row(`${agent}: ${name} tokens, against ccusage`, own.usage[name], figures[name], 0.5),
      )
      return [...tokens, row(`${agent}: cost, against ccusage`, own.dollars, figures.dollars, 1)]
    })
    return { rows }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function row(name, ours, theirs, percent) {
  const value = theirs === 0 && ours === 0 ? 0 : (ours / theirs - 1) * 100
  return { name, value, unit: '%', bound: `within ±${percent}` }
}

function figuresOf(agent, home) {
  const { totals } = JSON.parse(run(ccusage, [agent, 'daily', '--offline', '--json'], home))
  return {
    input: totals.inputTokens,
    cacheRead: totals.cacheReadTokens,
    cacheWrite: totals.cacheCreationTokens,
    output: totals.outputTokens,
    dollars: totals.totalCost ?? totals.costUSD,
  }
}

function version() {
  return run(ccusage, ['--version'], tmpdir()).trim()
}

function run(command, args, home) {
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    CODEX_HOME: join(home, '.codex'),
  }
  const { status, stdout, stderr } = spawnSync(command, args, { env: environment, encoding: 'utf8', timeout: 120_000 })
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`)
  return stdout
}

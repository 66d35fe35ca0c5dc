import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeCostLogs } from '../test/costs/cost-logs.ts'
import {
  categories,
  differentLongPrompts,
  differentPrices,
  pricedDay,
  pricedModels,
  pricedTokens,
  writeLongPrompts,
  writePriceLogs,
} from '../test/costs/price-logs.ts'

const program = fileURLToPath(new URL('../packages/node/bin/plimsoll.js', import.meta.url))
const ccusage = fileURLToPath(new URL('node_modules/.bin/ccusage', import.meta.url))
const figuresFile = fileURLToPath(new URL('../test/costs/ccusage-figures.json', import.meta.url))

/** The formats that both read. */
const agents = {
  'Claude Code': 'claude',
  Codex: 'codex',
  pi: 'pi',
  opencode: 'opencode',
  'Gemini CLI': 'gemini',
  'Copilot CLI': 'copilot',
}

/**
 * Tokens and cost of the same logs, by ccusage and by our overview. The figures of ccusage are written to a file that the tests compare
 * with, so that they need no network. Models that it prices differently are in no log of a comparison, but listed with both prices.
 */
export function costsBench() {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-costs-'))
  try {
    writeCostLogs(home)
    const theirs = Object.fromEntries(Object.entries(agents).map(([agent, command]) => [agent, figuresOf(command, home)]))
    const prices = pricesOfCcusage(home)
    const different = differentPrices(prices, pricesOfOurs(home))
    const long = longPrompts(join(home, 'long'))
    const figures = { ccusage: version(), agents: theirs, prices, different, ...long }
    writeFileSync(figuresFile, `${JSON.stringify(figures, null, 2)}\n`)
    const ours = JSON.parse(run(process.execPath, [program, 'overview', '--json'], home))
    const rows = Object.entries(theirs).flatMap(([agent, figures]) => {
      const own = ours.agents.find((row) => row.agent === agent)
      const tokens = categories.map((name) =>
        row(`${agent}: ${name} tokens, against ccusage`, own.usage[name], figures[name], 0.5),
      )
      return [...tokens, row(`${agent}: cost, against ccusage`, own.dollars, figures.dollars, 1)]
    })
    const same = { name: 'Models with the price that ccusage has', value: pricedModels.length - different.length, unit: 'models' }
    return { rows: [...rows, { ...same, bound: `of ${pricedModels.length}` }] }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function row(name, ours, theirs, percent) {
  const value = theirs === 0 && ours === 0 ? 0 : (ours / theirs - 1) * 100
  return { name, value, unit: '%', bound: `within ±${percent}` }
}

const withReasoning = new Set(['gemini', 'opencode'])

/** Its totals have reasoning as part of the output, or only in the sum of all tokens. */
function figuresOf(agent, home) {
  const { totals } = JSON.parse(run(ccusage, [agent, 'daily', '--offline', '--json'], home))
  const [input, cacheRead, cacheWrite] = [totals.inputTokens, totals.cacheReadTokens, totals.cacheCreationTokens]
  const output = withReasoning.has(agent) ? totals.totalTokens - input - cacheRead - cacheWrite : totals.outputTokens
  return { input, cacheRead, cacheWrite, output, dollars: totals.totalCost ?? totals.costUSD }
}

/** Dollars per million tokens, as its costs of logs with one category imply. */
function pricesOfCcusage(home) {
  const prices = Object.fromEntries(pricedModels.map((model) => [model, {}]))
  for (const category of categories) {
    const folder = join(home, category)
    writePriceLogs(folder, category)
    const { daily } = JSON.parse(run(ccusage, ['pi', 'daily', '--offline', '--json'], folder))
    for (const { modelName, cost } of daily.flatMap(({ modelBreakdowns }) => modelBreakdowns))
      prices[modelName.replace('[pi] ', '')][category] = Number(((cost * 1_000_000) / pricedTokens).toPrecision(6))
  }
  return prices
}

/** Dollars of a long prompt to each model that has another price for it, by ccusage, and those that differ from ours. */
function longPrompts(home) {
  writeLongPrompts(home)
  const { daily } = JSON.parse(run(ccusage, ['pi', 'daily', '--offline', '--json'], home))
  const long = Object.fromEntries(
    daily.flatMap(({ modelBreakdowns }) => modelBreakdowns.map(({ modelName, cost }) => [modelName.replace('[pi] ', ''), cost])),
  )
  const { breakdown } = JSON.parse(run(process.execPath, [program, 'overview', '--by', 'model', '--json'], home))
  return { long, differentLong: differentLongPrompts(long, (model) => breakdown.rows.find(({ key }) => key === model).dollars) }
}

function pricesOfOurs(home) {
  const { prices } = JSON.parse(run(process.execPath, [program, 'prices', ...pricedModels, '--day', pricedDay, '--json'], home))
  return (model) => prices.find((price) => price.model === model)
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

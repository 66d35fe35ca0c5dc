// How much of what matters is left when long output is cut, by us and by others. Run by bench/run.mjs; writes docs/keeping.md.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildView, economyPolicies, specPolicies } from '../packages/core/dist/index.js'
import { gatewayPolicies } from '../packages/core/dist/policies.js'
import { createO200kTokenizer } from '../packages/node/dist/model/tokens.js'
import { withinTokens } from './keeping-equal.mjs'
import { lineFamilies } from './keeping-lines.mjs'
import { keepingPage } from './keeping-page.mjs'
import { keepingPeers, whyMissing } from './keeping-peers.mjs'
import { recordedFamilies } from './keeping-recorded.mjs'
import { recordFamilies } from './keeping-records.mjs'
import { createRandom } from './random.mjs'

/** Choose rules on `development`; figures are those of `heldOut`, whose kinds of records, tools and odd lines are others. The page names the rules that were not chosen so. */
const seeds = { development: 41, heldOut: 97 }
const page = fileURLToPath(new URL('../docs/keeping.md', import.meta.url))

export async function keepingBench() {
  const split = process.env['PLIMSOLL_KEEPING_SPLIT'] === 'development' ? 'development' : 'heldOut'
  const own = generated(split)
  const families = [...own, ...(await fixturesOfPeers()), ...fixtures(process.env['PLIMSOLL_KEEPING'])]
  const tokens = await createO200kTokenizer()
  const { peers, missing } = await keepingPeers()
  const allWays = [
    { name: 'raw', reduce: ({ text }) => text },
    { name: 'economy', reduce: ours(economyPolicies) },
    { name: 'spec', reduce: ours(specPolicies) },
    { name: 'safe', reduce: ours(gatewayPolicies('safe')) },
    ...peers,
  ]
  const rows = families.map(({ name }) => ({ name, results: {} }))
  const ways = []
  for (const way of allWays) {
    try {
      const isPeer = peers.includes(way)
      for (const [index, { cases }] of families.entries())
        rows[index].results[way.name] = await measure(cases, way, tokens, isPeer)
      ways.push(way)
    } catch (error) {
      missing.push(whyMissing(way.name, error))
    }
  }
  for (const { reduce } of peers) reduce.close?.()
  const table = {
    rows: [...rows.slice(0, own.length), summary(rows.slice(0, own.length), ways), ...rows.slice(own.length)],
    columns: ways.flatMap((way) => columnsOf(way.name, peers.includes(way))),
  }
  const sent = rows.flatMap(({ results }) => ['economy', 'spec', 'safe'].map((name) => results[name].escapes))
  const escapes = sent.reduce((sum, count) => sum + count, 0)
  const verdicts =
    split === 'heldOut'
      ? [
          ...verdictsOf(rows, table.rows[own.length].results, escapes),
          ...peers
            .filter((peer) => ways.includes(peer))
            .map(({ name }) => atEqualTokens(name, rows.slice(0, own.length), table.rows[own.length].results[name])),
        ]
      : []
  const note = ['Tokens by o200k, and the share of what must be kept.', ...missing, ...verdicts].join(' ')
  if (split === 'heldOut' && process.env['PLIMSOLL_KEEPING'] === undefined) writeFileSync(page, keepingPage({ ...table, note }))
  return { ...table, note }
}

/** Measured on the same outputs when cuts kept only head, tail and lines with words such as "error", and nothing was shortened without loss. */
const before = { economy: 112_303, spec: 186_170, safe: 186_170 }

function verdictsOf(rows, all, escapes) {
  const verdict = (name, share, factor) => {
    const { tokens, kept } = all[name]
    const met = kept >= share && tokens <= before[name] * factor
    return `${name}: target ${share * 100} % at no more than ${Math.floor(before[name] * factor).toLocaleString('en')} tokens, ${met ? 'met' : 'missed'}.`
  }
  const { raw, economy, safe } = rows.find(({ name }) => name === 'small output').results
  const [less, kept] = [1 - Math.max(economy.tokens, safe.tokens) / raw.tokens, Math.min(economy.kept, safe.kept)]
  return [
    verdict('economy', 0.95, 1.25),
    verdict('spec', 0.8, 1),
    verdict('safe', 0.8, 1),
    `small output in economy and safe: ${(100 * less).toFixed(1)} % less, target 10 % with nothing lost, ${less >= 0.1 && kept === 1 ? 'met' : 'missed'}.`,
    `Escape sequences sent by economy, spec and safe: ${escapes}.`,
  ]
}

function atEqualTokens(name, rows, { kept, keptByUs }) {
  const behind = rows.filter(({ results }) => results[name].keptByUs < results[name].kept - 0.0005).map((row) => row.name)
  const where = behind.length === 0 ? 'behind in no family' : `behind in ${behind.join(', ')}`
  return `With the tokens of ${name} for each output, economy keeps ${(100 * keptByUs).toFixed(1)} %, and it ${(100 * kept).toFixed(1)} %: ${where}.`
}

function generated(split) {
  const random = createRandom(seeds[split])
  return [...recordFamilies(random, split), ...lineFamilies(random, split), ...recordedFamilies()]
}

/** Fixtures that come with the packages of peers, read from there. */
async function fixturesOfPeers() {
  try {
    const { CORPUS } = await import('context-compress/dist/bench/quality.js')
    const cases = CORPUS.map(({ command, output, mustContain }) => ({ command, text: output, mustKeep: mustContain }))
    return [{ name: "context-compress's own cases", cases }]
  } catch {
    return []
  }
}

/** Fixtures of others: files `NAME.json` with `family`, `command`, `text` and `mustKeep`, a list of texts. */
function fixtures(folder) {
  if (folder === undefined || !existsSync(folder)) return []
  const families = new Map()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const { family = 'fixtures', command = '', text, mustKeep } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    families.set(family, [...(families.get(family) ?? []), { command, text, mustKeep }])
  }
  return [...families].map(([name, cases]) => ({ name, cases }))
}

/** `isPeer`: measures also what economy keeps with as many tokens of each output. */
async function measure(cases, { reduce }, tokens, isPeer) {
  let keptByUs = 0
  let count = 0
  let kept = 0
  let wanted = 0
  let escapes = 0
  for (const one of cases) {
    const shown = await reduce(one)
    const size = tokens.count(shown)
    count += size
    if (isPeer) {
      const text = plain(withinTokens(one, size, tokens, ours))
      keptByUs += one.mustKeep.filter((item) => isKept(item, text)).length
    }
    escapes += shown.split('\x1b').length - 1
    wanted += one.mustKeep.length
    kept += one.mustKeep.filter((item) => isKept(item, plain(shown))).length
    if (process.env['PLIMSOLL_KEEPING_SHOW'] !== undefined && reduce.shows === process.env['PLIMSOLL_KEEPING_SHOW'])
      showLost(one, shown)
  }
  return { tokens: count, kept: kept / wanted, escapes, ...(isPeer ? { keptByUs: keptByUs / wanted } : {}) }
}

function showLost({ command, text, mustKeep }, shown) {
  const lost = mustKeep.filter((item) => !isKept(item, plain(shown)))
  if (lost.length > 0)
    console.log(
      `${command} (${text.length} → ${shown.length}): lost ${lost.length} of ${mustKeep.length}: ${JSON.stringify(lost.slice(0, 3))}`,
    )
}

/** An item is a text, or several texts that are only of use together. */
function isKept(item, shown) {
  return typeof item === 'string' ? shown.includes(plain(item)) : item.all.every((text) => shown.includes(plain(text)))
}

/** Colours and the escapes of JSON do not count, nor how blanks are written. */
function plain(text) {
  return text
    .replaceAll(/\x1b\[[0-9;]*m/g, '')
    .replaceAll('\\"', '"')
    .replaceAll(/[ \t]+/g, ' ')
}

function ours(policies) {
  const reduce = ({ command, text }) => {
    const call = { type: 'tool-call', callId: 'a', tool: 'Bash', input: { command } }
    const result = { type: 'tool-result', callId: 'a', tool: 'Bash', content: { type: 'text', text } }
    const messages = [
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] },
      { id: '2', role: 'assistant', parts: [call] },
      { id: '3', role: 'tool', parts: [result] },
    ]
    return buildView({ messages, policies, facts: {} }).view.at(-1).parts[0].content.text
  }
  return Object.assign(reduce, { shows: policies === economyPolicies ? 'economy' : 'spec' })
}

function summary(rows, ways) {
  const results = Object.fromEntries(
    ways.map(({ name }) => [
      name,
      {
        tokens: rows.reduce((sum, row) => sum + row.results[name].tokens, 0),
        kept: rows.reduce((sum, row) => sum + row.results[name].kept, 0) / rows.length,
        keptByUs: rows.reduce((sum, row) => sum + (row.results[name].keptByUs ?? 0), 0) / rows.length,
      },
    ]),
  )
  return { name: 'all: sum of tokens, mean of shares', results }
}

function columnsOf(name, isPeer) {
  const tokens = [name, ({ results }) => results[name].tokens.toLocaleString('en')]
  const percent = (share) => `${(100 * share).toFixed(1)} %`
  if (name === 'raw') return [tokens]
  const kept = ['kept', ({ results }) => percent(results[name].kept)]
  return isPeer ? [tokens, kept, ['economy then', ({ results }) => percent(results[name].keptByUs)]] : [tokens, kept]
}

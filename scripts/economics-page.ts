/** Writes docs/economics.md from what `plimsoll replay --full --json` printed: first the sessions the numbers were chosen on, then the others. */
import { readFileSync, writeFileSync } from 'node:fs'

interface PriceResult {
  readonly model: string
  readonly change: number
  readonly effectiveChange: number
  readonly effectiveChangeInterval: readonly [number, number]
  readonly worstSessionChange: number
  readonly worstDecileEffectiveChange: number
  readonly medianEffectiveChange: number
  readonly sensitivity: Readonly<Record<string, number>>
  readonly split: Readonly<Record<string, number>>
  readonly regret: number | null
  readonly resultTokensRemoved: number
  readonly faultsPer100Requests: number
  readonly retention: Retention
  readonly peakChange: number
  readonly hitRatio: number
}

interface Retention {
  readonly needs: number
  readonly inView: number
  readonly reachable: number
  readonly lost: number
  /** Without needs that could be guessed. */
  readonly checked: { readonly inView: number }
  readonly edits: number
  readonly editsWhole: number
}

interface SetResult {
  readonly name: string
  readonly prices: readonly PriceResult[]
}

interface Part {
  readonly sessions: number
  readonly requests: number
  readonly calibrated: number
  readonly timed: number
  readonly policySets: readonly SetResult[]
}

interface Replay extends Part {
  readonly configuration: string
  readonly assumption: string
  readonly pricesFrom: string
  readonly strata: readonly (Part & { readonly name: string })[]
}

const [chosenFile, reportedFile, chosenClaudeFile, reportedClaudeFile, textFile] = process.argv.slice(2)
if (
  chosenFile === undefined ||
  reportedFile === undefined ||
  chosenClaudeFile === undefined ||
  reportedClaudeFile === undefined ||
  textFile === undefined
) {
  throw new Error(
    'expected five files: the replay the numbers were chosen on, the one that is reported, the same of Claude Code alone, and the page with its marks',
  )
}
const chosen = read(chosenFile)
const reported = read(reportedFile)
const page = readFileSync(textFile, 'utf8')
const [chosenClaude, reportedClaude] = [chosenClaudeFile, reportedClaudeFile].map((file) => longOf(read(file))) as [Part, Part]
const blocks: Readonly<Record<string, string>> = {
  reported: mainTable(longOf(reported)),
  regimes: regimeTable(longOf(reported)),
  chosen: mainTable(longOf(chosen)),
  'chosen-regimes': regimeTable(longOf(chosen)),
  shorter: reported.strata
    .filter(({ name, sessions }) => name !== '>100' && sessions > 0)
    .map(stratumTable)
    .join('\n\n'),
  models: modelTable(longOf(reported)),
  split: splitTable(longOf(reported)),
  'claude-code': claudeTable(reportedClaude, chosenClaude),
  more: moreTable(longOf(reported)),
  counts: countsOf(),
  targets: targetsTable(longOf(reported), longOf(chosen)),
  behind: behindList(longOf(reported)),
}
writeFileSync(
  textFile,
  page.replaceAll(/<!-- (\S+) -->\n[\s\S]*?<!-- end -->/g, (whole, name: string) =>
    Object.hasOwn(blocks, name) ? `<!-- ${name} -->\n\n${blocks[name]}\n\n<!-- end -->` : whole,
  ),
)

function read(file: string): Replay {
  return JSON.parse(readFileSync(file, 'utf8')) as Replay
}

function longOf(replay: Replay): Part {
  return replay.strata.find(({ name }) => name === '>100') as Part
}

function priceOf(set: SetResult, model: string): PriceResult {
  return set.prices.find((price) => price.model === model) as PriceResult
}

function percent(share: number): string {
  const value = (share * 100).toFixed(1)
  return `${share > 0 && value !== '0.0' ? '+' : ''}${value === '-0.0' ? '0.0' : value}`.replace('-', '−')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

function three(set: SetResult, value: (price: PriceResult) => number): string {
  return ['r.10', 'r.05', 'r.025'].map((model) => percent(value(priceOf(set, model)))).join(' / ')
}

function mainTable({ policySets }: Part): string {
  return table(
    ['policy set', 'bill %', 'effective %', 'in view', 'or by handle', 'lost', 'edits whole', 'worst session % (r .05)'],
    policySets.map((set) => {
      const { retention, worstSessionChange } = priceOf(set, 'r.05')
      return [
        set.name,
        three(set, ({ change }) => change),
        three(set, ({ effectiveChange }) => effectiveChange),
        retention.inView.toFixed(3),
        retention.reachable.toFixed(3),
        retention.lost.toFixed(4),
        retention.editsWhole.toFixed(3),
        percent(worstSessionChange),
      ]
    }),
  )
}

function claudeTable(now: Part, before: Part): string {
  const interval = ({ effectiveChangeInterval }: PriceResult) => effectiveChangeInterval.map(percent).join(' to ')
  return table(
    [
      'effective %',
      `reported (${now.sessions} sessions), r .10 / .05 / .025`,
      '95 % interval (r .05)',
      'in view / checked',
      'edits whole',
      'worst session',
      `chosen on (${before.sessions}), r .05`,
      '95 % interval',
    ],
    now.policySets
      .filter(({ name }) => name !== 'raw')
      .map((set) => {
        const price = priceOf(set, 'r.05')
        const other = priceOf(before.policySets.find(({ name }) => name === set.name) as SetResult, 'r.05')
        const { inView, checked, editsWhole } = price.retention
        return [
          set.name,
          three(set, ({ effectiveChange }) => effectiveChange),
          interval(price),
          `${inView.toFixed(3)} / ${checked.inView.toFixed(3)}`,
          editsWhole.toFixed(3),
          percent(price.worstSessionChange),
          percent(other.effectiveChange),
          interval(other),
        ]
      }),
  )
}

function regimeTable({ policySets }: Part): string {
  const models = ['r.05', 'r.05-1h', 'r.05-warm']
  return table(
    [
      'policy set, effective %',
      '5 minutes',
      '1 hour',
      'never idle',
      'a need costs 2',
      'a need costs 5',
      '95 % interval (5 minutes)',
    ],
    policySets.map((set) => {
      const price = priceOf(set, 'r.05')
      return [
        set.name,
        ...models.map((model) => percent(priceOf(set, model).effectiveChange)),
        percent(price.sensitivity['2'] ?? 0),
        percent(price.sensitivity['5'] ?? 0),
        price.effectiveChangeInterval.map(percent).join(' to '),
      ]
    }),
  )
}

function stratumTable(part: Part & { readonly name: string }): string {
  return `**${part.name} requests**: ${part.sessions} sessions, ${part.requests} requests\n\n${mainTable(part)}`
}

function modelTable({ policySets }: Part): string {
  const models = policySets[0]?.prices.map(({ model }) => model).filter((model) => !model.startsWith('r.')) ?? []
  // A run may have had the prices of models for some sets only.
  const wanted = policySets.filter(
    ({ name, prices }) =>
      ['spec-immediate', 'spec', 'economy', 'economy-keep-alive', 'gateway-economy', 'gateway-economy-signed', 'oracle'].includes(
        name,
      ) && prices.some(({ model }) => model === models[0]),
  )
  return table(
    ['model, effective %', ...wanted.map(({ name }) => name)],
    models.map((model) => [model, ...wanted.map((set) => percent(priceOf(set, model).effectiveChange))]),
  )
}

function splitTable({ policySets }: Part): string {
  const raw = policySets[0] as SetResult
  const whole = Object.values(priceOf(raw, 'r.05').split).reduce((sum, value) => sum + value, 0)
  const parts = ['read', 'write', 'output', 'keepAlive', 'recalls']
  return table(
    ['share of the untrimmed bill, % (r .05)', 'cached reads', 'writes', 'output', 'keep-alive', 'recalls'],
    policySets.map((set) => [
      set.name,
      ...parts.map((part) => (((priceOf(set, 'r.05').split[part] ?? 0) / whole) * 100).toFixed(1)),
    ]),
  )
}

function moreTable({ policySets }: Part): string {
  return table(
    [
      'policy set (r .05)',
      'tool-result tokens removed %',
      'peak %',
      'cache hits',
      'faults in 100 requests',
      'median session, effective %',
      'worst tenth %',
      'regret',
    ],
    policySets.map((set) => {
      const price = priceOf(set, 'r.05')
      return [
        set.name,
        (price.resultTokensRemoved * 100).toFixed(1),
        percent(price.peakChange),
        price.hitRatio.toFixed(3),
        price.faultsPer100Requests.toFixed(2),
        percent(price.medianEffectiveChange),
        percent(price.worstDecileEffectiveChange),
        price.regret === null ? '' : price.regret.toFixed(2),
      ]
    }),
  )
}

function countsOf(): string {
  const row = (name: string, { sessions, requests, calibrated, timed }: Part) => [
    name,
    String(sessions),
    String(requests),
    String(calibrated),
    String(timed),
  ]
  return table(
    ['sessions with more than 100 requests', 'sessions', 'requests', 'calibrated', 'with times'],
    [row('chosen on', longOf(chosen)), row('reported', longOf(reported))],
  )
}

function targetsTable(now: Part, before: Part): string {
  const economy = (part: Part) => part.policySets.find(({ name }) => name === 'economy') as SetResult
  const alive = (part: Part) => part.policySets.find(({ name }) => name === 'economy-keep-alive') as SetResult
  const effective = ({ effectiveChange }: PriceResult) => effectiveChange
  const kept = (part: Part) => {
    const { inView, reachable, lost } = priceOf(economy(part), 'r.05').retention
    return `${inView.toFixed(3)} / ${reachable.toFixed(3)} / ${lost.toFixed(4)}`
  }
  const worst = (part: Part) => percent(Math.max(...economy(part).prices.map(({ worstSessionChange }) => worstSessionChange)))
  const row = (name: string, goals: readonly string[], value: (part: Part) => string) => [
    name,
    ...goals,
    value(now),
    value(before),
  ]
  return table(
    ['economy, more than 100 requests', 'first bar', 'ambitious', 'moonshot', 'reported', 'chosen on'],
    [
      row('effective %, 5 minutes, r .10 / .05 / .025', ['−11 / −11 / −11', '−18 / −16 / −15', '−25'], (part) =>
        three(economy(part), effective),
      ),
      row('with keep-alive', ['−15 / −20 / −27', '−20 / −27 / −33', '−35 at r ≤ .05'], (part) => three(alive(part), effective)),
      row('effective %, 1 hour', ['−7', '−12', '−18'], (part) => percent(priceOf(economy(part), 'r.05-1h').effectiveChange)),
      row('effective %, never idle', ['−4', '−8', '−12'], (part) => percent(priceOf(economy(part), 'r.05-warm').effectiveChange)),
      row('needs in view / or by handle / lost', ['.96 / .995 / 0', '.975 / .998 / 0', '.985 / .999 / 0'], kept),
      row('edits with every line in view', ['.95', '.97', '.99'], (part) =>
        priceOf(economy(part), 'r.05').retention.editsWhole.toFixed(3),
      ),
      row('worst session, bill %, any price row (chosen on: the rows `r` only)', ['≤ +1', '≤ 0', '≤ 0'], worst),
    ],
  )
}

/** The cases in which another project's rule costs less than ours, needs charged once. */
function behindList({ policySets }: Part): string {
  const economy = policySets.find(({ name }) => name === 'economy') as SetResult
  const others = policySets.filter(
    ({ name }) =>
      !['raw', 'oracle', 'no-tool-output', 'economy', 'economy-keep-alive'].includes(name) && !name.startsWith('gateway-'),
  )
  const rows = others.flatMap((set) =>
    set.prices.flatMap((price) => {
      const own = priceOf(economy, price.model)
      if (price.effectiveChange >= own.effectiveChange) return []
      const twice = [price, own].map(({ sensitivity }) => percent(sensitivity['2'] ?? 0)).join(' / ')
      return [
        [
          set.name,
          price.model,
          percent(price.effectiveChange),
          percent(own.effectiveChange),
          twice,
          price.retention.lost.toFixed(3),
        ],
      ]
    }),
  )
  return table(['ahead of economy', 'price row', 'its effective %', 'economy', 'both, a need costs 2', 'needs it loses'], rows)
}

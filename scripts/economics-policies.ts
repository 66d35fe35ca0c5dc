/** Prints what each economy policy brings: the same set without it, on sessions of more than 100 requests. `node scripts/economics-policies.ts PATH…` after a build. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { estimator } from '@plimsoll/core/text'
import { readLog } from '../packages/node/dist/logs/read-log.js'
import { priceRows } from '../packages/node/dist/replay/bill/price-rows.js'
import { commonStrings } from '../packages/node/dist/replay/collect-jobs.js'
import { findNeeds } from '../packages/node/dist/replay/needs/find-needs.js'
import { stringsOf } from '../packages/node/dist/replay/needs/need-uses.js'
import { type PolicySet, policySets } from '../packages/node/dist/replay/policy-sets.js'
import { type RecordedSession, recordSession } from '../packages/node/dist/replay/record-session.js'
import { countedOnce } from '../packages/node/dist/replay/replay-job.js'
import { replaySession } from '../packages/node/dist/replay/replay-session.js'

const tokens = countedOnce(estimator)
const long: RecordedSession[] = []
const strings: ReadonlySet<string>[] = []
for (const path of process.argv.slice(2).flatMap(filesIn)) {
  const { value: log } = await readLog(path)
  for (const read of log?.sessions ?? []) {
    const session = recordSession(read, { name: path, format: log?.format ?? '', tokens })
    strings.push(stringsOf(session))
    if (session.steps.length > 100) long.push(session)
  }
}

const economy = policySets.find(({ name }) => name === 'economy') as PolicySet
const row = priceRows.find(({ name }) => name === 'r.05') as (typeof priceRows)[number]
// Without these two, views would be illegal or too long.
const optional = economy.policies.filter(({ name }) => name !== 'pair-tool-calls' && name !== 'fit-window')
const without = optional.map((policy) => ({
  ...economy,
  name: policy.name,
  policies: economy.policies.filter((other) => other !== policy),
}))
const common = commonStrings(strings)
const needsOf = new Map(long.map((session) => [session, findNeeds(session, { common })]))
const raw = sumsOf(policySets[0] as PolicySet)
const all = sumsOf(economy)
console.log(
  `economy: ${percent(all.effective / raw.effective - 1)} effective, in view ${share(all)}, edits whole ${edits(all)}\n`,
)
console.log('| without | points saved less | in view | edits whole |\n| --- | ---: | ---: | ---: |')
for (const set of without) {
  const sums = sumsOf(set)
  const points = ((100 * (sums.effective - all.effective)) / raw.effective).toFixed(1)
  console.log(`| ${set.name} | ${points} | ${share(sums)} | ${edits(sums)} |`)
}

function sumsOf(set: PolicySet) {
  const sums = { effective: 0, needs: 0, inView: 0, edits: 0, editsWhole: 0 }
  for (const session of long) {
    const needs = needsOf.get(session) ?? []
    const [bill] = replaySession({ session, needs, set, rows: [row], tokens, isCalibrated: true }).bills
    if (bill === undefined) continue
    sums.effective += bill.read + bill.write + bill.fresh + bill.output + bill.recalls
    for (const name of ['needs', 'inView', 'edits', 'editsWhole'] as const) sums[name] += bill.retention[name]
  }
  return sums
}

function filesIn(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).map((name) => join(path, name))
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`
}

function share({ inView, needs }: { readonly inView: number; readonly needs: number }): string {
  return (inView / needs).toFixed(3)
}

function edits({ editsWhole, edits: count }: { readonly editsWhole: number; readonly edits: number }): string {
  return (editsWhole / count).toFixed(3)
}

import type { OwnPrices } from '../../model/price-of-model.ts'
import { localDay } from './local-day.ts'
import { type AnswerSum, createBill, type PricedAnswer, type SessionMeasure } from './measure-session.ts'
import { blocksOf, hour, type RecentAnswer, type SpendingRecord, sumOf } from './spending.ts'

/** Collects the answers since the start of the last month. An answer that is in several logs counts once. */
export function createSpendingSum(now: number, prices: OwnPrices = {}) {
  const date = new Date(now)
  const since = new Date(date.getFullYear(), date.getMonth() - 1, 1).getTime()
  const bill = createBill(prices)
  const counted = new Map<PricedAnswer['answer'], RecentAnswer>()
  const sumFor = (isClaudeCode: boolean): AnswerSum => ({
    add({ answer, cost }, times = 1) {
      const [at, , input, cacheRead, cacheWrite, output, , id] = answer
      const tokens = input + cacheRead + cacheWrite + output
      if (times === -1) counted.delete(answer)
      else counted.set(answer, { at: at ?? 0, id, dollars: cost?.dollars ?? null, tokens, isClaudeCode })
    },
  })
  return {
    add({ models, answers }: Pick<SessionMeasure, 'models' | 'answers'>, agent: string): void {
      const recent = answers.filter((answer) => answer[0] !== null && answer[0] >= since && answer[0] < now + day)
      const sums = [sumFor(agent === 'Claude Code')]
      if (recent.length > 0) bill.add({ models, answers: recent }, () => sums)
    },
    finish(): SpendingRecord {
      const answers = [...counted.values()].toSorted((one, other) => one.at - other.at)
      const days = Map.groupBy(answers, ({ at }) => localDay(at))
      const from = startOfRecent(answers, now)
      return {
        days: Object.fromEntries([...days].map(([name, all]) => [name, sumOf(all)])),
        recent: answers.filter(({ at }) => at >= from),
      }
    },
  }
}

const day = 24 * hour

/** The start of the block that began 24 hours ago or earlier, so that blocks from there on are the same as from the first answer on. */
function startOfRecent(answers: readonly RecentAnswer[], now: number): number {
  const blocks = blocksOf(answers.filter(({ isClaudeCode }) => isClaudeCode))
  return Math.min(now - day, blocks.findLast(({ start }) => start <= now - day)?.start ?? now - day)
}

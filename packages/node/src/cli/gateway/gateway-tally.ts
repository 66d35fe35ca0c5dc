import type { GatewayEvent } from '../../gateway/gateway-options.ts'
import type { Measured } from '../../gateway/planner.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { grouped, moneyText } from '../terminal/format-number.ts'

/** What went through one gateway since it was started. */
export interface GatewayTally {
  /** Requests to models, measured or not. */
  readonly requests: number
  /** Those of them that did not go out as they came. */
  readonly changed: number
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** What providers charge for those with a known price, and what the same would have cost untrimmed. */
  readonly paid: number
  readonly untrimmed: number
  readonly unpriced: number
}

/** Adds up what a gateway tells. */
export interface TallyKeeper {
  readonly onEvent: (event: GatewayEvent) => void
  readonly onMeasured: (measured: Measured) => void
  readonly tally: () => GatewayTally
}

/** Starts from nothing. */
export function createTally(): TallyKeeper {
  let tally: GatewayTally = { requests: 0, changed: 0, tokensBefore: 0, tokensAfter: 0, paid: 0, untrimmed: 0, unpriced: 0 }
  return {
    onEvent: (event) => {
      if (event.type !== 'answered' || event.mode === undefined || event.end === 'refused') return
      tally = { ...tally, requests: tally.requests + 1, changed: tally.changed + (event.isChanged ? 1 : 0) }
    },
    onMeasured: ({ tokensBefore, tokensAfter, dollars, untrimmedDollars }) => {
      tally = {
        ...tally,
        tokensBefore: tally.tokensBefore + tokensBefore,
        tokensAfter: tally.tokensAfter + tokensAfter,
        paid: tally.paid + (dollars ?? 0),
        // Where nobody knows what it would have cost, nothing is claimed.
        untrimmed: tally.untrimmed + (dollars === null ? 0 : (untrimmedDollars ?? dollars)),
        unpriced: tally.unpriced + (dollars === null ? 1 : 0),
      }
    },
    tally: () => tally,
  }
}

/** What it came to, in one line. */
export function tallyText(tally: GatewayTally, strings: Strings['gateway']): string {
  const { requests, changed, tokensBefore, tokensAfter, paid, untrimmed, unpriced } = tally
  const hasPrices = requests > unpriced && (paid > 0 || untrimmed > 0)
  return [
    strings.summary(grouped(requests), grouped(tokensAfter)),
    changed === 0 ? strings.bytesUnchanged : strings.changed(grouped(changed), grouped(Math.max(0, tokensBefore - tokensAfter))),
    ...(hasPrices ? [strings.money(moneyText(paid), moneyText(untrimmed)), netText(untrimmed - paid, strings)] : []),
    ...(unpriced > 0 ? [strings.unpriced(grouped(unpriced))] : []),
  ].join(strings.summaryBetween)
}

/** Money that was saved or lost, in words, so that a sign cannot be read the wrong way round. */
export function netText(net: number, strings: Strings['gateway']): string {
  if (Math.abs(net) < 0.000_05) return strings.even
  return net > 0 ? strings.saved(moneyText(net)) : strings.lost(moneyText(-net))
}

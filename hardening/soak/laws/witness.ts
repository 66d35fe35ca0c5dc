import { codecs, resultText } from '@plimsoll/core'
import type { TrimMode } from '@plimsoll/core/policies'
import type { WireDialect } from '../../../packages/node/src/store/gateway-record.ts'
import { changes } from '../../../test/gateway/changes.ts'
import type { Journal } from '../journal.ts'

/** A request as a client wrote it, as it arrived, and what the gateway said about it. */
export interface Seen {
  readonly body: string
  readonly arrived: string
  /** Codes of the gateway; null where its answer never came. */
  readonly findings: string | null
}

/** Looks at the requests of one conversation, one after the other. */
export interface Witness {
  readonly see: (seen: Seen) => void
  /** Hears of a request that never arrived at the provider. */
  readonly lose: () => void
  /** The results that did not arrive as they were sent, at least once. */
  readonly hidden: () => ReadonlySet<string>
}

/** Why a gateway may not decide anything. */
const doubts = /too-late|store-unavailable|unreadable|too-large|not-applied/

/** Sees to it that nothing but results changes, and that none becomes whole again or as it was before it was made shorter. */
export function createWitness(dialect: WireDialect, mode: TrimMode, journal: Journal): Witness {
  const versions = new Map<number, string>()
  const hidden = new Set<string>()
  let hasLost = false
  return {
    hidden: () => hidden,
    lose() {
      hasLost = true
    },
    see({ body, arrived, findings }) {
      if (mode === 'observe') {
        journal.check(
          'observe changes no byte',
          arrived === body,
          () => `${dialect}: ${body.length} became ${arrived.length} characters`,
        )
        return
      }
      const wrong = strayChanges(dialect, body, arrived)
      const [originals, results] = [resultsIn(dialect, body), resultsIn(dialect, arrived)]
      if (findings !== null && doubts.test(findings)) {
        journal.count(`gateway: requests in doubt, ${findings}`)
        // What was decided about a request that never arrived is not known here.
        const fresh = hasLost ? [] : results.filter((text, place) => text !== originals[place] && text !== versions.get(place))
        journal.check('where there is doubt nothing new is decided', fresh.length + wrong.length === 0, () => {
          return `${dialect}, ${mode}, ${findings}: ${fresh.length} of ${results.length} results; ${wrong.join('; ')}`
        })
        return
      }
      for (const [place, text] of results.entries()) {
        const before = versions.get(place)
        const original = originals[place]
        if (original !== undefined && text !== original) hidden.add(original)
        if (text === (before ?? original)) continue
        // Whether the store answered is not known where the answer never came.
        if (findings === null && text === original) continue
        if (before !== undefined && (mode === 'safe' || text.length >= before.length))
          wrong.push(`result ${place}: ${before.length} characters became ${text.length}`)
        versions.set(place, text)
      }
      journal.check(
        'only tool results change, and never back',
        wrong.length === 0,
        () => `${dialect}, ${mode}: ${wrong.join('; ')}`,
      )
    },
  }
}

function strayChanges(dialect: WireDialect, body: string, arrived: string): string[] {
  try {
    const texts = new Set(resultsIn(dialect, body))
    return changes(JSON.parse(body), JSON.parse(arrived))
      .filter(({ was }) => !texts.has(was))
      .map(({ path }) => path)
  } catch (error) {
    return [String(error)]
  }
}

/** The text of each tool's answer, in order. */
function resultsIn(dialect: WireDialect, body: string): readonly string[] {
  return codecs[dialect]
    .read(JSON.parse(body))
    .messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [resultText(part)] : [])))
}

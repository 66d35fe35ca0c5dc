import { codecs, resultText } from '@plimsoll/core'
import type { TrimMode } from '@plimsoll/core/policies'
import type { WireDialect } from '../../../packages/node/src/store/gateway-record.ts'
import { changes } from '../../../test/gateway/changes.ts'
import type { Journal } from '../journal.ts'

/** A request as sent by the client and as received, and the gateway's findings about it. */
export interface Seen {
  readonly body: string
  readonly arrived: string
  /** Codes of the gateway; null if its response never came. */
  readonly findings: string | null
}

/** Checks the requests of one conversation in order. */
export interface Witness {
  readonly see: (seen: Seen) => void
  /** Called for a request that never reached the provider. */
  readonly lose: () => void
  /** The results that arrived changed at least once. */
  readonly hidden: () => ReadonlySet<string>
}

/** Reasons for which a gateway makes no new decisions. */
const doubts = /too-late|store-unavailable|unreadable|too-large|not-applied/

/** Checks that only results change, and that no trimmed result is restored or becomes longer again. */
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
        // Decisions about a request that never arrived are unknown here.
        const fresh = hasLost ? [] : results.filter((text, place) => text !== originals[place] && text !== versions.get(place))
        journal.check('in doubt nothing new is decided', fresh.length + wrong.length === 0, () => {
          return `${dialect}, ${mode}, ${findings}: ${fresh.length} of ${results.length} results; ${wrong.join('; ')}`
        })
        return
      }
      for (const [place, text] of results.entries()) {
        const before = versions.get(place)
        const original = originals[place]
        if (original !== undefined && text !== original) hidden.add(original)
        if (text === (before ?? original)) continue
        // Without a response it is unknown whether the store was available.
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

/** The text of each tool result, in order. */
function resultsIn(dialect: WireDialect, body: string): readonly string[] {
  return codecs[dialect]
    .read(JSON.parse(body))
    .messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [resultText(part)] : [])))
}

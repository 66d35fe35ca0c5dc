import { escapeUnprintable } from '@plimsoll/core/text'
import type { Strings } from '../strings/strings-for.ts'

/** A name that nobody knows, with those that are known. */
export interface UnknownName {
  readonly unknown: string
  readonly known: readonly string[]
  readonly near: string | null
}

/** Why a session cannot be replayed. */
export type WhatIfTrouble = 'unknown-policies' | 'unknown-prices' | 'nothing-to-replay' | 'cannot-replay'

/** A replay that was refused, or failed. Its message is the code; `words` says it to people. */
export class WhatIfError extends Error {
  override readonly name = 'WhatIfError'
  readonly code: WhatIfTrouble
  readonly text: (strings: Strings) => string

  constructor(code: WhatIfTrouble, detail: UnknownName | string) {
    super(code)
    this.code = code
    this.text = (strings) => sentence(code, detail, strings)
  }
}

/** Longer names are cut where they are said. */
const longestName = 60

function sentence(code: WhatIfTrouble, detail: UnknownName | string, { replay, command, inspect }: Strings): string {
  if (typeof detail === 'string') return code === 'nothing-to-replay' ? inspect.nothingToReplay : inspect.cannotReplay(detail)
  const name = escapeUnprintable(JSON.stringify(detail.unknown.slice(0, longestName)))
  const unknown = code === 'unknown-policies' ? replay.unknownPolicySet : replay.unknownPriceRow
  const text = command.sentence(unknown(name, detail.known.join(', ')))
  return detail.near === null ? text : `${text} ${command.didYouMean(detail.near)}`
}

import type { WindowCategory } from '@plimsoll/core/bill'
import { mainPiece, type SizedMessage } from '@plimsoll/core/bill'
import type { MessageTable } from '../shared/inspection/inspection.ts'

/** The columns of a table of messages while they are filled. */
export interface MessageColumns {
  readonly add: (message: SizedMessage) => void
  readonly count: () => number
  /** The table, with what is shown of each message. */
  readonly table: (shown: readonly number[]) => MessageTable
}

/** A table without messages. */
export function createMessageColumns(): MessageColumns {
  const ids: string[] = []
  const roles: SizedMessage['role'][] = []
  const tokens: number[] = []
  const categories: WindowCategory[] = []
  const tools: number[] = []
  const times: number[] = []
  const places = new Map<string, number>()
  const placeOf = (tool: string | null): number => {
    if (tool === null) return -1
    const known = places.get(tool)
    if (known !== undefined) return known
    places.set(tool, places.size)
    return places.size - 1
  }
  return {
    add(message) {
      const { category, tool } = mainPiece(message)
      ids.push(message.id)
      roles.push(message.role)
      tokens.push(message.tokens)
      categories.push(category)
      tools.push(placeOf(tool))
      times.push(message.at)
    },
    count: () => ids.length,
    table: (shown) => ({ ids, roles, tokens, shown, categories, tools, toolNames: [...places.keys()], times }),
  }
}

import type { Keeper, KeeperOptions } from './keeper.ts'
import type { Prefix } from './prefix-tree.ts'

/**
 * Prompts are kept whole, and once more with the answer to them; and what two prompts have in common is kept when the second one
 * comes. An answer is seen when the next prompt continues with it, and was kept since the prompt before was.
 */
export function keepEnds({ tree: { path, sums }, minPrefix, isLive }: KeeperOptions): Keeper {
  return {
    find({ use, lengthBefore, common, shared, answerBlocks }) {
      let length = shared
      if (common === lengthBefore && lengthBefore > 0 && answerBlocks > 0) {
        const answered = Math.min(lengthBefore + Math.floor(answerBlocks), path.length - 1)
        if (answered > lengthBefore) (path[answered] as Prefix).lastUse = use - 1
        length = Math.max(shared, answered)
      }
      for (; length > 0 && (sums[length] as number) >= minPrefix; length -= 1)
        if (isLive((path[length] as Prefix).lastUse)) return length
      return 0
    },
    renew({ use }, best) {
      if (best > 0) (path[best] as Prefix).lastUse = use
    },
    keep({ use, shared }) {
      const whole = path.length - 1
      for (const length of [shared, whole]) if (length > 0) (path[length] as Prefix).lastUse = use
      return whole
    },
  }
}

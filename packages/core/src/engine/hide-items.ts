import { type Edit, replaceEdit } from '../edit.ts'
import { type Facts, reasonsOf, stringsOf } from '../facts.ts'
import { type Message, withoutMedia, withShownText } from '../message.ts'
import { hideItemName, type Policy } from '../policy.ts'
import { toolResults } from '../results/tool-results.ts'

/** Replaces the results that the user has hidden with one line. The line has no handle: a model is not asked to recall what a user took away. */
export const hideItems: Policy = {
  name: hideItemName,
  plan(messages: readonly Message[], facts: Facts): readonly Edit[] {
    const hidden = new Set(facts.hides)
    const { hiddenByUser } = stringsOf(facts)
    const why = reasonsOf(facts).hidden
    return toolResults(messages, facts).flatMap(({ message, part, partIndex }) => {
      const shown = hidden.has(message.id) ? withShownText(withoutMedia(part), hiddenByUser) : part
      return shown === part ? [] : [replaceEdit(hideItemName, message.id, partIndex, shown, why)]
    })
  },
}

/** The policies of a request, after what the user has hidden: they then decide about what is left. */
export function withHidden(policies: readonly Policy[], { hides }: Pick<Facts, 'hides'>): readonly Policy[] {
  return hides === undefined || hides.length === 0 ? policies : [hideItems, ...policies]
}

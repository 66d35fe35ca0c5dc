// What economy keeps if it may send no more tokens than another project does of the same output.
import { createEconomyPolicies } from '../packages/core/dist/index.js'

/** The longest form of an output, cut as `economy` cuts, with at most `budget` tokens; the shortest there is if none has so few. */
export function withinTokens(one, budget, tokens, reduceWith) {
  let [shown, count] = cutTo(one, defaultCharacters, tokens, reduceWith)
  // At its usual room it may have fewer, and all it has to say.
  if (count <= budget) return shown
  let [low, high] = [smallest, Math.min(one.text.length, defaultCharacters)]
  let best = null
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    ;[shown, count] = cutTo(one, middle, tokens, reduceWith)
    if (count <= budget) [low, best] = [middle, shown]
    else high = middle
  }
  return best ?? cutTo(one, smallest, tokens, reduceWith)[0]
}

/** With the mark of a cut and its handle. */
const smallest = 180
/** What `economy` leaves of the output of a command. */
const defaultCharacters = 4000

function rulesFor(characters) {
  const limits = {
    read: Infinity,
    search: characters,
    terminal: characters,
    edit: characters,
    recall: characters,
    other: characters,
  }
  return {
    cutOver: limits,
    cutTo: limits,
    cutPaths: Math.min(80, Math.floor(characters / 50)),
  }
}

function cutTo(one, characters, tokens, reduceWith) {
  const shown = reduceWith(createEconomyPolicies(rulesFor(characters)))(one)
  return [shown, tokens.count(shown)]
}

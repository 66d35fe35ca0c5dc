import { idsIn } from './need-ids.ts'
import { pathsInText } from './need-paths.ts'
import { symbolsIn } from './need-symbols.ts'

/** What an answer to a person states literally: what it quotes, the lines of its code, paths, names and ids, of twelve and more characters. */
export function factsIn(text: string): readonly string[] {
  const found = new Set<string>()
  const add = (fact: string) => {
    const bare = fact.trim()
    if (bare.length >= shortest && bare.length <= longest) found.add(bare)
  }
  let isCode = false
  for (const line of text.split('\n')) {
    if (/^\s{0,9}(?:```|~~~)/.test(line)) isCode = !isCode
    else if (isCode) add(line)
    else for (const match of line.matchAll(quotations)) add(match[1] ?? match[2] ?? match[3] ?? '')
  }
  for (const facts of [pathsInText(text), idsIn(text), symbolsIn(text)]) for (const fact of facts) add(fact)
  return [...found]
}

const shortest = 12
const longest = 300
const quotations = /`([^`\n]{1,300})`|"([^"\n]{1,300})"|“([^”\n]{1,300})”/g

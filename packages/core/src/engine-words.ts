import { configOf, type Facts } from './facts.ts'
import { engineChinese } from './people/engine-chinese.ts'
import { engineEnglish } from './people/engine-english.ts'
import type { EngineStrings, ReasonStrings } from './people/people-strings.ts'

/** What the engine says to people in a language: Chinese for `zh…`, else English. */
export function engineWords(locale: string | null): EngineStrings {
  return locale?.toLowerCase().startsWith('zh') === true ? engineChinese : engineEnglish
}

/** Why edits are proposed, in the language of the configuration. */
export function reasonsOf(facts: Facts): ReasonStrings {
  return engineWords(configOf(facts).locale).reasons
}

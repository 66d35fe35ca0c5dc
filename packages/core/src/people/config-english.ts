import type { ConfigStrings } from './config-strings.ts'

/** What `plimsoll config` says, in English. */
export const configEnglish: ConfigStrings = {
  help: {
    config: 'show the settings in force here, as YAML, and where each of them comes from',
    key: 'one setting or one section, such as compaction.threshold (default: all)',
    showOrigin: 'say for each setting where it comes from: default, file and line, variable, or option',
    root: 'the folder whose plimsoll.yaml counts (default: here)',
    json: 'print { "config", "origins", "warnings" } as JSON and nothing else',
  },
  unknownKey: (key, near) =>
    `there is no setting ${key}. ${near === null ? 'plimsoll config shows all there are.' : `Did you mean ${near}?`}`,
  secret: '(hidden)',
}

/** Sentences of `plimsoll config`. */
export const config = {
  help: {
    config: 'show the settings in force here, as YAML, and where each of them comes from',
    key: 'one setting or one section, such as compaction.threshold (default: all)',
    showOrigin: 'say for each setting where it comes from: default, file and line, variable, or option',
    root: 'the folder whose plimsoll.yaml counts (default: here)',
    json: 'print { "config", "origins", "warnings" } as JSON and nothing else',
  },
  unknownKey: (key: string, near: string | null) =>
    `there is no setting ${key}. ${near === null ? 'plimsoll config shows all there are.' : `Did you mean ${near}?`}`,
  secret: '(hidden)',
}

/** Sentences of `plimsoll statusline`, as short as possible. Numbers arrive formatted. */
export const statusline = {
  help: {
    statusline: 'one line about the running session, for the status line of Claude Code or a prompt',
    json: 'print the same as JSON and nothing else',
  },
  measured: (used: string, usable: string, share: string) => `${used} of ${usable} measured (${share})`,
  estimated: (used: string, usable: string, share: string) => `${used} of ${usable} estimated (${share})`,
  usedOnly: (used: string) => `${used} tokens`,
  cacheHot: (left: string) => `cache hot, ${left} left`,
  cacheCold: 'cache cold',
  minutes: (minutes: number) => `${minutes} min`,
  seconds: (seconds: number) => `${seconds} s`,
  cost: (money: string) => money,
  trimmable: (tokens: string) => `${tokens} could be trimmed`,
}

/** Sentences of `plimsoll completion`. */
export const completion = {
  help: {
    completion: 'print a script that completes commands, options, sessions and agents in a shell',
    shell: (shells: string) => `the shell: ${shells}`,
  },
  badShell: (shells: string, came: string) => `expected one of ${shells}, got ${came}`,
}

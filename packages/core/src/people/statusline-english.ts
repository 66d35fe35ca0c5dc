import type { StatuslineStrings } from './statusline-strings.ts'

/** What `plimsoll statusline` says, in English. */
export const statuslineEnglish: StatuslineStrings = {
  help: {
    statusline: 'one line about the running session, for the status line of Claude Code or a prompt',
    json: 'print the same as JSON and nothing else',
  },
  measured: (used, usable, share) => `${used} of ${usable} measured (${share})`,
  estimated: (used, usable, share) => `${used} of ${usable} estimated (${share})`,
  usedOnly: (used) => `${used} tokens`,
  cacheHot: (left) => `cache hot, ${left} left`,
  cacheCold: 'cache cold',
  minutes: (minutes) => `${minutes} min`,
  seconds: (seconds) => `${seconds} s`,
  cost: (money) => money,
  trimmable: (tokens) => `${tokens} could be trimmed`,
}

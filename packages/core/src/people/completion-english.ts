import type { CompletionStrings } from './completion-strings.ts'

/** What `plimsoll completion` says, in English. */
export const completionEnglish: CompletionStrings = {
  help: {
    completion: 'print a script that completes commands, options, sessions and agents in a shell',
    shell: (shells) => `the shell: ${shells}`,
  },
  badShell: (shells, came) => `expected one of ${shells}, got ${came}`,
}

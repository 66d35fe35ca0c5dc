import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Environment } from '../../model/key.ts'

/** The user's environment as commands get it: without colours, pagers and questions, and without the keys of models. */
export async function shellEnvironment(environment: Environment): Promise<Environment> {
  // The providers bring their libraries with them, which nobody should wait for before the first command.
  const { providers } = await import('../../model/providers.ts')
  // A model wrote the command, perhaps after reading a page that wants them: `env` must not show what pays for it.
  const hidden = new Set([...providers.flatMap(({ keys }) => keys), 'FORCE_COLOR'])
  const kept = Object.entries(environment).filter(([name]) => !hidden.has(name))
  return { ...Object.fromEntries(kept), PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', TERM: 'dumb', NO_COLOR: '1' }
}

/** The shell that runs commands: bash, or what there is. */
export async function findShell({ PATH = '' }: Environment): Promise<readonly [program: string, flag: string]> {
  for (const folder of [...PATH.split(delimiter), '/bin', '/usr/bin', '/usr/local/bin']) {
    const program = join(folder, 'bash')
    if (!folder.startsWith('/')) continue
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return [program, '-c']
  }
  return ['sh', '-c']
}

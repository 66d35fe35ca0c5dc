import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PartialConfig } from '@plimsoll/core'
import { task } from '../../../test/gateway/task.ts'
import { createUser, type User } from '../command.ts'

const program = fileURLToPath(new URL('../../../packages/node/src/tools/testing/mcp-program.ts', import.meta.url))

/** A user whose project has files to read and search and an image, with an MCP server. */
export function createAgentUser(home: string, settings: PartialConfig = {}, state?: string): User {
  const user = createUser(
    home,
    {
      ...settings,
      mcp_servers: { soak: { command: process.execPath, args: [program], allow: ['echo', 'die'] } },
    },
    state,
  )
  writeFileSync(
    join(user.project, 'notes.txt'),
    Array.from({ length: 400 }, (_, line) => `${line}: the tide turns at ${line} o'clock`).join('\n'),
  )
  writeFileSync(join(user.project, 'picture.png'), Buffer.from(task.image, 'base64'))
  writeFileSync(join(user.project, 'harbour.ts'), readFileSync(fileURLToPath(import.meta.url)))
  return user
}

import { chinese as shared } from '../shared/strings/chinese.ts'
import { agent, offlineModel } from './chinese/agent.ts'
import { chat } from './chinese/chat.ts'
import { command, trouble } from './chinese/command.ts'
import { gateway } from './chinese/gateway.ts'
import { inspect } from './chinese/inspect.ts'
import { overview } from './chinese/overview.ts'
import { repair } from './chinese/repair.ts'
import { replay } from './chinese/replay.ts'
import { requestCommands } from './chinese/requests.ts'
import { server } from './chinese/server.ts'
import { session, sessionCommands } from './chinese/sessions.ts'
import { completion, config, statusline } from './chinese/setup.ts'
import { view } from './chinese/view.ts'
import type { english } from './english.ts'

/** What commands, chat, gateway, server and replay say, in Chinese. */
export const chinese: typeof english = {
  ...shared,
  /** The language itself, as it is asked for. */
  language: 'zh',
  agent,
  chat,
  command,
  completion,
  config,
  gateway,
  inspect,
  offlineModel,
  overview,
  repair,
  replay,
  requestCommands,
  server,
  session,
  sessionCommands,
  statusline,
  trouble,
  view,
}

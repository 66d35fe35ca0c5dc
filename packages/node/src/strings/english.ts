import { english as shared } from '../shared/strings/english.ts'
import { agent, offlineModel } from './english/agent.ts'
import { chat } from './english/chat.ts'
import { command, trouble } from './english/command.ts'
import { gateway } from './english/gateway.ts'
import { inspect } from './english/inspect.ts'
import { overview } from './english/overview.ts'
import { repair } from './english/repair.ts'
import { replay } from './english/replay.ts'
import { requestCommands } from './english/requests.ts'
import { server } from './english/server.ts'
import { session, sessionCommands } from './english/sessions.ts'
import { completion, config, statusline } from './english/setup.ts'
import { view } from './english/view.ts'

/** What commands, chat, gateway, server and replay say, in English. */
export const english = {
  ...shared,
  /** The language itself, as it is asked for. */
  language: 'en',
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

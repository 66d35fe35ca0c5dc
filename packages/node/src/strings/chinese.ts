import { chinese as shared } from '../shared/strings/chinese.ts'
import * as agent from './chinese/agent.ts'
import * as chat from './chinese/chat.ts'
import * as command from './chinese/command.ts'
import * as gateway from './chinese/gateway.ts'
import * as inspect from './chinese/inspect.ts'
import * as overview from './chinese/overview.ts'
import * as repair from './chinese/repair.ts'
import * as replay from './chinese/replay.ts'
import * as requests from './chinese/requests.ts'
import * as server from './chinese/server.ts'
import * as sessions from './chinese/sessions.ts'
import * as setup from './chinese/setup.ts'
import * as view from './chinese/view.ts'
import type { english } from './english.ts'

/** All sentences of the node package in Chinese. */
export const chinese: typeof english = {
  ...shared,
  language: 'zh',
  ...agent,
  ...chat,
  ...command,
  ...gateway,
  ...inspect,
  ...overview,
  ...repair,
  ...replay,
  ...requests,
  ...server,
  ...sessions,
  ...setup,
  ...view,
}

import { english as shared } from '../shared/strings/english.ts'
import * as agent from './english/agent.ts'
import * as chat from './english/chat.ts'
import * as command from './english/command.ts'
import * as gateway from './english/gateway.ts'
import * as inspect from './english/inspect.ts'
import * as overview from './english/overview.ts'
import * as repair from './english/repair.ts'
import * as replay from './english/replay.ts'
import * as requests from './english/requests.ts'
import * as server from './english/server.ts'
import * as sessions from './english/sessions.ts'
import * as setup from './english/setup.ts'
import * as view from './english/view.ts'

/** All sentences of the node package in English, by topic: commands, chat, gateway, server and replay. */
export const english = {
  ...shared,
  language: 'en',
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

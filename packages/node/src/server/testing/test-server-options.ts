import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PartialConfig, specPolicies } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { onTestFinished } from 'vitest'
import { createAgent } from '../../agent/create-agent.ts'
import { createModelClient } from '../../model/create-client.ts'
import { createSession } from '../../session/create-session.ts'
import { removeSession } from '../../session/list-sessions.ts'
import { openSession } from '../../session/open-session.ts'
import type { OpenSession } from '../../session/session.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { bashTool } from '../../tools/command/bash-tool.ts'
import { changingTools, createRecallTool, lookingTools } from '../../tools/own-tools.ts'
import type { AgentStarter, ServerOptions } from '../server-options.ts'

/** The token of servers in tests. */
export const testToken = 'test-token-of-the-server'

/** Options that differ from test to test. */
export type TestServerOptions = Partial<Omit<ServerOptions, 'config'>> & { readonly config?: PartialConfig }

/** Options for a server with real agents, the offline model and its own folders, which are removed with the test. */
export function testServerOptions({ config: settings, ...given }: TestServerOptions = {}): ServerOptions {
  const config = completeConfig({ ...settings, agent: { mode: 'auto', ...settings?.agent } })
  const root = given.root ?? temporaryFolder('root')
  const sessions = given.sessions ?? temporaryFolder('sessions')
  const environment = given.environment ?? { PATH: process.env['PATH'], HOME: root }
  const options: Omit<ServerOptions, 'agents'> = {
    version: '1.2.3',
    sessions,
    root,
    strings: stringsFor(config.locale),
    policies: specPolicies,
    isWindowSet: settings?.context_window !== undefined,
    environment,
    platform: 'linux',
    now: Date.now,
    writing: {},
    models: ['offline'],
    isOfflineUnasked: false,
    notices: [],
    token: testToken,
    host: '127.0.0.1',
    port: 0,
    allowPublic: false,
    webFolder: join(root, 'no-web-app'),
    ...given,
    config,
  }
  return { ...options, agents: given.agents ?? offlineAgents(options) }
}

function offlineAgents({ sessions, root, config, environment, policies, isWindowSet, now }: Omit<ServerOptions, 'agents'>) {
  const defaultModel = createModelClient({ name: 'offline', environment, config })
  const opened = new Set<OpenSession>()
  async function leave(session: OpenSession): Promise<void> {
    opened.delete(session)
    const isEmpty = !session.heads().some(({ type }) => type === 'message')
    await session.close()
    if (isEmpty) await removeSession(sessions, session.id)
  }
  onTestFinished(async () => {
    for (const session of opened) await session.close()
  })
  const starter: AgentStarter = {
    model: (name) => Promise.resolve(createModelClient({ name, environment, config })),
    defaultModel,
    notices: [],
    leave,
    async start({ session: id, model = defaultModel, emit, ask }) {
      const session = id === null ? await createSession(sessions, { root, now }) : await openSession(sessions, id, { now })
      opened.add(session)
      const tools = [...lookingTools, ...changingTools, bashTool, createRecallTool(session, { config, root })]
      return createAgent({
        session,
        config,
        isWindowSet,
        policies,
        model,
        tools: () => Promise.resolve(tools),
        root,
        environment,
        platform: 'linux',
        emit,
        ask,
        priceOf: () => null,
        summarize: () => Promise.reject(new Error('summaries are not supported here')),
        now,
      })
    },
  }
  return starter
}

function temporaryFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `plimsoll-server-${name}-`)))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

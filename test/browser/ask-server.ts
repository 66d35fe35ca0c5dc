import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionCommands, SessionSnapshot } from '../../packages/node/src/shared/server-api.ts'
import { type Api, createApi } from '../../packages/web/src/server/api.ts'
import type { StartedApp } from './start-app.ts'

/** The server's API without a browser, through the page's own client. */
export function askServer(app: StartedApp): Api {
  return createApi(app.token, () => 'en', app.origin)
}

/** Sends a message without a browser and waits until the agent is done. */
export async function sayTo(api: Api, session: string, text: SessionCommands['turn']['text']): Promise<SessionSnapshot> {
  const { count } = await api.snapshot(session)
  await api.command(session, 'turn', { text })
  for (;;) {
    const now = await api.snapshot(session)
    if (now.count > count && !now.live.isBusy) return now
    await sleep(50)
  }
}

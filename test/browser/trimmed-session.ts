import type { Page } from 'playwright-core'
import type { Inspection } from '../../packages/node/src/shared/inspection/inspection.ts'
import { inspectRoute } from '../../packages/web/src/parts/routes.ts'
import type { Api } from '../../packages/web/src/server/api.ts'
import { createWorkplace, type Workplace } from '../workplace.ts'
import { askServer, sayTo } from './ask-server.ts'
import { type OpenApp, openApp, type StartedApp, startApp } from './start-app.ts'
import { configure } from './use-chat.ts'

/** The output of `node check.mjs` in a workplace with these files. */
export const printed = Array.from({ length: 60 }, (_, index) => `item ${index + 1} of 60 is in balance, nothing to do`).join('\n')

/** The task of the session: three reads of one file, two commands with long output, a listing. */
export const task = 'read src/ledger.mjs; run node check.mjs; read src/ledger.mjs; run node check.mjs; list; read src/ledger.mjs'

/** A session of the app in which rules have trimmed results. */
export interface TrimmedSession {
  readonly workplace: Workplace
  readonly app: StartedApp
  readonly api: Api
  readonly id: string
  readonly inspection: () => Promise<Inspection>
  /** Opens the inspector with one of its tabs in a new window. */
  readonly open: (tab?: Parameters<typeof inspectRoute>[1], options?: Parameters<typeof openApp>[1]) => Promise<OpenApp>
}

/** Creates such a session with the offline model. */
export async function trimmedSession(): Promise<TrimmedSession> {
  const workplace = createWorkplace(files)
  configure(workplace, `agent:\n  mode: auto\n${settings}`)
  const app = await startApp(workplace, '--model', 'offline')
  const api = askServer(app)
  const { id } = await api.newSession()
  await sayTo(api, id, task)
  return {
    workplace,
    app,
    api,
    id,
    inspection: () => api.json(`/inspect/${id}/inspection`),
    async open(tab, options = {}) {
      const opened = await openApp(app, options, inspectRoute(id, tab))
      await opened.page.getByRole('tabpanel').waitFor()
      return opened
    },
  }
}

/** Opens another tab of the open inspector. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click()
  await page.getByRole('tabpanel', { name, exact: true }).waitFor()
}

/** Any word or number, in a sentence that `matching` turns into a pattern. */
export const some = '\u0001'

export function matching(sentence: string): RegExp {
  return new RegExp(sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(some, '\\S+'))
}

/** Every rule takes effect as soon as it can. */
export const settings = `timing: immediate
repeated_reads:
  keep_latest: 1
outdated_commands:
  after_minutes: 0
  keep_recent: 2
`

const steps = Array.from({ length: 120 }, (_, index) => `export const step${index + 1} = (value) => value + ${index + 1}`)

/** The files that the task uses. */
export const files = {
  'src/ledger.mjs': `${steps.join('\n')}\n`,
  'notes.md': 'The water is low.\n',
  'check.mjs': `console.log(${JSON.stringify(printed)})\n`,
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { claudeLines, linesOf } from '../../packages/node/src/logs/testing/recordings.ts'
import { chatRoute, inspectorTabs, inspectRoute } from '../../packages/web/src/parts/routes.ts'
import type { Strings } from '../../packages/web/src/strings/strings-for.ts'
import { createWorkplace } from '../workplace.ts'
import { askServer, sayTo } from './ask-server.ts'
import { startImageService } from './image-service.ts'
import { refusal, startModel } from './scripted-model.ts'
import { type StartedApp, startApp } from './start-app.ts'
import { files, settings, task } from './trimmed-session.ts'
import { configure, newChat, say } from './use-chat.ts'

/** A screen of the app. */
export interface Screen {
  readonly name: string
  /** Shows it on a page, in the language of the strings. */
  readonly show: (page: Page, strings: Strings) => Promise<void>
}

/** The app with something to show on each of its screens. */
export interface EveryScreen {
  readonly app: StartedApp
  readonly screens: readonly Screen[]
}

/** Starts the app with sessions of every kind: one with tools, edits and an image, one that asks for permission, one that is too long. */
export async function everyScreen(): Promise<EveryScreen> {
  const pictures = await startImageService(320, 200)
  pictures.finish()
  const model = await startModel([refusal(9500, 8192)])
  const workplace = createWorkplace(files)
  const images = `images:\n  model: flux-schnell\n  url: ${pictures.url}\n  expand_model: offline\n`
  configure(workplace, `${settings}${images}overflow:\n  auto_recover: false\n`)
  const logs = join(workplace.environment['HOME'] ?? '', '.claude', 'projects', 'shop')
  mkdirSync(logs, { recursive: true })
  writeFileSync(join(logs, 'shop-1.jsonl'), linesOf(claudeLines))

  const app = await startApp(workplace, ...model.options)
  const api = askServer(app)
  const begin = async (chosen: string) => (await api.json<{ readonly id: string }>('/sessions', posted({ model: chosen }))).id
  const [worked, asking, running] = [await begin('offline'), await begin('offline'), await begin('offline')]
  await api.command(worked, 'mode', { mode: 'auto' })
  await sayTo(api, worked, task)
  await sayTo(api, worked, 'draw a lighthouse; edit notes.md: "low" -> "high"; run exit 3')
  await api.command(asking, 'turn', { text: 'run node check.mjs' })
  await api.command(running, 'mode', { mode: 'auto' })
  const long = await begin('test-model')
  await api.command(long, 'turn', { text: 'Build the harbour' })
  return { app, screens: screensOf({ worked, asking, running, long }) }
}

function posted(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

type Sessions = Readonly<Record<'worked' | 'asking' | 'running' | 'long', string>>

function screensOf({ worked, asking, running, long }: Sessions): readonly Screen[] {
  const inspector = (tab: (typeof inspectorTabs)[number], then: Screen['show'] = async () => {}): Screen => ({
    name: `inspector, ${tab}`,
    async show(page, strings) {
      await go(page, inspectRoute(worked, tab))
      await page.getByRole('tabpanel', { name: strings.inspector.tabs[tab], exact: true }).waitFor()
      await then(page, strings)
    },
  })
  return [
    {
      name: 'home',
      async show(page, strings) {
        await go(page, '/')
        await page.getByRole('heading', { name: strings.shell.welcome }).waitFor()
        await page.locator('.load-line').waitFor()
      },
    },
    {
      name: 'empty chat',
      async show(page, strings) {
        // A session without messages is removed once nobody looks at it.
        await go(page, '/')
        await openSide(page, strings.shell.menu)
        await newChat(page)
        await page.getByText(strings.conversation.empty).waitFor()
      },
    },
    {
      name: 'chat with cards and an image',
      async show(page) {
        await go(page, chatRoute(worked))
        await page.locator('main img').first().waitFor()
        const card = page.locator('.tool-card-done').last()
        await card.locator('summary').first().click()
        await card.locator('pre').first().waitFor()
      },
    },
    {
      name: 'menu of commands',
      async show(page, strings) {
        await go(page, chatRoute(worked))
        await page.getByRole('button', { name: strings.composer.menu }).click()
        await page.getByRole('menu').waitFor()
      },
    },
    {
      name: 'list of commands, with one of them marked',
      async show(page) {
        await go(page, chatRoute(worked))
        await page.locator('main textarea').fill('/')
        await page.keyboard.press('ArrowDown')
        await page.locator('.composer-command[aria-selected="true"]').nth(0).waitFor()
      },
    },
    ...(
      [
        ['compact', ({ dialogs }) => dialogs.compact.title],
        ['rewind', ({ dialogs }) => dialogs.goBack.title],
        ['undo-files', ({ dialogs }) => dialogs.undoFiles.title],
      ] as const satisfies readonly (readonly [string, (strings: Strings) => string])[]
    ).map(
      ([command, title]): Screen => ({
        name: `dialog: ${command}`,
        async show(page, strings) {
          await go(page, chatRoute(worked))
          await page.locator('main textarea').fill(`/${command}`)
          await page.keyboard.press('Enter')
          const dialog = page.getByRole('dialog', { name: title(strings) })
          await dialog
            .locator(command === 'undo-files' ? '.preview' : command === 'rewind' ? 'li' : 'input')
            .first()
            .waitFor()
        },
      }),
    ),
    {
      name: 'dialog: keys',
      async show(page, strings) {
        await go(page, '/logs')
        await page.locator('main').press('?')
        await page.getByRole('dialog', { name: strings.shell.keys.title }).waitFor()
      },
    },
    {
      name: 'chat whose agent is running, with a message that is typed meanwhile',
      async show(page, strings) {
        await go(page, chatRoute(running))
        // Esc, by which the next screen begins, ends it.
        await say(page, 'run `echo at sea; while [ -e notes.md ]; do sleep 0.2; done`')
        await page.locator('.tool-card-output').waitFor()
        await page.locator('main textarea').fill('And then?')
        await page.getByRole('button', { name: strings.composer.steer, exact: true }).waitFor()
      },
    },
    {
      name: 'permission dialog',
      async show(page) {
        await go(page, chatRoute(asking))
        const dialog = page.getByRole('alertdialog')
        await dialog.waitFor()
        await dialog.locator('button:enabled').first().waitFor()
      },
    },
    {
      name: 'conversation that is too long',
      async show(page, strings) {
        await go(page, chatRoute(long))
        await page.getByRole('alertdialog', { name: strings.dialogs.overflow.title }).waitFor()
      },
    },
    {
      name: 'menu of a session',
      async show(page, strings) {
        await go(page, '/')
        await openSide(page, strings.shell.menu)
        await page.locator('.session-row-menu').first().click()
        await page.getByRole('menu').waitFor()
      },
    },
    ...(['export', 'remove'] as const).map(
      (what): Screen => ({
        name: `dialog: ${what}`,
        async show(page, strings) {
          await go(page, '/')
          await openSide(page, strings.shell.menu)
          await page.locator('.session-row-menu').first().click()
          await page.getByRole('menuitem', { name: strings.sessions[what] }).click()
          await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor()
        },
      }),
    ),
    {
      name: 'logs',
      async show(page) {
        await go(page, '/logs')
        await page.getByText('The basket shows the wrong total.').waitFor()
      },
    },
    inspector('overview'),
    inspector('timeline'),
    inspector('timeline', async (page, strings) => {
      await page.getByRole('button', { name: strings.timeline.table, exact: true }).click()
      await page.getByRole('table').first().waitFor()
    }),
    inspector('ledger', async (page) => {
      await page.locator('.ledger-list .ledger-rule').first().click()
      await page.locator('.ledger-detail table').waitFor()
    }),
    inspector('messages', async (page) => {
      await page.getByRole('listbox').getByRole('option').nth(2).click()
      await page.locator('.message-detail article, .message-detail pre').first().waitFor()
    }),
    inspector('messages', async (page, strings) => {
      await page.locator('.message-row', { hasText: strings.fill.categories.results }).first().click()
      await page.getByRole('button', { name: strings.messageDetail.hide, exact: true }).click()
      await page.getByRole('button', { name: strings.messageDetail.hideNow, exact: true }).waitFor()
    }),
    {
      name: 'inspector, as if another policy set had been active',
      async show(page) {
        await go(page, inspectRoute(worked, 'overview', null, 'economy'))
        await page.locator('.two-sides').waitFor()
      },
    },
    inspector('diff', async (page) => {
      await page.locator('.diff-summary').waitFor()
    }),
    inspector('what-if', async (page) => {
      await page.locator('.what-if-table').first().waitFor()
    }),
    {
      name: 'inspector of a missing session',
      async show(page) {
        await go(page, inspectRoute('20200101-000000-aaaaaa'))
        await page.getByRole('alert').waitFor()
      },
    },
  ]
}

/** Closes any dialog and goes to an address of the app. */
async function go(page: Page, route: string): Promise<void> {
  await page.keyboard.press('Escape')
  await page.evaluate("location.hash = '/logs'")
  await page.locator('.logs-screen').waitFor()
  await page.evaluate(`location.hash = ${JSON.stringify(route)}`)
}

/** On a narrow page a button opens the sessions. */
async function openSide(page: Page, menu: string): Promise<void> {
  const button = page.getByRole('button', { name: menu, exact: true })
  if (await button.isVisible()) await button.click()
}

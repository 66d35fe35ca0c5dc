import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createPlanner } from '../../gateway/planner/create-planner.ts'
import { accepted, plainSettings, planned, relayed } from '../../gateway/testing/planning.ts'
import { startClient } from '../../server/testing/session-client.ts'
import type { Inspection } from '../../shared/inspection/inspection.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { moneyText } from '../terminal/text.ts'
import { runCaptured } from '../testing/run-captured.ts'

it('lists the results of a conversation, hides one after printing its price, and shows it again, as the inspector does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-hide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'gateway.sqlite')
  const environment = { LANG: 'en_GB.UTF-8', HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder }
  const run = async (...words: string[]) => {
    const { stdout, stderr } = await runCaptured(['gateway', ...words, '--store', path], { environment })
    return (stdout + stderr).trimEnd()
  }
  // The command runs a minute later.
  let now = Date.parse('2026-01-31T09:59:00Z')
  const store = await openSqliteStore({ path, now: () => now })
  const planner = createPlanner({ store, settings: plainSettings, now: () => now })
  const step = (id: string) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_01${id}9f8e7d6c`, name: 'Bash', input: { command: id } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_01${id}9f8e7d6c`, content: `secret ${id} `.repeat(20) }],
    },
  ]
  const send = async () => {
    now += 5000
    const body = { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Go on.' }, ...step('a'), ...step('b')] }
    const request = relayed('anthropic', body, 'safe', { at: now })
    const sent = (await planned(planner, request)).toString()
    planner.answered(accepted(request))
    await planner.rest()
    return sent
  }
  const { gateway, sessionCommands } = stringsFor('en')
  expect(await run('hide', '3')).toContain(gateway.hide.noConversation)
  expect(await send()).toContain('secret a')
  const rows = (await run('hide')).split('\n')
  expect(rows).toEqual([expect.stringMatching(/^3 {2}Bash {2}\d+ tokens$/), expect.stringMatching(/^5 {2}Bash {2}\d+ tokens$/)])
  expect(await run('hide', '2')).toContain(gateway.hide.noResult('2'))
  const tokens = rows.map((row) => Number(/(\d+) tokens/.exec(row)?.[1]))
  const [price, said] = (await run('hide', '3')).split('\n')
  expect(price).toMatch(
    new RegExp(`^Removes ${tokens[0]} tokens .* \\d+ tokens after it are written to the cache again \\(\\$0\\.\\d+\\)\\.$`),
  )
  expect(said).toBe(gateway.hide.hidden('3'))
  expect(await run('hide', '3')).toBe(sessionCommands.alreadyHidden('3'))
  expect((await run('hide')).split('\n')[0]).toMatch(/hidden$/)
  expect(await send()).not.toContain('secret a')
  expect(await run('unhide', '3')).toBe(sessionCommands.unhidden('3'))
  expect(await run('unhide', '3')).toBe(sessionCommands.notHidden('3'))
  expect(await send()).toContain('secret a')

  // The inspector does the same.
  const client = await startClient({ gatewayStore: path, now: () => now + 55_000 })
  const [{ id } = { id: '' }] = (await client.get('/logs')).body as readonly { readonly id: string }[]
  const inspected = async () => (await client.get(`/inspect/${id}/inspection`)).body as Inspection
  const { messages, session } = await inspected()
  expect([session.hides, session.hiding, session.isOwn]).toEqual([undefined, { isObserved: false }, false])
  const message = messages.ids[2] ?? ''
  const cost = await client.command(id, 'hiding-cost', { message })
  expect(sessionCommands.hidingCost(`${cost.saved}`, `${cost.rewritten}`, moneyText(cost.dollars ?? 0))).toBe(price)
  await client.command(id, 'edits', { hide: [message] })
  expect((await inspected()).session.hides).toEqual([message])
  expect(await send()).not.toContain('secret a')
  await client.command(id, 'edits', { unhide: [message] })
  expect((await inspected()).session.hides).toBeUndefined()
  expect(await send()).toContain('secret a')
  for (const wish of [{ hide: [messages.ids[0]] }, { hide: ['nothing'] }, { pin: [message] }])
    expect([(await client.post(`/sessions/${id}/edits`, wish)).status, (await inspected()).session.hides]).toEqual([
      'pin' in wish ? 400 : 404,
      undefined,
    ])
  await planner.close()
  await store.close()
})

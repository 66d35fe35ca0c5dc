import { readFileSync } from 'node:fs'
import { defaultConfig } from '@plimsoll/core/policies'
import { stringsFor } from '../../strings/strings-for.ts'
import { type CommandIo, environmentLocale } from '../command-io.ts'
import { latestLog } from '../setup/latest-log.ts'
import { openHookStore } from './hook-store.ts'
import { sessionReport } from './session-report.ts'

// The other program of the Claude Code plugin: `recall` serves recall to the model, `report` prints what `/plimsoll` shows.

const io = { environment: process.env, folder: process.cwd(), now: Date.now } satisfies Partial<CommandIo>
if (process.argv[2] === 'recall') await serveRecall()
else await report()

async function serveRecall(): Promise<void> {
  const [{ serveStdio }, { createRecallServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../../mcp/recall-server.ts'),
  ])
  const opened = await openHookStore(io)
  if (opened === null) throw new Error('gateway.store is a database: add `plimsoll mcp` to the agent instead')
  const { store } = opened
  const since = io.now()
  const server = serveStdio(() =>
    createRecallServer({ version: version(), store, tenants: store.tenants, config: defaultConfig, since }),
  )
  await new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  await server.close()
  await store.close()
}

async function report(): Promise<void> {
  const strings = stringsFor(environmentLocale(process.env))
  const log = process.argv[3] ?? (await latestLog(io))
  const opened = await openHookStore(io).catch(() => null)
  const lines = log === null ? [strings.gateway.hook.report.empty] : await sessionReport(log, opened?.store ?? null, strings)
  process.stdout.write(`${lines.join('\n')}\n`)
  await opened?.store.close()
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../.claude-plugin/plugin.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}

import type { Target } from './target.ts'

/** Every target by name, loaded on use, because its imports must be instrumented. */
export const targets: ReadonlyMap<string, () => Promise<Target>> = new Map<string, () => Promise<Target>>([
  ['codecs', async () => (await import('./targets/codecs.ts')).codecsTarget],
  ['requests', async () => (await import('./targets/requests.ts')).requestsTarget],
  ['gateway-body', async () => (await import('./targets/gateway-body.ts')).gatewayBodyTarget],
  ['answer-usage', async () => (await import('./targets/answer-usage.ts')).answerUsageTarget],
  ['sse', async () => (await import('./targets/sse.ts')).sseTarget],
  ['log-readers', async () => (await import('./targets/log-readers.ts')).logReadersTarget],
  ['session-log', async () => (await import('./targets/session-log.ts')).sessionLogTarget],
  ['damaged-log', async () => (await import('./targets/damaged-log.ts')).damagedLogTarget],
  ['config', async () => (await import('./targets/config.ts')).configTarget],
  ['truncation', async () => (await import('./targets/truncation.ts')).truncationTarget],
  ['base64', async () => (await import('./targets/base64.ts')).base64Target],
  ['tokens', async () => (await import('./targets/tokens.ts')).tokensTarget],
  ['paths', async () => (await import('./targets/paths.ts')).pathsTarget],
  ['recall', async () => (await import('./targets/recall.ts')).recallTarget],
  ['offline-commands', async () => (await import('./targets/offline-commands.ts')).offlineCommandsTarget],
  ['terminal', async () => (await import('./targets/terminal.ts')).terminalTarget],
  ['texts', async () => (await import('./targets/texts.ts')).textsTarget],
  ['views', async () => (await import('./targets/views.ts')).viewsTarget],
  ['hook', async () => (await import('./targets/hook.ts')).hookTarget],
  ['compaction-items', async () => (await import('./targets/compaction-items.ts')).compactionItemsTarget],
  ['inspector-page', async () => (await import('./targets/inspector-page.ts')).inspectorPageTarget],
  ['planted', async () => (await import('./testing/planted.ts')).plantedTarget],
])

/** The targets that run by default: all except the one with a deliberate bug. */
export const targetNames: readonly string[] = [...targets.keys()].filter((name) => name !== 'planted')

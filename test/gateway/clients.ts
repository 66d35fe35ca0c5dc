import { aiSdkClients } from './ai-sdk-clients.ts'
import { anthropicClient } from './anthropic-client.ts'
import type { Client } from './client.ts'
import { googleClient } from './google-client.ts'
import { openaiClients } from './openai-clients.ts'

const clients: readonly Client[] = [...openaiClients, anthropicClient, googleClient, ...aiSdkClients]

/** Every official library the gateway is tested with, streamed and not. */
export const clientWays = clients.flatMap((client) =>
  [false, true].map((isStreamed) => ({ client, isStreamed, way: `${client.name}${isStreamed ? ', streamed' : ''}` })),
)

/** A new credential for each run, so that no run reuses the decisions of another. */
export function keyFor(run: string): string {
  return `sk-${run.replaceAll(/[^a-z0-9]+/g, '-')}`
}

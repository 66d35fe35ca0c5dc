import { aiSdkClients } from './ai-sdk-clients.ts'
import { anthropicClient } from './anthropic-client.ts'
import type { Client } from './client.ts'
import { googleClient } from './google-client.ts'
import { openaiClients } from './openai-clients.ts'

const clients: readonly Client[] = [...openaiClients, anthropicClient, googleClient, ...aiSdkClients]

/** Every official library that the gateway is tried with, with answers that come at once and with answers that are streamed. */
export const clientWays = clients.flatMap((client) =>
  [false, true].map((isStreamed) => ({ client, isStreamed, way: `${client.name}${isStreamed ? ', streamed' : ''}` })),
)

/** A credential of its own for each run: nobody meets what another was decided about. */
export function keyFor(run: string): string {
  return `sk-${run.replaceAll(/[^a-z0-9]+/g, '-')}`
}

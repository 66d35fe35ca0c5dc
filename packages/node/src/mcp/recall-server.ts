import { fromJsonSchema, type JsonSchemaValidator, type jsonSchemaValidator, McpServer } from '@modelcontextprotocol/server'
import { recallTool } from '@plimsoll/core'
import { StoreError } from '../store/gateway-store.ts'
import { answerStoredRecall, type StoredRecallOptions } from './stored-recall.ts'

/** What a server of recall is made of. */
export interface RecallServerOptions extends StoredRecallOptions {
  readonly version: string
}

/** A server of the Model Context Protocol with one tool that only reads: it gives back what a gateway hid. */
export function createRecallServer({ version, ...options }: RecallServerOptions): McpServer {
  const server = new McpServer({ name: 'plimsoll', version }, { capabilities: { tools: {} } })
  const { name, description, inputSchema } = recallTool
  server.registerTool(
    name,
    {
      title: 'Recall what was hidden',
      description,
      inputSchema: fromJsonSchema<Readonly<Record<string, unknown>>>(inputSchema, lenient),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    async (input) => {
      const text = await answerStoredRecall(input, options).catch((error: unknown) => {
        if (!(error instanceof StoreError)) throw error
        return 'What the gateway kept cannot be read at the moment. Go on without it.'
      })
      return { content: [{ type: 'text', text }] }
    },
  )
  return server
}

/** Lets every object through: what the tool itself says about a wrong one is of more use to a model than a validator's words. */
const lenient: jsonSchemaValidator = {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    return (input) => ({ valid: true, data: input as Value, errorMessage: undefined })
  },
}

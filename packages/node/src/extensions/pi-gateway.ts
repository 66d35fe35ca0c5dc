import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { recallTool } from '@plimsoll/core'

// The parts of pi's API that are needed here.
interface Pi {
  registerProvider(name: string, provider: { readonly baseUrl: string }): void
  registerTool(tool: object): void
}

/**
 * An extension for pi, which reads no variable for addresses: sends the requests of three providers through the gateway at `PLIMSOLL_GATEWAY_URL`. With
 * `PLIMSOLL_RECALL`, the command of a tool server as a list in JSON, pi's model has the tool `recall`: not every version of pi has tool servers.
 */
// oxlint-disable-next-line import/no-default-export -- pi loads the default export
export default function throughGateway(pi: Pi): void {
  const address = process.env['PLIMSOLL_GATEWAY_URL'] ?? ''
  if (address === '') return
  for (const [name, path] of Object.entries(paths)) pi.registerProvider(name, { baseUrl: `${address}${path}` })
  const server = openServer(process.env['PLIMSOLL_RECALL'] ?? '')
  if (server === null) return
  const { name, description, inputSchema } = recallTool
  pi.registerTool({
    name,
    label: 'Recall',
    description,
    parameters: inputSchema,
    execute: async (_id: string, input: unknown) => ({ content: [{ type: 'text', text: await server(input) }], details: {} }),
  })
}

/** What each of pi's clients expects in an address. */
const paths = { anthropic: '', openai: '/v1', google: '/v1beta' }

type Answer = Readonly<Record<string, unknown>>

/** Starts a tool server that lasts as long as pi, and returns the function that calls its tool. Null without a command. */
function openServer(command: string): ((input: unknown) => Promise<string>) | null {
  const [program, ...args] = wordsIn(command)
  if (program === undefined) return null
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (answer: Answer) => void>()
  const fail = () => {
    for (const settle of waiting.values()) settle({})
    waiting.clear()
  }
  child.on('error', fail).on('exit', fail)
  child.stdin.on('error', fail)
  createInterface(child.stdout).on('line', (line) => {
    const answer = recordIn(line)
    const id = Number(answer['id'])
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  // It ends with pi, and pi does not wait for it.
  unref(child)
  let last = 0
  const ask = (method: string, params: object): Promise<Answer> => {
    if (child.exitCode !== null || child.pid === undefined) return Promise.resolve({})
    last += 1
    const id = last
    return new Promise((resolve) => {
      // Nothing else keeps pi running until the answer is there.
      const timer = setTimeout(() => waiting.get(id)?.({}), maxWaitMs)
      waiting.set(id, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  }
  const clientInfo = { name: 'pi-gateway', version: '1' }
  const ready = ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }).then(() => {
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  })
  return async (input) => {
    await ready
    const { result } = await ask('tools/call', { name: recallTool.name, arguments: input })
    return textIn(result)
  }
}

const maxWaitMs = 30_000

function unref(child: ChildProcessByStdio<Writable, Readable, null>): void {
  child.unref()
  for (const pipe of [child.stdin, child.stdout]) (pipe as Partial<NodeJS.Timeout>).unref?.()
}

function wordsIn(command: string): readonly string[] {
  try {
    const words: unknown = JSON.parse(command)
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : []
  } catch {
    return []
  }
}

function recordIn(line: string): Answer {
  try {
    return (JSON.parse(line) ?? {}) as Answer
  } catch {
    return {}
  }
}

function textIn(result: unknown): string {
  const { content } = (result ?? {}) as { readonly content?: unknown }
  const texts = Array.isArray(content) ? content.map((block: Answer) => block['text']) : []
  return texts.length > 0 ? texts.join('\n') : 'What the gateway kept cannot be read at the moment. Go on without it.'
}

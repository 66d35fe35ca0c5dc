import { spawn } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { McpServer } from '@plimsoll/core/policies'
import { thrownText } from '../../files/problem.ts'
import { checkAddress, type Environment } from '../../model/server-access.ts'
import { endWithAgent } from '../command/end-with-agent.ts'
import { endProcesses, type ProcessGroup, processGroup } from '../command/process-group.ts'
import { createLineSplitter } from '../read/read-lines.ts'

export interface McpProcess extends Transport {
  readonly errors: () => string
  readonly end: () => string | null
}

export interface McpProcessOptions {
  readonly root: string
  readonly wire: Pick<typeof import('@modelcontextprotocol/client'), 'deserializeMessage' | 'serializeMessage'>
  readonly onBytes: (bytes: number) => void
}

/** The most bytes of one message, and of all that comes between two messages of ours. */
const maxMessageBytes = 32 * 2 ** 20
const maxUnasked = 64 * 2 ** 20
const maxErrors = 4096
/** Milliseconds that a program has to end on its own when its input ends. */
const politeMilliseconds = 500

/** A program as a transport. It leads its own process group, which ends with it. Its stderr does not reach the terminal. */
export function createMcpProcess(
  access: McpAccess & { readonly kind: 'process' },
  { root, wire, onBytes }: McpProcessOptions,
): McpProcess {
  const splitter = createLineSplitter(maxMessageBytes)
  let child: ReturnType<typeof spawn> | null = null
  let group: ProcessGroup | null = null
  let release = () => {}
  let errors = Buffer.alloc(0)
  let unasked = 0
  let isFlooding = false
  let end: string | null = null
  let closing: Promise<void> | null = null

  function take(piece: Buffer): void {
    // It may continue while it is being ended.
    if (isFlooding) return
    unasked += piece.byteLength
    try {
      onBytes(piece.byteLength)
      if (unasked > maxUnasked) throw new Error(`it wrote more than ${maxUnasked} bytes without being asked`)
      for (const line of splitter.add(piece)) receive(line)
    } catch (error) {
      isFlooding = true
      end ??= thrownText(error)
      void close()
    }
  }

  function receive(line: string): void {
    try {
      transport.onmessage?.(wire.deserializeMessage(line))
    } catch (error) {
      // One line may be a stray print; the next can be a message again.
      transport.onerror?.(new Error(thrownText(error)))
    }
  }

  async function start(): Promise<void> {
    const started = spawn(access.command, [...access.args], {
      cwd: root,
      env: { ...access.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      // Leads a group, so that its children can be ended with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    child = started
    if (started.pid !== undefined) {
      group = processGroup(started.pid, [])
      release = endWithAgent(started.pid)
    }
    started.stdout?.on('data', take)
    started.stderr?.on('data', (piece: Buffer) => {
      errors = Buffer.from(Buffer.concat([errors, piece]).subarray(-maxErrors))
    })
    for (const stream of [started.stdin, started.stdout, started.stderr]) stream?.on('error', () => undefined)
    started.on('exit', (code, signal) => {
      end ??= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`
      // Its children may hold the pipes open forever.
      void close()
    })
    await new Promise<void>((resolve, reject) => {
      started.once('spawn', resolve)
      started.once('error', (error) => {
        end ??= 'it could not be started'
        reject(error)
      })
    })
  }

  function close(): Promise<void> {
    closing ??= ended()
    return closing
  }

  async function ended(): Promise<void> {
    end ??= 'it was closed'
    if (child !== null && group !== null) {
      child.stdin?.end()
      await gone(child)
      await endProcesses(group, { patience: 1000 })
      release()
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
    }
    transport.onclose?.()
  }

  const transport: McpProcess = {
    start,
    close,
    errors: () => errors.toString('utf8'),
    end: () => end,
    send(message: JSONRPCMessage) {
      unasked = 0
      return new Promise<void>((resolve, reject) => {
        const input = child?.stdin
        if (end !== null || !input?.writable) return reject(new Error(end ?? 'it does not run'))
        input.write(wire.serializeMessage(message), (error) => (error ? reject(error) : resolve()))
      })
    },
  }
  return transport
}

function gone(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, politeMilliseconds)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

type Texts = Readonly<Record<string, string>>

export type McpAccess = (
  | { readonly kind: 'process'; readonly command: string; readonly args: readonly string[]; readonly environment: Texts }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Texts }
) & {
  /** Values from the environment, which must not be in a log. */
  readonly secrets: readonly string[]
}

/** Replaces `${NAME}` from the environment, so that no key has to be in a file. Errors never hold values. */
export function mcpAccessOf(server: McpServer, environment: Environment): McpAccess {
  const { command, args = [], env = {}, url, headers = {} } = server
  if ((command === undefined) === (url === undefined)) throw new Error('expected either a command or an address')
  const names = [env, headers].flatMap((texts) => Object.values(texts)).flatMap((text) => [...text.matchAll(variable)])
  const values = new Set(names.map(([, name = '']) => environment[name]?.trim() ?? ''))
  // The longest first: one may hold another.
  const secrets = [...values].filter((secret) => secret.length >= minSecret).sort((one, other) => other.length - one.length)
  if (url !== undefined) return { kind: 'http', url: checkAddress(url, 'url'), headers: headersOf(headers, environment), secrets }
  if (command === undefined) throw new Error('expected a command')
  const texts = [command, ...args, ...Object.entries(env).flat()]
  if (texts.some((text) => text.includes('\0')))
    throw new Error('expected a command, arguments and variables without NUL characters')
  const inherited = inheritedNames.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]))
  const variables: Texts = { ...Object.fromEntries(inherited), ...expanded('env', env, environment) }
  return { kind: 'process', command, args, environment: variables, secrets }
}

export function withoutGivenSecrets(text: string, { secrets }: McpAccess): string {
  return secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '***'), text)
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g
/** A shorter one is a word that may occur anywhere. */
const minSecret = 8

/** Environment variables passed to MCP servers. Everything else, including API keys, is withheld. */
const inheritedNames = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'TMP', 'TEMP'],
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROGRAMDATA', 'PROGRAMFILES', 'SYSTEMDRIVE'],
  ...['SYSTEMROOT', 'USERNAME', 'USERPROFILE', 'WINDIR'],
]

function headersOf(headers: Texts, environment: Environment): Texts {
  const result = expanded('headers', headers, environment)
  for (const [name, value] of Object.entries(result)) {
    // Sending it would fail, and that error repeats it.
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value))
      throw new Error(`headers.${name}: expected a valid header value`)
  }
  return result
}

function expanded(section: string, values: Texts, environment: Environment): Texts {
  const expand = (key: string, value: string) =>
    value.replace(variable, (_whole, name: string) => {
      const found = environment[name]
      if (found === undefined) throw new Error(`${section}.${key}: the variable ${name} is not set`)
      return found
    })
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, expand(key, value)]))
}

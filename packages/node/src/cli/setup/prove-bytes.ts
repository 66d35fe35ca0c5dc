import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Config, type TrimMode, trimModes } from '@plimsoll/core/policies'
import { temporaryFolder } from '../../files/make-folder.ts'
import { type WireDialect, wireDialects } from '../../store/gateway-record.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import type { GatewayPlace } from '../gateway/gateway-place.ts'
import { type OpenGateway, openGateway } from '../gateway/open-gateway.ts'
import { grouped } from '../terminal/text.ts'
import { type DoctorCheck, well, wrong } from './check-machine.ts'

/**
 * Sends requests of every dialect in every mode through its own gateway to its own upstream, and compares the bytes sent and
 * received. Needs no key, and nothing leaves the machine.
 */
export async function proveBytes(config: Config, io: CommandIo, strings: Strings): Promise<readonly DoctorCheck[]> {
  const folder = await temporaryFolder('doctor')
  const upstream = await listenForProofs()
  const url = `http://127.0.0.1:${upstream.port}`
  const place: GatewayPlace = {
    host: '127.0.0.1',
    ports: [0],
    isPublic: false,
    token: null,
    mode: 'economy',
    upstreams: { anthropic: url, 'openai-chat': url, 'openai-responses': url, gemini: url },
    store: join(folder, 'store.sqlite'),
    keepText: false,
    keepsCacheAlive: false,
    log: 'silent',
  }
  let gateway: OpenGateway | null = null
  try {
    gateway = await openGateway({ place, config: patient(config), isWindowSet: false, io, strings })
    const checks: DoctorCheck[] = []
    for (const dialect of wireDialects)
      for (const mode of trimModes) checks.push(await prove(dialect, mode, gateway.address, upstream, strings))
    return checks
  } finally {
    await gateway?.close()
    upstream.server.closeAllConnections()
    await new Promise((resolve) => upstream.server.close(resolve))
    await rm(folder, { recursive: true, force: true })
  }
}

/** The proof must not depend on how busy the machine is, nor on the user's storage settings. */
function patient(config: Config): Config {
  const { gateway } = config
  const limits = { ...gateway.limits, plan_milliseconds: 60_000, max_read_mb: 32, max_body_mb: 64 }
  return { ...config, gateway: { ...gateway, limits, holdout: 0, recall: 'handle', telemetry: { otlp_endpoint: null } } }
}

type ProofUpstream = Awaited<ReturnType<typeof listenForProofs>>

async function listenForProofs() {
  let last: Buffer | null = null
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      last = Buffer.concat(pieces)
      response.writeHead(200, { 'content-type': 'application/json' }).end(proofAnswer(request.url ?? ''))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { server, port: (server.address() as AddressInfo).port, arrived: (): Buffer | null => last }
}

async function prove(dialect: WireDialect, mode: TrimMode, address: string, upstream: ProofUpstream, strings: Strings) {
  const { doctor } = strings.gateway
  const name = `bytes:${dialect}:${mode}`
  let outcome: DoctorCheck | null = null
  for (const request of [tinyRequest(dialect), longRequest(dialect, `doctor-${dialect}-${mode}`)]) {
    const problem = await send(request, mode, address)
    const arrived = upstream.arrived()
    if (problem !== null || arrived === null)
      return wrong(name, doctor.notArrived(dialect, mode, problem ?? '?'), doctor.reportDefect)
    const isSame = arrived.equals(request.body)
    if (!isSame && (mode === 'observe' || !isSameAround(arrived, request)))
      return wrong(name, doctor.changedElsewhere(dialect, mode), doctor.reportDefect)
    outcome = isSame
      ? well(name, doctor.unchanged(dialect, mode, grouped(arrived.byteLength)))
      : well(name, doctor.trimmed(dialect, mode, grouped(request.body.byteLength), grouped(arrived.byteLength)))
  }
  return outcome as DoctorCheck
}

/** Null if the gateway answered correctly, otherwise the problem. */
async function send({ path, headers, body }: ProofRequest, mode: TrimMode, address: string): Promise<string | null> {
  try {
    const answer = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { ...headers, 'x-plimsoll-trim': mode },
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(120_000),
    })
    const text = await answer.text()
    if (answer.status !== 200) return String(answer.status)
    return text === proofAnswer(path) ? null : 'answer'
  } catch (error) {
    return error instanceof Error ? error.name : 'error'
  }
}

/** Whether everything around the long result arrived as sent, and the result became shorter. */
export function isSameAround(arrived: Buffer, { body, around }: ProofRequest): boolean {
  if (around === null || arrived.byteLength >= body.byteLength) return false
  const { before, behind } = around
  if (arrived.byteLength < before + behind) return false
  const sent = Buffer.from(body)
  return (
    arrived.subarray(0, before).equals(sent.subarray(0, before)) &&
    arrived.subarray(arrived.byteLength - behind).equals(sent.subarray(sent.byteLength - behind))
  )
}

interface ProofRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Bytes before and after the text that may change; null if nothing may. */
  readonly around: { readonly before: number; readonly behind: number } | null
}

/** A tiny request that no library would write in this form, so that parsing and writing it again shows. */
export function tinyRequest(dialect: WireDialect): ProofRequest {
  return { ...wayTo(dialect), body: Buffer.from(proofs[dialect].tiny), around: null }
}

/** A request whose last message is a long tool result, never sent before. */
export function longRequest(dialect: WireDialect, id: string): ProofRequest {
  const [before, behind] = proofs[dialect].long(id)
  const parts = [Buffer.from(before), Buffer.from(longText), Buffer.from(behind)]
  const [first, , last] = parts
  return {
    ...wayTo(dialect),
    body: Buffer.concat(parts),
    around: { before: first?.byteLength ?? 0, behind: last?.byteLength ?? 0 },
  }
}

export function proofAnswer(path: string): string {
  if (path.includes('/messages')) return proofs.anthropic.answer
  if (path.includes('/chat/completions')) return proofs['openai-chat'].answer
  return path.includes('/responses') ? proofs['openai-responses'].answer : proofs.gemini.answer
}

/** Without anything that JSON has to escape. */
const longText = Array.from({ length: 2000 }, (_, line) => `line ${line} of a long answer`).join(' / ')

function wayTo(dialect: WireDialect): Pick<ProofRequest, 'path' | 'headers'> {
  const { path, headers } = proofs[dialect]
  return { path, headers: { 'content-type': 'application/json', ...headers } }
}

interface Proof {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly tiny: string
  readonly long: (id: string) => readonly [before: string, behind: string]
  readonly answer: string
}

const proofs: Readonly<Record<WireDialect, Proof>> = {
  anthropic: {
    path: '/v1/messages',
    headers: { 'x-api-key': 'doctor', 'anthropic-version': '2023-06-01' },
    tiny: '{ "max_tokens":1 ,\n\t"model":"doctor","messages":[{"content":"h\\u00e9 \\/ \u00e9","role":"user"}] }\n',
    long: (id) => [
      `{ "model":"doctor" ,"max_tokens":1,"messages":[{"role":"user","content":"${id}"},{"role":"assistant","content":[{"type":"tool_use","id":"${id}","name":"Bash","input":{"command":"seq 1"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"${id}","content":"`,
      '" } ]}] }\n',
    ],
    answer:
      '{"id":"msg_1","type":"message","role":"assistant","model":"doctor","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":1}}',
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer doctor' },
    tiny: '{ "messages":[{"content":"h\\u00e9 \\/ \u00e9","role":"user"}] ,\n\t"model":"doctor" }\n',
    long: (id) => [
      `{ "model":"doctor" ,"messages":[{"role":"user","content":"${id}"},{"role":"assistant","content":null,"tool_calls":[{"id":"${id}","type":"function","function":{"name":"Bash","arguments":"{\\"command\\":\\"seq 1\\"}"}}]},{"role":"tool","tool_call_id":"${id}","content":"`,
      '" } ] }\n',
    ],
    answer:
      '{"id":"c_1","object":"chat.completion","model":"doctor","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10}}',
  },
  'openai-responses': {
    path: '/v1/responses',
    headers: { authorization: 'Bearer doctor' },
    tiny: '{ "input":[{"content":"h\\u00e9 \\/ \u00e9","role":"user"}] ,\n\t"model":"doctor" }\n',
    long: (id) => [
      `{ "model":"doctor" ,"input":[{"role":"user","content":"${id}"},{"type":"function_call","call_id":"${id}","name":"Bash","arguments":"{\\"command\\":\\"seq 1\\"}"},{"type":"function_call_output","call_id":"${id}","output":"`,
      '" } ] }\n',
    ],
    answer:
      '{"id":"r_1","object":"response","status":"completed","model":"doctor","output":[],"usage":{"input_tokens":9,"output_tokens":1,"total_tokens":10}}',
  },
  gemini: {
    path: '/v1beta/models/doctor:generateContent',
    headers: { 'x-goog-api-key': 'doctor' },
    tiny: '{ "contents":[{"parts":[{"text":"h\\u00e9 \\/ \u00e9"}],"role":"user"}] }\n',
    long: (id) => [
      `{ "contents":[{"role":"user","parts":[{"text":"${id}"}]},{"role":"model","parts":[{"functionCall":{"id":"${id}","name":"Bash","args":{"command":"seq 1"}}}]},{"role":"user","parts":[{"functionResponse":{"id":"${id}","name":"Bash","response":{"output":"`,
      '" } }}]}] }\n',
    ],
    answer:
      '{"candidates":[{"content":{"role":"model","parts":[{"text":"ok"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1,"totalTokenCount":10}}',
  },
}

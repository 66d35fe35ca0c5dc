import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import type { Message, ToolResultPart } from '@plimsoll/core'
import { shortenResult } from '@plimsoll/core/hosts'
import type { Claim, GatewayStore } from '../../store/gateway-store.ts'
import type { QuickSettings } from '../setup/quick-settings.ts'
import { type HookCall, type HookedAgent, readHookCall } from './hook-agents.ts'
import { hookConversation, openHookStore, type StoreIo } from './hook-store.ts'

// Agents wait for this after every tool. It is built into one file, and loads the schema of the configuration only if that has changed.

export interface HookIo extends StoreIo {
  readonly stdin: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly platform: string
  readonly write: (text: string) => void
  /** Called before a text is worked on that takes long. Default: nothing. */
  readonly onLarge?: () => void
}

/**
 * Answers an agent's hook: reads the result of a tool, keeps the original in the gateway's store, and only then writes the shorter one. Writes nothing
 * if anything is unusual or fails: the agent then shows the result unchanged. Never throws.
 */
export async function runHook(agent: HookedAgent, io: HookIo): Promise<void> {
  let store: GatewayStore | null = null
  try {
    const call = readHookCall(agent, JSON.parse(await textOf(io.stdin)))
    const shown = call === null ? null : shortenCall(agent, call, io)
    if (call === null || shown === null) return
    const opened = await openHookStore(io)
    if (opened === null) return
    store = opened.store
    await store.claim(opened.tenant, claimsOf(agent, call, shown, io.now()))
    io.write(JSON.stringify(call.answer(shown.map(({ shorter, text }) => shorter?.text ?? text))))
    await expireSometimes(store, opened.settings, shown, io)
  } catch {
    // The agent shows what the tool returned.
  } finally {
    await store?.close().catch(() => undefined)
  }
}

const maxInput = 100_000_000
const maxStored = 64_000_000

/** Characters from which on it is worth optimising code. */
const largeFrom = 150_000

async function textOf(stdin: HookIo['stdin']): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stdin) {
    bytes += chunk.length
    if (bytes > maxInput) throw new RangeError('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

type Shown = { readonly text: string; readonly shorter: ReturnType<typeof shortenResult> }

/** Null if all of it stays. */
function shortenCall(agent: HookedAgent, call: HookCall, { platform, onLarge }: HookIo): readonly Shown[] | null {
  const { tool, input, folder, stored } = call
  const whole = stored === null ? null : readStored(stored)
  if (stored !== null && whole === null) return null
  const texts = whole === null ? call.texts : [whole]
  if (texts.some(({ length }) => length >= largeFrom)) onLarge?.()
  const options = { platform, strings: 'english', ...(folder === null ? {} : { root: folder }) } as const
  const shown = texts.map((text) => ({ text, shorter: shortenResult({ tool, input, text }, options) }))
  // Codex shows an error next to the result, which is only worth a cut.
  const isWorthIt = ({ shorter }: Shown) => shorter !== null && (agent !== 'codex' || shorter.policy === 'cut-long-output')
  return shown.some(isWorthIt) ? shown : null
}

/**
 * The text of a file that the agent wrote; null if it is too large. Throws if it cannot be read. Output can imitate the words that name the file, and a cloned
 * repository can hold a link to any file of the user, or a pipe that never ends.
 */
function readStored(path: string): string | null {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const found = fstatSync(file)
    return found.isFile() && found.size <= maxStored ? readFileSync(file, 'utf8') : null
  } finally {
    closeSync(file)
  }
}

function claimsOf(
  agent: HookedAgent,
  { session, tool, input, callId }: HookCall,
  all: readonly Shown[],
  at: number,
): readonly Claim[] {
  const conversation = hookConversation(agent, session)
  return all.flatMap(({ text, shorter }, index): readonly Claim[] => {
    if (shorter === null) return []
    const { handle, policy, why } = shorter
    // Not named by the handle alone: another text could be made to have it, and would not be kept.
    const sha256 = hash('sha256', text, 'hex')
    const id = callId === null ? `hook-${handle}-${sha256.slice(0, 20)}` : `${callId}${index === 0 ? '' : `-${index}`}`
    const part = (content: string): ToolResultPart => ({
      type: 'tool-result',
      callId: id,
      tool,
      content: { type: 'text', text: content },
    })
    const message: Message = { id: `result ${id}`, role: 'tool', parts: [part(text)] }
    const asked: Message = { id: `call ${id}`, role: 'assistant', parts: [{ type: 'tool-call', callId: id, tool, input }] }
    return [
      {
        decision: { key: `${conversation} ${id}`, part: 0, original: sha256, policy, why, with: part(shorter.text), at },
        original: { handle, sha256, conversation, message, call: asked, at },
      },
    ]
  })
}

/** Without a gateway nothing else removes what is old. One call in some hundred does it, after its answer. */
async function expireSometimes(
  store: GatewayStore,
  { gateway }: QuickSettings,
  shown: readonly Shown[],
  { now }: HookIo,
): Promise<void> {
  if (shown.some(({ shorter }) => shorter?.handle.startsWith('00') === true))
    await store.expire(now() - gateway.keep_days * 86_400_000)
}

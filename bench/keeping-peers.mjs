import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { openContextGuru, openPython } from './native.mjs'
import { couldNotInstall, installedPeer } from './native-install.mjs'

/** The peers that can run here, in the versions of bench/package.json, and a sentence for each that cannot. */
export async function keepingPeers() {
  const peers = []
  const missing = []
  for (const { name, open } of candidates) {
    try {
      peers.push({ name, reduce: await open() })
    } catch (error) {
      missing.push(whyMissing(name, error))
    }
  }
  return { peers, missing }
}

/** Said of a peer that cannot be measured. */
export function whyMissing(name, { message }) {
  return `${name} did not run: ${String(message).split('\n')[0].slice(0, 120)}.`
}

/** For all outputs together. */
const maxMilliseconds = 1_200_000

const candidates = [
  { name: 'tokenjuice', open: openTokenjuice },
  { name: 'context-compress', open: openContextCompress },
  { name: 'headroom', open: openHeadroom },
  { name: 'context-guru', open: openGuru },
  { name: 'rtk', open: openRtk },
]

async function openTokenjuice() {
  const { reduceExecution } = await import('tokenjuice')
  return async ({ command, text }) => {
    const input = { toolName: 'exec', command, argv: command.split(' '), combinedText: text, exitCode: 0 }
    return (await reduceExecution(input, {})).inlineText ?? text
  }
}

async function openContextCompress() {
  const [{ applyCommandFilter }, { applyFormatFilter }] = await Promise.all([
    import('context-compress/dist/filters.js'),
    import('context-compress/dist/format-filter.js'),
  ])
  return ({ command, text }) => {
    const byCommand = applyCommandFilter(command, text, 'balanced')
    return (byCommand.filtered ? byCommand : applyFormatFilter(text, 'balanced')).output
  }
}

function openHeadroom() {
  const { ask, close } = openPython({ ...installed('headroom'), name: 'headroom', home: tmpdir(), milliseconds: maxMilliseconds })
  const reduce = async (one) => (await ask({ messages: messagesOf(one) })).messages[2].content
  return Object.assign(reduce, { close })
}

async function openGuru() {
  const { ask, close } = await openContextGuru({ ...installed('context-guru'), home: tmpdir() })
  let asked = 0
  const reduce = async (one) => (await ask({ messages: messagesOf(one) }, asked++)).messages[2].content
  return Object.assign(reduce, { close })
}

function messagesOf({ command, text }) {
  const call = { id: 'a', type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } }
  return [
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: text },
  ]
}

/** rtk runs commands itself; it reads a text only where it has a filter for it. */
function openRtk() {
  const { program } = installed('rtk')
  return ({ text }) => {
    const ran = spawnSync(program, ['log', '-'], { input: text, encoding: 'utf8', maxBuffer: 2 ** 28 })
    return ran.status === 0 && ran.stdout !== '' ? ran.stdout : text
  }
}

/** Installing them takes minutes and needs Python and Rust, so another command does. */
function installed(name) {
  const found = installedPeer(name)
  if (found === null)
    throw new Error(
      couldNotInstall(name)
        ? '`npm run bench -- --native` could not download it on the machine that wrote this page'
        : '`npm run bench -- --native` installs it',
    )
  return found
}

import { spawnSync } from 'node:child_process'

/** The peers that can run here, in the versions of bench/package.json, and a sentence for each that cannot. */
export async function keepingPeers() {
  const peers = []
  const missing = []
  for (const { name, open } of candidates) {
    try {
      peers.push({ name, reduce: await open() })
    } catch (error) {
      missing.push(`${name} did not run: ${String(error.message).split('\n')[0].slice(0, 120)}.`)
    }
  }
  return { peers, missing }
}

const candidates = [
  { name: 'tokenjuice', open: openTokenjuice },
  { name: 'context-compress', open: openContextCompress },
  { name: 'headroom', open: openHeadroom },
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

/** Python's package, asked as a function: one process for each text. */
function openHeadroom() {
  const check = spawnSync('python3', ['-c', 'import headroom'], { encoding: 'utf8' })
  if (check.status !== 0) throw new Error('the Python package headroom is not installed')
  const program =
    'import sys, json\nfrom headroom import compress\nd = json.load(sys.stdin)\nm = compress([{"role": "user", "content": "Go on."}, {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "bash", "arguments": json.dumps({"command": d["command"]})}}]}, {"role": "tool", "tool_call_id": "a", "content": d["text"]}], model="gpt-4o").messages\nprint(m[2]["content"])'
  return ({ command, text }) => {
    const ran = spawnSync('python3', ['-c', program], {
      input: JSON.stringify({ command, text }),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    return ran.status === 0 ? ran.stdout : text
  }
}

/** rtk runs commands itself; it reads a text only where it has a filter for it. */
function openRtk() {
  const check = spawnSync('rtk', ['--version'], { encoding: 'utf8' })
  if (check.status !== 0) throw new Error('the program rtk is not installed')
  return ({ text }) => {
    const ran = spawnSync('rtk', ['log', '-'], { input: text, encoding: 'utf8', maxBuffer: 2 ** 28 })
    return ran.status === 0 && ran.stdout !== '' ? ran.stdout : text
  }
}

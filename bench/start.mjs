import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { claudeLog } from './agent-logs.mjs'
import { program, runCommand } from './run-command.mjs'
import { summarize } from './sampling.mjs'

const rounds = 15

/** How long commands take from their start to their end, over an empty Node: processor time, in turns. */
export async function startBench() {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-start-'))
  try {
    return await measure(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(folder) {
  const transcript = join(folder, 'transcript.jsonl')
  const newcomer = join(folder, 'newcomer')
  const log = claudeLog({ session: 1, bytes: 800_000 })
  writeFileSync(transcript, log)
  const addition = log.slice(log.indexOf('\n', log.length - 5000) + 1)
  const competitors = [
    { name: 'node -e 0', args: ['-e', '0'] },
    { name: 'plimsoll --version', args: [program, '--version'], bound: '<= 80 ms' },
    { name: 'plimsoll statusline, the hook alone', args: [program, 'statusline'], input: hook({}), bound: '<= 80 ms' },
    {
      name: 'plimsoll statusline, with a transcript of 0.8 MB',
      args: [program, 'statusline'],
      input: hook({ transcript_path: transcript }),
      bound: '<= 80 ms',
    },
    {
      name: 'the same, after 4 KB more of it',
      before: () => appendFileSync(transcript, addition),
      args: [program, 'statusline'],
      input: hook({ transcript_path: transcript }),
      bound: '<= 80 ms',
    },
    {
      name: 'the same, for the first time',
      home: newcomer,
      before: () => rmSync(newcomer, { recursive: true, force: true }),
      args: [program, 'statusline'],
      input: hook({ transcript_path: transcript }),
    },
    {
      name: 'the hook of the Claude Code plugin, 17 kB of a build, stored',
      args: [fileURLToPath(new URL('../plugin/bin/hook.cjs', import.meta.url)), 'claude-code'],
      input: toolCall(),
      bound: '<= 50 ms',
    },
    { name: 'plimsoll --help', args: [program, '--help'] },
    { name: 'plimsoll completion bash', args: [program, 'completion', 'bash'] },
  ]
  const times = competitors.map(() => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [index, { home = folder, before, args, input }] of competitors.entries()) {
      before?.()
      times[index].push((await runCommand(args, { home, input })).cpu)
    }
  const [empty, ...others] = times.map(summarize)
  return competitors.slice(1).map(({ name, bound }, index) => ({
    name: `${name}, over an empty Node`,
    value: others[index].p50 - empty.p50,
    unit: 'ms',
    spread: others[index].spread,
    ...(bound === undefined ? {} : { bound }),
  }))
}

function hook(fields) {
  return JSON.stringify({
    model: { id: 'claude-opus-4-5', display_name: 'Opus 4.5' },
    context_window: { context_window_size: 200_000, current_usage: { input_tokens: 96_000 } },
    cost: { total_cost_usd: 0.423 },
    ...fields,
  })
}

/** What Claude Code passes after a command. */
function toolCall() {
  const stdout = Array.from({ length: 900 }, (_, line) =>
    line === 700 ? 'src/a.ts(3,4): error TS2304: x is not defined' : `compiled module ${line}`,
  ).join('\n')
  return JSON.stringify({
    session_id: 's',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'make' },
    tool_use_id: 'toolu_1',
    tool_response: { stdout, stderr: '', interrupted: false, isImage: false },
  })
}

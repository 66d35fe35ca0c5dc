import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const program = fileURLToPath(new URL('../packages/node/bin/plimsoll.js', import.meta.url))

/** Writes the process's own processor time to the fourth output at its end; other programs on the machine hardly change it. */
const reporter = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs'
  process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String((user + system) / 1000)) })
`)}`

/** Runs Node in its own process. Returns its times in milliseconds: processor, wall clock, and until its first output on standard error. */
export async function runCommand(args, { home, input = '' }) {
  const start = performance.now()
  const child = spawn(process.execPath, ['--import', reporter, ...args], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: home, LANG: 'C' },
  })
  const texts = ['', '', '', '']
  let firstSign = null
  for (const index of [1, 2, 3]) {
    child.stdio[index].setEncoding('utf8').on('data', (text) => {
      if (index === 2) firstSign ??= performance.now() - start
      texts[index] += text
    })
  }
  child.stdin.end(input)
  const status = await new Promise((resolve) => child.on('close', resolve))
  const wall = performance.now() - start
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${texts[2]}`)
  return { cpu: Number(texts[3]), wall, firstSign, output: texts[1] }
}

// Runs scripts of package.json at the same time, as in `side-by-side.ts types lint`: each of them leaves cores idle. What one
// prints comes in one piece when it ends. Fails if one of them fails, after all have ended.
import { spawn } from 'node:child_process'

const codes = await Promise.all(process.argv.slice(2).map(run))
process.exitCode = codes.every((code) => code === 0) ? 0 : 1

function run(script: string): Promise<number | null> {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => output.push(piece))
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'}: ${script}\n`)
      process.stdout.write(Buffer.concat(output))
      resolve(code)
    })
  })
}

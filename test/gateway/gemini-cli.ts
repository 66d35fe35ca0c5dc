import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { toolPath } from '../tools/tool-path.ts'

/** A headless run of Gemini CLI in its own home and project folder, which can reach only one address. */
export interface GeminiRun {
  readonly process: ChildProcess
  /** Its exit code and output. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly output: string }>
  readonly remove: () => Promise<void>
}

/** Its start options. */
export interface GeminiOptions {
  readonly url: string
  readonly key: string
  readonly prompt: string
  /** Files of the project. */
  readonly files: Readonly<Record<string, string>>
}

/** Starts it with all tools allowed and telemetry off. */
export async function startGeminiCli({ url, key, prompt, files }: GeminiOptions): Promise<GeminiRun> {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-gemini-'))
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  await mkdir(join(home, '.gemini'), { recursive: true })
  await mkdir(project)
  await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings))
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text)
  const child = spawn(process.execPath, [program, '--prompt', prompt, '--yolo', '--model', 'gemini-2.5-pro'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: home,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      // Otherwise it restarts itself with more memory.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      NO_COLOR: '1',
      // Requests to any other host fail.
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.resume()
  return {
    process: child,
    ended: new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, output }))),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

const program = toolPath('@google/gemini-cli', 'bundle/gemini.js')

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true, enableAutoUpdate: false, disableUpdateNag: true },
}

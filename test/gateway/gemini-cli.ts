import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A run of Gemini CLI, headless, in a home and a project of its own, which reaches nothing but one address. */
export interface GeminiRun {
  readonly process: ChildProcess
  /** How it ended, and what it said. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly output: string }>
  readonly remove: () => Promise<void>
}

/** What it is started with. */
export interface GeminiOptions {
  readonly url: string
  readonly key: string
  readonly prompt: string
  /** Files of the project. */
  readonly files: Readonly<Record<string, string>>
}

/** Starts it, with every tool allowed and nothing sent to anybody else. */
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
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      // Without this it starts itself a second time, for more memory.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      NO_COLOR: '1',
      // Whatever asks for another host finds nobody.
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

const program = fileURLToPath(import.meta.resolve('@google/gemini-cli/bundle/gemini.js'))

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true, enableAutoUpdate: false, disableUpdateNag: true },
}

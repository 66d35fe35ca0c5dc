import { spawn } from 'node:child_process'

/** Opens a file with whatever the system opens such files with; whether anything could be started. */
export function openFile(file: string, platform: string): Promise<boolean> {
  const [command, ...words] = openers[platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command as string, [...words, file], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => resolve(true))
    child.unref()
  })
}

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

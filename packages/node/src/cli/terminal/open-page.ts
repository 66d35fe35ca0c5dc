import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Opens an address in the user's browser, through a file that only the user can read, because everyone on the machine sees command
 * lines. Returns a function that removes the file; null if no browser could be started.
 */
export async function openPage(address: string, platform: string): Promise<(() => Promise<void>) | null> {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-open-'))
  const file = join(folder, 'plimsoll.html')
  const quoted = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${quoted}"><title>Plimsoll</title>\n`
  await writeFile(file, page, { mode: 0o600 })
  const remove = () => rm(folder, { recursive: true, force: true })
  if (await openFile(file, platform)) return remove
  await remove()
  return null
}

/** Opens a file with the system's program for it. Returns whether one could be started. */
export function openFile(file: string, platform: string): Promise<boolean> {
  const [command, ...words] = openers[platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command as string, [...words, file], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => resolve(true))
    child.unref()
  })
}

const openers: Readonly<Record<string, readonly string[]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }

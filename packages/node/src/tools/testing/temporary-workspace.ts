import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder with files in it, by path, which goes when the test is over. Its own parent is empty, so that a way out can be seen. */
export async function temporaryWorkspace(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-tools-')))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const root = join(parent, 'workspace')
  await mkdir(root)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  return root
}

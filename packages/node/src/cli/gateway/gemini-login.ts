import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeFolder } from '../../config/home-folder.ts'
import type { CommandIo } from '../command-io.ts'

/**
 * Whether Gemini CLI has been told once how to log in. Until then it takes the address of a gateway for a way to log in, which it then
 * does not know.
 */
export function hasGeminiLogin({ environment, folder }: Pick<CommandIo, 'environment' | 'folder'>): boolean {
  const home = homeFolder(environment)
  const folders = [folder, ...(home === null ? [] : [home])]
  return folders.some((place) => hasSelected(join(place, '.gemini', 'settings.json')))
}

function hasSelected(file: string): boolean {
  try {
    // People write comments into it, which JSON does not know; the word itself is enough.
    const text = readFileSync(file, 'utf8').slice(0, 1_000_000)
    return /"selectedType"\s{0,100}:\s{0,100}"/.test(text)
  } catch {
    return false
  }
}

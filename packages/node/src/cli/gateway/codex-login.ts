import { readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { isRecord } from '@plimsoll/core/text'
import { homeFolder } from '../../config/home-folder.ts'

/** How somebody logged in to Codex: with a key for OpenAI's API, with an account of ChatGPT, which has a service of its own, or not. */
export type CodexLogin = 'none' | 'key' | 'chatgpt'

/** Looks which kind of login Codex has. Only that is taken from its file, and nothing is kept. */
export function codexLogin(environment: Readonly<Record<string, string | undefined>>): CodexLogin {
  const given = environment['CODEX_HOME'] ?? ''
  const home = homeFolder(environment)
  const folder = isAbsolute(given) ? given : home === null ? null : join(home, '.codex')
  if (folder === null) return 'none'
  try {
    const file = join(folder, 'auth.json')
    const { size } = statSync(file)
    const login: unknown = size > largest ? null : JSON.parse(readFileSync(file, 'utf8'))
    if (!isRecord(login)) return 'none'
    const mode = typeof login['auth_mode'] === 'string' ? login['auth_mode'].toLowerCase() : ''
    if (mode === 'chatgpt' || (mode === '' && isRecord(login['tokens']))) return 'chatgpt'
    return (login['OPENAI_API_KEY'] ?? '') === '' ? 'none' : 'key'
  } catch {
    return 'none'
  }
}

const largest = 1_000_000

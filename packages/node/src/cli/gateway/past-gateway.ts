import nodePath, { type PlatformPath } from 'node:path'
import { homeFolder } from '../../config/home-folder.ts'
import type { CommandIo } from '../command-io.ts'
import { tildePath } from '../terminal/text.ts'
import { programName } from './agent-wiring.ts'
import { readAgentSettings } from './own-environment.ts'

/** Why an agent may have talked past a gateway: variables, and files of its own settings with an address. */
export interface PastGateway {
  readonly variables: readonly string[]
  readonly files: readonly string[]
}

/** Looks up what sends an agent's requests elsewhere. Addresses may hold keys, so only the names of variables and files are returned. */
export function pastGateway(program: string, { environment, folder }: Pick<CommandIo, 'environment' | 'folder'>): PastGateway {
  const { variables = [] } = agents[programName(program)] ?? {}
  const home = homeFolder(environment)
  const files = settingsFiles(program, { environment, folder, home })
  return {
    variables: variables.filter((variable) => isOn(environment[variable])),
    files: [...new Set(files.flatMap((path) => (hasAddress(path) ? [tildePath(path, home)] : [])))],
  }
}

/** The files of an agent's settings, whether they exist or not. */
export function settingsFiles(
  program: string,
  { environment, folder, home }: Pick<CommandIo, 'environment' | 'folder'> & { readonly home: string | null },
  paths: Pick<PlatformPath, 'isAbsolute' | 'join'> = nodePath,
): readonly string[] {
  const { places } = agents[programName(program)] ?? {}
  const own = (variable: string, usual: string) => {
    const given = environment[variable] ?? ''
    return paths.isAbsolute(given) ? given : usual
  }
  return (places?.(own) ?? []).flatMap((path) => {
    if (paths.isAbsolute(path)) return [paths.join(path)]
    if (!path.startsWith('~/')) return [paths.join(folder, path)]
    return home === null ? [] : [paths.join(home, path.slice(2))]
  })
}

/** Whether an agent takes its address from its own settings alone, so that nothing of this process can connect it. */
export function takesNoAddress(program: string): boolean {
  return programName(program) === 'cline'
}

interface Agent {
  readonly variables?: readonly string[]
  /** Files of its settings, with `/` on any system. `own` is the folder that a variable names, or else the usual one. */
  readonly places?: (own: (variable: string, usual: string) => string) => readonly string[]
}

const agents: Readonly<Record<string, Agent>> = {
  claude: {
    variables: ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'],
    places: (own) => [
      `${own('CLAUDE_CONFIG_DIR', '~/.claude')}/settings.json`,
      '.claude/settings.json',
      '.claude/settings.local.json',
    ],
  },
  gemini: {
    variables: ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'],
    places: () => ['~/.gemini/settings.json', '.gemini/settings.json'],
  },
  qwen: { places: () => ['~/.qwen/settings.json', '.qwen/settings.json'] },
  opencode: {
    places: (own) => {
      const config = `${own('XDG_CONFIG_HOME', '~/.config')}/opencode`
      return [`${config}/opencode.json`, `${config}/opencode.jsonc`, 'opencode.json', 'opencode.jsonc']
    },
  },
  pi: { places: (own) => [`${own('PI_CODING_AGENT_DIR', '~/.pi/agent')}/models.json`] },
  aider: { places: () => ['~/.aider.conf.yml', '.aider.conf.yml', '.env'] },
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false'
}

/** Users write comments into these files, which JSON does not allow, so they are not parsed. Logins to another service count as well. */
const address =
  /"?\b(?:base_?url|(?:openai|anthropic)[_-](?:api[_-]base|base_url)|google_gemini_base_url)"?\s{0,20}[:=]\s{0,20}["']?https?:|"CLAUDE_CODE_USE_(?:BEDROCK|VERTEX|FOUNDRY)"\s{0,20}:\s{0,20}"?(?:1|true)|"selectedType"\s{0,20}:\s{0,20}"(?:vertex|oauth|qwen-oauth)/i

function hasAddress(path: string): boolean {
  try {
    return address.test(readAgentSettings(path))
  } catch {
    return false
  }
}

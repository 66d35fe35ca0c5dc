import { isAbsolute, join } from 'node:path'
import { homeFolder } from '../../config/home-folder.ts'
import type { CommandIo } from '../command-io.ts'
import { tildePath } from '../terminal/text.ts'
import { readAgentSettings } from './own-environment.ts'

/** Why an agent may have talked past a gateway: variables, and files of its own settings with an address. */
export interface PastGateway {
  readonly variables: readonly string[]
  readonly files: readonly string[]
}

/** Looks up what sends an agent's requests elsewhere. Addresses may hold keys, so only the names of variables and files are returned. */
export function pastGateway(program: string, { environment, folder }: Pick<CommandIo, 'environment' | 'folder'>): PastGateway {
  const home = homeFolder(environment)
  const { variables = [], places = () => [] } = agents[nameOf(program)] ?? {}
  const candidates = places(environment).map((path) => {
    if (isAbsolute(path)) return path
    if (!path.startsWith('~/')) return join(folder, path)
    return home === null ? null : join(home, path.slice(2))
  })
  return {
    variables: variables.filter((variable) => isOn(environment[variable])),
    files: [...new Set(candidates.flatMap((path) => (path !== null && hasAddress(path) ? [tildePath(path, home)] : [])))],
  }
}

/** Whether an agent takes its address from its own settings alone, so that nothing of this process can connect it. */
export function takesNoAddress(program: string): boolean {
  return nameOf(program) === 'cline'
}

function nameOf(program: string): string {
  return program.replace(/^.*[/\\]/s, '').replace(/\.(?:exe|cmd|bat|js|mjs)$/i, '')
}

interface Agent {
  readonly variables?: readonly string[]
  /** Files of its settings. */
  readonly places?: (environment: CommandIo['environment']) => readonly string[]
}

const agents: Readonly<Record<string, Agent>> = {
  claude: {
    variables: ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'],
    places: ({ CLAUDE_CONFIG_DIR: own }) => [
      join(folderOr(own, '~/.claude'), 'settings.json'),
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
    places: ({ XDG_CONFIG_HOME: own }) => [
      join(folderOr(own, '~/.config'), 'opencode', 'opencode.json'),
      'opencode.json',
      'opencode.jsonc',
    ],
  },
  pi: {
    places: ({ PI_CODING_AGENT_DIR: own }) => [join(folderOr(own, '~/.pi/agent'), 'models.json')],
  },
  aider: { places: () => ['~/.aider.conf.yml', '.aider.conf.yml', '.env'] },
}

function folderOr(given: string | undefined, usual: string): string {
  return given !== undefined && isAbsolute(given) ? given : usual
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

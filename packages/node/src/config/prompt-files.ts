import { readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fillSummaryPrompt } from '@plimsoll/core/compaction'
import { ConfigError, type ConfigProblem, problemLine } from './config-error.ts'
import { homeFolder, userFolder } from './home-folder.ts'
import { nearest } from './nearest.ts'
import { readSmallFile } from './small-file.ts'

/** Prompts that files replace. What no file replaces is null or missing. */
export interface Prompts {
  readonly system: string | null
  readonly summary: string | null
  /** Descriptions of the agent's own tools, by name. */
  readonly tools: ReadonlyMap<string, string>
  /** Paths of the files in use. */
  readonly files: readonly string[]
  /** Sentences about files that are not used and probably should be. */
  readonly warnings: readonly string[]
}

export interface PromptSources {
  /** The project's folder, without links. */
  readonly root: string
  /** The folders of `prompts.projects`. */
  readonly projects: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * Reads the user's prompt files and, if the user lists the project, the project's, which win. Throws `ConfigError` with all problems:
 * an agent must not start with half of its instructions.
 */
export function readPrompts(sources: PromptSources): Prompts {
  const own = userFolder(sources.environment)
  const ofProject = join(sources.root, '.plimsoll', 'prompts')
  const isListed = isTrusted(sources)
  const found = new Map<string, { readonly path: string; readonly text: string }>()
  const problems: ConfigProblem[] = []
  const warnings: string[] = []
  const folders = [...(own === null ? [] : [join(own, 'prompts')]), ...(isListed ? [ofProject] : [])]
  for (const folder of folders) {
    for (const name of namesIn(folder)) {
      const path = join(folder, name)
      const outcome = known.has(name) ? readPrompt(name, path, folder === ofProject) : null
      if (outcome === null) warnings.push(problemLine({ where: path, key: '', message: unknownPrompt(name) }))
      else if ('problem' in outcome) problems.push({ where: path, key: '', message: outcome.problem })
      else found.set(name, { path, text: outcome.text })
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)
  if (!isListed && namesIn(ofProject).length > 0)
    warnings.push(problemLine({ where: ofProject, key: '', message: 'not used; to trust this project, list it in prompts.projects of your own configuration' })) // biome-ignore format: one idea
  const textOf = (name: string) => found.get(name)?.text ?? null
  const tools = ownToolNames.flatMap((tool) => {
    const text = textOf(`tools/${tool}.md`)
    return text === null ? [] : [[tool, text] as const]
  })
  return {
    system: textOf('system.md'),
    summary: textOf('summary.md'),
    tools: new Map(tools),
    files: [...found.values()].map(({ path }) => path),
    warnings: warnings.slice(0, maxWarnings),
  }
}

const maxWarnings = 20

/** The agent's own tools. Those of MCP servers describe themselves. */
export const ownToolNames: readonly string[] = [
  'Read',
  'LS',
  'Glob',
  'Grep',
  'get_repo_structure',
  'repo_map',
  'Edit',
  'MultiEdit',
  'Write',
  'TodoWrite',
  'Bash',
  'image_generate',
  'recall',
]

const known: ReadonlySet<string> = new Set(['system.md', 'summary.md', ...ownToolNames.map((tool) => `tools/${tool}.md`)])

function isTrusted({ root, projects, environment }: PromptSources): boolean {
  const home = homeFolder(environment)
  return projects.some((project) => {
    const path = project.startsWith('~/') && home !== null ? join(home, project.slice(2)) : project
    try {
      return realpathSync(path) === root
    } catch {
      return false
    }
  })
}

/** Names of Markdown files, such as `system.md` and `tools/Read.md`, in a stable order. */
function namesIn(folder: string): readonly string[] {
  const list = (path: string) => {
    try {
      return readdirSync(path).filter((name) => name.endsWith('.md') && !/^(?:\.|readme\.md$)/i.test(name))
    } catch {
      return []
    }
  }
  return [...list(folder), ...list(join(folder, 'tools')).map((name) => `tools/${name}`)].sort()
}

function unknownPrompt(name: string): string {
  const meant = nearest(name, [...known])
  return `not used, because no prompt has this name; ${meant === null ? `expected one of ${[...known].join(', ')}` : `did you mean ${meant}?`}`
}

function readPrompt(name: string, path: string, ofProject: boolean): { readonly text: string } | { readonly problem: string } {
  if (ofProject && !isPlain(path))
    return { problem: "a link: a project's prompt must be a plain file in .plimsoll/prompts; copy the file there" }
  const read = readSmallFile(path)
  if (read === null) return { problem: 'cannot be found; remove the link or restore the file' }
  if (typeof read !== 'string') return { problem: `${read.problem}; correct the file, or remove it to use the built-in prompt` }
  const text = read.replaceAll('\r\n', '\n').trim()
  if (text === '') return { problem: 'is empty; write the prompt into it, or remove it to use the built-in prompt' }
  const hidden = hiddenCharacter.exec(text)
  if (hidden !== null) {
    const line = text.slice(0, hidden.index).split('\n').length
    return { problem: `has a control character in line ${line}, which a reader of the file does not see; remove it` }
  }
  if (name !== 'summary.md') return { text }
  const { prompt, missing } = fillSummaryPrompt(text)
  if (missing.length === 0) return { text: prompt }
  const headings = missing.map((heading) => JSON.stringify(heading)).join(', ')
  return {
    problem: `does not ask for ${headings}, so its summaries would be rejected; add each as a line, or {template} for all`,
  }
}

/** Whether no link leads to it, so that a project cannot send other files of the user to a model. */
function isPlain(path: string): boolean {
  try {
    return realpathSync(path) === path
  } catch {
    return false
  }
}

/** Controls other than tab and line break, and marks that reorder what is shown. */
const hiddenCharacter = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

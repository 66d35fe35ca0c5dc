/** Who speaks in a turn of a ReAct text. */
export type ReactRole = 'user' | 'assistant' | 'tool' | 'system' | 'summary'

const roles = 'user|assistant|tool|system|summary'
const step = '\\*{0,2}(?:thought|action|observation)\\*{0,2}[ \\t]*[:：]'
const fence = '(?:`{3}|~{3})'

/**
 * A turn begins at a line with a role in brackets. So that no content can begin one, a line of content that looks like it gets a
 * backslash in front, one more than it has; reading takes one away. Everything else stays as it is.
 */
export function escapeRoles(content: string): string {
  return content.replaceAll(roleLine, '\\')
}

/** Takes back what `escapeRoles` did. */
export function unescapeRoles(content: string): string {
  return content.replaceAll(escapedRoleLine, '')
}

/**
 * The same for the lines a step is made of, `Thought:`, `Action:` and `Observation:`. A code fence stays as it is, unless it is
 * never closed and would take in what follows.
 */
export function escapeSteps(thought: string): string {
  const escaped = thought.replaceAll(stepLine, '\\')
  // The first line stands behind its label, where nothing is a fence.
  const fences = [...escaped.matchAll(fenceLine)].filter(({ index }) => index > 0)
  const last = fences.at(-1)
  if (last === undefined || fences.length % 2 === 0) return escaped
  return `${escaped.slice(0, last.index)}\\${escaped.slice(last.index)}`
}

/** Takes back what `escapeSteps` did. */
export function unescapeSteps(thought: string): string {
  return thought.replaceAll(escapedStepLine, '')
}

/** Where a turn begins: at the start of the text, or after an empty line. */
export const turnStart = new RegExp(`(?:^|\\n\\n)\\[(${roles})\\](?: |\\n|$)`, 'g')

/** The lines a step is made of: a fence, a label of a step, or a role, which only a turn that a model made up would have. */
export const stepMarker = new RegExp(
  `^[ \\t]*(?:(${fence})|\\*{0,2}(thought|action|observation)\\*{0,2}[ \\t]*[:：]\\*{0,2}|(\\[(?:${roles})\\])(?= |$))`,
  'gim',
)

/** The label of a thought. */
export const thoughtLabel = /^[ \t]*\*{0,2}thought\*{0,2}[ \t]*[:：]\*{0,2}[ \t]?/gim

const roleLine = new RegExp(`^(?=\\\\*\\[(?:${roles})\\])`, 'gim')
const escapedRoleLine = new RegExp(`^\\\\(?=\\\\*\\[(?:${roles})\\])`, 'gim')
const stepLine = new RegExp(`^(?=\\\\*[ \\t]*${step}|\\\\+[ \\t]*${fence})`, 'gim')
const escapedStepLine = new RegExp(`^\\\\(?=\\\\*[ \\t]*(?:${step}|${fence}))`, 'gim')
const fenceLine = new RegExp(`^[ \\t]*${fence}`, 'gm')

import { isRecord } from '@plimsoll/core/text'

/** Agents whose hooks may replace the result of a tool. */
export type HookedAgent = (typeof hookedAgents)[number]

export const hookedAgents = ['claude-code', 'codex', 'copilot'] as const

/** What an agent tells its hook about a tool that has just returned. */
export interface HookCall {
  readonly session: string
  readonly tool: string
  readonly input: unknown
  /** Null if the agent does not say. */
  readonly callId: string | null
  readonly folder: string | null
  /** The texts that may be shortened. */
  readonly texts: readonly string[]
  /** A file of the agent's with the whole of the only text, of which the agent shows the beginning alone. */
  readonly stored: string | null
  /** The hook's answer with other texts, in the same order. */
  readonly answer: (texts: readonly string[]) => unknown
}

/** Reads a hook's input. Null for anything but a result with text, in a form that is known. */
export function readHookCall(agent: HookedAgent, value: unknown): HookCall | null {
  if (!isRecord(value)) return null
  return readers[agent](value)
}

type Fields = Readonly<Record<string, unknown>>

const readers: Readonly<Record<HookedAgent, (value: Fields) => HookCall | null>> = {
  'claude-code': (value) => {
    const { tool_response: response, hook_event_name: event } = value
    const places = event === 'PostToolUse' ? claudeTexts(response) : null
    if (places === null) return null
    const asked = callIn(value)
    // The answer of a tool server is its own words: it could name any file of the user.
    const stored = isRecord(response) && !asked.tool.startsWith('mcp__') ? textIn(response['persistedOutputPath']) : null
    return {
      ...asked,
      ...places,
      stored,
      answer: (texts) => ({
        hookSpecificOutput: { hookEventName: event, updatedToolOutput: withoutStored(places.write(texts), stored) },
      }),
    }
  },
  codex: (value) => {
    const { tool_response: response, hook_event_name: event } = value
    const text = textIn(response) ?? (isRecord(response) ? textIn(response['output']) : null)
    if (event !== 'PostToolUse' || text === null) return null
    return { ...callIn(value), texts: [text], stored: null, answer: ([reason]) => ({ decision: 'block', reason }) }
  },
  copilot: (value) => {
    const { toolResult: result, toolArgs, toolName, sessionId, cwd } = value
    const text = isRecord(result) && result['resultType'] !== 'failure' ? textIn(result['textResultForLlm']) : null
    if (text === null) return null
    return {
      session: textIn(sessionId) ?? '',
      tool: textIn(toolName) ?? '',
      input: typeof toolArgs === 'string' ? parsed(toolArgs) : toolArgs,
      callId: null,
      folder: textIn(cwd),
      texts: [text],
      stored: copilotFile(textIn(toolName), text),
      answer: ([shorter = '']) => {
        const [ending = ''] = /\n<shellId: [^\n]{1,200}>$/.exec(text) ?? []
        const shown = shorter.endsWith(ending) ? shorter : `${shorter}${ending}`
        return { modifiedResult: { ...(result as Fields), textResultForLlm: shown } }
      },
    }
  },
}

/**
 * Above 30 kB, Copilot CLI stores the output of a command in a file and shows its first 500 characters. Only of a command, and only a file with Copilot's own
 * kind of name: the text could name any other file of the user.
 */
function copilotFile(tool: string | null, text: string): string | null {
  if (tool !== 'bash' && tool !== 'powershell') return null
  const [, path = ''] = /^Output too large to read at once \([^)\n]{1,40}\)\. Saved to: ([^\r\n]{1,1000})\r?\n/.exec(text) ?? []
  return /[/\\]\d{1,20}-copilot-tool-output-[\w-]{1,100}\.txt$/.test(path) ? path : null
}

function callIn(value: Fields): Pick<HookCall, 'session' | 'tool' | 'input' | 'callId' | 'folder'> {
  return {
    session: textIn(value['session_id']) ?? '',
    tool: textIn(value['tool_name']) ?? '',
    input: value['tool_input'],
    callId: textIn(value['tool_use_id']),
    folder: textIn(value['cwd']),
  }
}

interface Texts {
  readonly texts: readonly string[]
  readonly write: (texts: readonly string[]) => unknown
}

/** Commands have `stdout`, searches `content`, web pages `result`; other tools a text or a list of blocks. */
function claudeTexts(response: unknown): Texts | null {
  if (typeof response === 'string') return { texts: [response], write: ([text]) => text }
  if (Array.isArray(response)) return blockTexts(response)
  if (!isRecord(response) || response['isImage'] === true || response['structuredContent'] !== undefined) return null
  const key = ['stdout', 'content', 'result'].find((name) => typeof response[name] === 'string')
  return key === undefined ? null : { texts: [response[key] as string], write: ([text]) => ({ ...response, [key]: text }) }
}

function blockTexts(blocks: readonly unknown[]): Texts | null {
  const isText = (block: unknown): block is Fields & { readonly text: string } =>
    isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string'
  const found = blocks.filter(isText)
  return {
    texts: found.map(({ text }) => text),
    write: (texts) => blocks.map((block) => (isText(block) ? { ...block, text: texts[found.indexOf(block)] } : block)),
  }
}

/** With these fields, Claude Code shows the beginning of its file, whatever the text is. */
function withoutStored(response: unknown, stored: string | null): unknown {
  if (stored === null || !isRecord(response)) return response
  const { persistedOutputPath: _path, persistedOutputSize: _size, ...rest } = response
  return rest
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return { input: text }
  }
}

/** The lines that install the hook, and the file they belong to. `program` is the command that runs `plimsoll`. */
export function hookSettings(agent: HookedAgent, program: string): { readonly file: string; readonly settings: unknown } {
  const command = `${program} hook ${agent}`
  switch (agent) {
    case 'claude-code':
      return {
        file: '~/.claude/settings.json',
        settings: { hooks: { PostToolUse: [{ matcher: claudeMatcher, hooks: [{ type: 'command', command, timeout }] }] } },
      }
    case 'codex':
      return {
        file: '~/.codex/hooks.json',
        settings: { hooks: { PostToolUse: [{ matcher: '.*', hooks: [{ type: 'command', command, timeout }] }] } },
      }
    case 'copilot':
      return {
        file: '~/.copilot/hooks/plimsoll.json',
        settings: {
          version: 1,
          hooks: { postToolUse: [{ type: 'command', bash: command, powershell: command, timeoutSec: timeout }] },
        },
      }
  }
}

/** Tools with long results that are not files to be edited. */
export const claudeMatcher = 'Bash|PowerShell|BashOutput|Grep|WebFetch|mcp__.*'

/** Seconds. The hook itself gives up long before. */
const timeout = 20

import type { PermissionMode } from '@plimsoll/core/policies'
import { escapeUnprintable, unprintable } from '@plimsoll/core/text'
import type { ToolAccess, ToolOutcome } from '../../shared/event.ts'
import { failed, type Tool, type ToolContext } from '../../tools/tool.ts'
import type { AskPermission } from '../agent.ts'

export interface Permissions {
  readonly mode: () => PermissionMode
  readonly setMode: (mode: PermissionMode) => void
  /** Null lets a call run; else the result for the model. Rejects with the reason of the signal. */
  readonly check: (call: AskedCall, context: ToolContext) => Promise<ToolOutcome | null>
}

export interface AskedCall {
  readonly callId: string
  readonly tool: Tool
  readonly input: unknown
}

/** Reading is always allowed; the rest depends on the mode, and in some modes on the user. */
export function createPermissions(mode: PermissionMode, ask: AskPermission | null): Permissions {
  let current = mode
  const allowed = new Set<string>()
  return {
    mode: () => current,
    setMode(next) {
      current = next
    },
    async check({ callId, tool, input }, context) {
      const rule = ruleFor(tool, current)
      if (rule === 'run') return null
      if (rule === 'refuse') return refused(`${tool.name} is not allowed: the agent may only look in this mode (read-only).`)
      const { name, access, scope = 'tool' } = tool
      const request = { callId, tool: name, access, about: tool.about(input), scope }
      const key = scope === 'tool' ? name : `${name}\n${request.about}`
      if (allowed.has(key)) return null
      if (ask === null)
        return refused(
          `${tool.name} needs a person's permission, and no one is there to ask. Continue without it, or say that it needs the mode ${modesAllowing(access).join(' or ')}.`,
        )
      const preview = tool.preview === undefined ? null : await tool.preview(input, context)
      const answer = await ask({ ...request, ...askedTexts(access, request.about, preview) }, context.signal)
      context.signal.throwIfAborted()
      if (answer.kind === 'session') allowed.add(key)
      if (answer.kind !== 'no') return null
      const words = answer.reason?.trim() ?? ''
      return refused(`the user did not allow this call.${words === '' ? '' : ` They say: ${words}`}`)
    },
  }
}

/** The modes in which a tool runs without a question, the most careful first. */
export function modesAllowing(access: ToolAccess): readonly PermissionMode[] {
  return permissionModes.filter((mode) => ruleFor({ access }, mode) === 'run')
}

/** In order of what the agent may do without asking. */
export const permissionModes: readonly PermissionMode[] = ['read-only', 'ask', 'accept-edits', 'auto']

function ruleFor({ access }: Pick<Tool, 'access'>, mode: PermissionMode): 'run' | 'ask' | 'refuse' {
  if (access === 'read' || mode === 'auto') return 'run'
  if (mode === 'read-only') return 'refuse'
  return access === 'write' && mode === 'accept-edits' ? 'run' : 'ask'
}

function refused(text: string): ToolOutcome {
  return failed(text, { refused: true })
}

/** Hides nothing from the user: escapes characters that act on a terminal or reorder text, and marks cuts. */
export function askedTexts(access: ToolAccess, about: string, preview: string | null) {
  const line = spelledOut(about).replaceAll(/\r?\n/g, ' ⏎ ')
  const isLong = line.length > maxAboutLength
  const whole = preview ?? (isLong ? about : null)
  if (whole === null) return { about: line, preview: null }
  const shown = spelledOut(whole)
  return {
    about: isLong ? `${line.slice(0, maxAboutLength / 2)} … ${line.slice(-maxAboutLength / 2)}`.toWellFormed() : line,
    // The signs at the start of a diff's lines have a meaning; a command may be broken anywhere.
    preview: access === 'run' ? shown.replaceAll(tooWide, '$1\n') : shown,
  }
}

/** Fits into the question, even in a narrow terminal. */
const maxAboutLength = 220
const tooWide = /([^\n]{76})(?=[^\n])/gu

function spelledOut(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(unprintable, (character, at: number) =>
      character === '\n' || character === '\t' || (character === '\r' && text[at + 1] === '\n')
        ? character
        : escapeUnprintable(character),
    )
}

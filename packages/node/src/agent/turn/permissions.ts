import type { PermissionMode } from '@plimsoll/core/policies'
import { escapeUnprintable, unprintable } from '@plimsoll/core/text'
import type { PermissionRequest, ToolAccess, ToolOutcome } from '../../shared/event.ts'
import { failed, type Tool, type ToolContext } from '../../tools/tool.ts'
import type { AskPermission } from '../agent.ts'

/** Decides, for one session, which calls may run. */
export interface Permissions {
  readonly mode: () => PermissionMode
  readonly setMode: (mode: PermissionMode) => void
  /** Null lets a call run; else what the model is told in place of a result. Rejects with the reason of the signal when that fires. */
  readonly check: (call: AskedCall, context: ToolContext) => Promise<ToolOutcome | null>
}

/** A call that wants to run. */
export interface AskedCall {
  readonly callId: string
  readonly tool: Tool
  readonly input: unknown
}

/** Looking is always allowed; the rest depends on the mode, and where that says so, on a person. */
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
      const request = {
        callId,
        tool: tool.name,
        access: tool.access,
        about: tool.about(input),
        scope: tool.scope ?? 'tool',
      } as const
      const key = keyOf(request)
      if (allowed.has(key)) return null
      if (ask === null)
        return refused(
          `${tool.name} needs a person's permission, and nobody is there to ask. Go on without it, or say that it needs the mode accept-edits or auto.`,
        )
      const preview = tool.preview === undefined ? null : await tool.preview(input, context)
      const answer = await ask({ ...request, ...askedTexts(tool.access, request.about, preview) }, context.signal)
      context.signal.throwIfAborted()
      if (answer.kind === 'session') allowed.add(key)
      if (answer.kind !== 'no') return null
      const words = answer.reason?.trim() ?? ''
      return refused(`the user did not allow this call.${words === '' ? '' : ` They say: ${words}`}`)
    },
  }
}

function ruleFor({ access }: Tool, mode: PermissionMode): 'run' | 'ask' | 'refuse' {
  if (access === 'read' || mode === 'auto') return 'run'
  if (mode === 'read-only') return 'refuse'
  return access === 'write' && mode === 'accept-edits' ? 'run' : 'ask'
}

function keyOf({ tool, about, scope }: Pick<PermissionRequest, 'tool' | 'about' | 'scope'>): string {
  return scope === 'tool' ? tool : `${tool}\n${about}`
}

function refused(text: string): ToolOutcome {
  return failed(text, { refused: true })
}

/** What a person reads before they allow a call. */
interface AskedTexts {
  /** On one line; of a long one the beginning and the end. */
  readonly about: string
  readonly preview: string | null
}

/**
 * The texts of a call so that nothing in them is hidden from whoever is asked: what acts on a terminal or reorders text is spelled
 * out, because whoever draws it takes that out with all it wraps, and the end of a long line is seen or known to be missing.
 */
export function askedTexts(access: ToolAccess, about: string, preview: string | null): AskedTexts {
  const line = spelledOut(about).replaceAll(/\r?\n/g, ' ⏎ ')
  const isLong = line.length > longestAbout
  const whole = preview ?? (isLong ? about : null)
  if (whole === null) return { about: line, preview: null }
  const shown = spelledOut(whole)
  return {
    about: isLong ? `${line.slice(0, longestAbout / 2)} … ${line.slice(-longestAbout / 2)}`.toWellFormed() : line,
    // The signs at the start of a diff's lines mean something; a command may be broken anywhere.
    preview: access === 'run' ? shown.replaceAll(tooWide, '$1\n') : shown,
  }
}

/** Fits on the few lines that a question has for it, also in a narrow terminal. */
const longestAbout = 220

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

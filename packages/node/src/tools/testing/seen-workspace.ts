import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toolResults } from '@plimsoll/core'
import { digestOf } from '../../../../core/src/cut/digest/digest-of.ts'
import type { ToolOutcome } from '../../shared/event.ts'
import { readTextToChange } from '../change/change-file.ts'
import type { Tool, ToolContext } from '../tool.ts'
import { temporaryWorkspace } from './temporary-workspace.ts'
import { blobsIn, temporaryFolder, toolContext } from './tool-context.ts'

/** A workspace whose files the model has read, and what tests do in it. */
export interface SeenWorkspace {
  readonly root: string
  readonly context: ToolContext
  readonly bytes: (path: string) => Promise<Buffer>
  readonly text: (path: string) => Promise<string>
  /** The model reads a file. */
  readonly look: (path: string) => Promise<void>
  readonly run: (tool: Tool, input: unknown) => Promise<ToolOutcome>
}

/** Makes a workspace with some files, all of which the model has read. */
export async function seenWorkspace(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<SeenWorkspace> {
  const root = await temporaryWorkspace(files)
  const { context } = toolContext({ root, blobs: blobsIn(temporaryFolder()) })
  async function look(path: string): Promise<void> {
    const file = await readTextToChange(root, path)
    if ('reason' in file) return
    context.seen.note(file.path, file.state)
    context.freshness.read(file.shown, file.state.mtimeMs)
  }
  for (const path of Object.keys(files)) await look(path)
  return {
    root,
    context,
    bytes: (path) => readFile(join(root, path)),
    text: (path) => readFile(join(root, path), 'utf8'),
    look,
    run: (tool, input) => tool.run(input, context),
  }
}

/** The text of an outcome as the model reads it. */
export function textOf({ content }: ToolOutcome): string {
  return content.type === 'text' ? content.text : JSON.stringify(content)
}

/** The digest of an outcome that later rounds show; null if it is short enough to stay. */
export function digestOfOutcome(tool: string, input: unknown, { content }: ToolOutcome): unknown {
  const [result] = toolResults(
    [
      { id: '1', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool, input }] },
      { id: '2', role: 'tool', parts: [{ type: 'tool-result', callId: 'c', tool, content }] },
    ],
    {},
  )
  const digest = result === undefined ? null : digestOf(result, {})
  return digest === null ? null : JSON.parse(textOf(digest))
}

// Runs a command and a search with no open file left, then with more and more, and prints what came of each.
import { closeSync, openSync } from 'node:fs'
import { resultText } from '@plimsoll/core'
import { bashTool } from '../command/bash-tool.ts'
import { grepTool } from '../search/grep-tool.ts'
import type { Tool } from '../tool.ts'
import { lookingContext } from './looking-context.ts'

const [, , folder = '.'] = process.argv
const context = lookingContext(folder, { environment: process.env })

/** The first line of a tool's answer, or the error it throws. */
async function outcomeOf(tool: Tool, input: unknown): Promise<string> {
  try {
    const { content } = await tool.run(input, context)
    return resultText({ type: 'tool-result', callId: null, tool: null, content }).split('\n', 1)[0] ?? ''
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}

const command = () => outcomeOf(bashTool, { command: 'exit 0' })
const search = () => outcomeOf(grepTool, { pattern: 'tide' })

// Everything is loaded before files run out.
await command()
await search()
const taken = takeAll()
const outcomes = { command: await withMoreAndMore(command, 1), search: await withMoreAndMore(search, 5) }
for (const one of taken) closeSync(one)

/** The outcomes with no descriptor left, and then with more of them each time. */
async function withMoreAndMore(run: () => Promise<string>, step: number): Promise<readonly string[]> {
  const spare = taken.splice(0, 10 * step)
  const came: string[] = []
  for (let round = 0; round < 10; round += 1) {
    came.push(await run())
    for (const one of spare.splice(0, step)) closeSync(one)
  }
  // Where a program cannot be started for want of them, Node itself leaves some open.
  takeAll()
  return came
}

/** Opens whatever can still be opened. */
function takeAll(): number[] {
  const opened: number[] = []
  try {
    for (;;) opened.push(openSync('/dev/null', 'r'))
  } catch {
    return opened
  }
}

process.stdout.write(JSON.stringify(outcomes))

import { type Facts, recallTool } from '@plimsoll/core'
import { answerRecall } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import { recallSourceOf } from '../session/recall-source.ts'
import type { StoredSession } from '../session/session.ts'
import { type Tool, told } from './tool.ts'

/** The tool by which the model gets back what its view leaves out, from the log of its session. */
export function createRecallTool(session: StoredSession, facts: Facts): Tool {
  const { name, description, inputSchema } = recallTool
  return {
    name,
    description,
    inputSchema,
    access: 'read',
    about(input) {
      if (!isRecord(input)) return ''
      const asked = [input['handle'], input['query'], input['id'], input['tool']].find((value) => typeof value === 'string')
      return typeof asked === 'string' ? asked : ''
    },
    run: (input) => Promise.resolve(told(answerRecall(input, recallSourceOf(session), facts))),
  }
}

import { codecs } from '@plimsoll/core'
import { settleDrafts } from './draft.ts'
import { listAt, textAt } from './entry-fields.ts'
import { lastModel, readMessageList, usagesOf, withTimes } from './message-list.ts'
import { readSessionOf } from './read-session-of.ts'
import { createRecordReader } from './record-reader.ts'

/** Tau-bench: a list of runs, each with its task, its reward, and the messages under `traj`. */
export const tauBench = createRecordReader({
  name: 'tau-bench',
  detect: (entry) => Array.isArray(entry['traj']) && ('task_id' in entry || 'reward' in entry),
  read(entry, notes, take) {
    const listed = withTimes(readMessageList(listAt(entry, 'traj'), codecs['openai-chat'], notes))
    const { task_id: task, trial } = entry
    const isNamed = typeof task === 'number' || typeof task === 'string'
    const model = lastModel(listed) ?? textAt(entry, 'model')
    return readSessionOf({
      id: isNamed ? `task-${task}${typeof trial === 'number' ? `.${trial}` : ''}` : null,
      model,
      messages: settleDrafts(listed).map(take),
      usages: usagesOf(listed, model),
    })
  },
})

import type { InspectStrings } from './inspect-strings.ts'

/** What `plimsoll inspect` and the replay of one session say, in English. */
export const inspectEnglish: InspectStrings = {
  nothingToReplay: 'There is nothing to replay: no model was asked anything in this session.',
  cannotReplay: (reason) => `This session cannot be replayed (${reason}).`,
}

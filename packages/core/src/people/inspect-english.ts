import type { InspectStrings } from './inspect-strings.ts'

/** What `plimsoll inspect` and the replay of one session say, in English. */
export const inspectEnglish: InspectStrings = {
  nothingToReplay: 'There is nothing to replay: no model was asked anything in this session.',
  cannotReplay: (reason) => `This session cannot be replayed (${reason}).`,
  page: {
    title: 'Plimsoll inspector',
    needsScript: 'This page needs JavaScript. It loads nothing and sends nothing.',
    cutText: (characters) => `[… ${characters} more characters, which are not in this page …]`,
    redacted: (secrets, homes) =>
      `Keys, tokens and passwords that could be recognised were taken out: ${secrets}. Names of home folders shown as ~: ${homes}. Read it through before you pass it on.`,
    notRedacted:
      'Nothing was taken out of this page: keys, passwords and paths stand in it as they were said. Do not pass it on.',
    shortened: (texts) => `Long texts of which only the beginning and the end are here: ${texts}.`,
    fewerPictures: (pictures) => `Pictures that found no room: ${pictures}.`,
    fewerRequests: (requests) => `Requests whose messages are not in this page, only their figures: ${requests}.`,
    noData: 'This page carries no session.',
    damaged: 'The session in this page is damaged. Write the page again.',
    otherVersion: (version) => `This page was written by another version of Plimsoll (${version}). Write it again.`,
    requestNotHere: 'The messages of this request are not in this page: it was too long. plimsoll serve shows them.',
    editNotHere: 'What this edit changed is not in this page. plimsoll serve shows it.',
    pictureNotHere: 'This picture is not in this page.',
    noReplay: 'This page carries no replay under these policies. plimsoll serve works it out.',
  },
}

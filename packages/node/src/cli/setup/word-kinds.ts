import { codecs } from '@plimsoll/core'
import { policyNames } from '@plimsoll/core/policies'
import { exportFormats } from '@plimsoll/core/session'
import { shells } from '../gateway/shell-lines.ts'
import { shellNames } from './shell-names.ts'

/** What the words in a place are. */
export type WordKind =
  | 'any'
  | 'words'
  | 'file'
  | 'folder'
  | 'command'
  | 'agent'
  /** The id of a session of ours, or `last`: asked for when it is completed. */
  | 'session'
  | 'file-or-session'
  | 'policies'
  | 'mode'
  | 'trim'
  | 'dialect'
  | 'format'
  | 'reasoning'
  | 'env-shell'
  | 'shell'
  | 'log-level'

/** The words of the kinds that have a list. */
export const wordLists: Readonly<Partial<Record<WordKind, readonly string[]>>> = {
  policies: ['spec', 'economy', ...policyNames],
  mode: ['read-only', 'ask', 'accept-edits', 'auto'],
  trim: ['observe', 'safe', 'spec', 'economy'],
  dialect: Object.keys(codecs),
  format: exportFormats,
  reasoning: ['none', 'low', 'medium', 'high'],
  'env-shell': shells,
  shell: shellNames,
  'log-level': ['debug', 'info', 'warn', 'silent'],
}

/** What options take, by their names. */
export const optionKinds: Readonly<Record<string, WordKind>> = {
  '--config': 'file',
  '--root': 'folder',
  '--out': 'file',
  '--html': 'file',
  '--policies': 'policies',
  '--under': 'policies',
  '--mode': 'mode',
  '--trim': 'trim',
  '--dialect': 'dialect',
  '--format': 'format',
  '--reasoning': 'reasoning',
  '--shell': 'env-shell',
  '--log': 'log-level',
  '--resume': 'session',
  '--session': 'session',
}

/** What arguments are, by the names they have in the help. */
export const argumentKinds: Readonly<Record<string, WordKind>> = {
  FILE: 'file',
  PATH: 'file',
  'PATH|SESSION': 'file-or-session',
  ID: 'session',
  AGENT: 'agent',
  SHELL: 'shell',
}

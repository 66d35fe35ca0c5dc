import type { DatabaseSync } from 'node:sqlite'

type Sqlite = { readonly DatabaseSync: typeof DatabaseSync }

/** Node's SQLite, without the warning that Node prints for it. */
export function loadSqlite(): Sqlite {
  const emitWarning: unknown = Reflect.get(process, 'emitWarning')
  // Node warns once, while the module loads, which happens in this call: no other warning can be lost.
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    Reflect.set(process, 'emitWarning', emitWarning)
  }
}

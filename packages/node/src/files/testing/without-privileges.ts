/** Does something as somebody who may not look into everything: the superuser becomes nobody for so long. */
export async function withoutPrivileges<Value>(work: () => Promise<Value>): Promise<Value> {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(nobody)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

const nobody = 65_534

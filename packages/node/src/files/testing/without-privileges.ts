/** Runs a function without root privileges: root switches to an unprivileged user meanwhile. */
export async function withoutPrivileges<Value>(work: () => Promise<Value>): Promise<Value> {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(unprivilegedUser)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

const unprivilegedUser = 65_534

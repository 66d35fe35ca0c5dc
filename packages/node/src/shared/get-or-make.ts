interface Known<Key, Value> {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => unknown
}

/** The value that a map holds for a key. If it holds none, it is made and kept there. */
export function getOrMake<Key, Value>(known: Known<Key, Value>, key: Key, make: () => Value): Value {
  let value = known.get(key)
  if (value === undefined) {
    value = make()
    known.set(key, value)
  }
  return value
}

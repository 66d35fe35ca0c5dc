import { createContext, useContext } from 'react'

/** A context without a default, and the hook that reads it and throws outside of it. */
export function requiredContext<Value extends object>(place: string) {
  const context = createContext<Value | null>(null)
  const useValue = (): Value => {
    const value = useContext(context)
    if (value === null) throw new Error(`a component is used outside of ${place}`)
    return value
  }
  return [context, useValue] as const
}

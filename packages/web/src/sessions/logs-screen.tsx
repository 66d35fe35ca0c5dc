/** The logs of other agents that were found on this machine. */
export function LogsScreen() {
  return null
}

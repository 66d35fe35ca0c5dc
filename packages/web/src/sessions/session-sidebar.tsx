/** The sessions, to find one and go to it. */
export function SessionSidebar() {
  return null
}

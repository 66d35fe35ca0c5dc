/** The chat of one session. */
export function ChatScreen({ id }: { readonly id: string }) {
  return <p className="centered">{id}</p>
}

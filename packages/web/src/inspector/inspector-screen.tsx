/** One session in the inspector. */
export function InspectorScreen({ id, tab }: { readonly id: string; readonly tab: string | undefined }) {
  return (
    <p className="centered">
      {id} {tab}
    </p>
  )
}

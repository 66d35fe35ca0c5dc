/** The heads of a table's columns. */
export function ColumnHeads({ heads }: { readonly heads: readonly (readonly [text: string, className?: string])[] }) {
  return heads.map(([text, className], index) => (
    <th key={index} scope="col" className={className}>
      {text}
    </th>
  ))
}

/** A place in a JSON document: field names and list positions from the root. */
export type Path = readonly (string | number)[]

/**
 * One change to a JSON document. All paths of a list of patches are those of the original document and must not lie inside one
 * another. `insert` puts a value before the list position its path ends in (the list's length appends); several inserts at one
 * position keep their order.
 */
export type Patch =
  | { readonly op: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: Path }
  | { readonly op: 'insert'; readonly path: Path; readonly value: unknown }

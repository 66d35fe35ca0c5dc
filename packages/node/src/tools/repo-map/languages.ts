export interface Language {
  readonly grammar: string
  /** Patterns of tree-sitter that capture the name of each definition as `@name`. */
  readonly definitions: string
}

export function languageOf(path: string): Language | null {
  const dot = path.lastIndexOf('.')
  return dot === -1 ? null : (byExtension.get(path.slice(dot + 1).toLowerCase()) ?? null)
}

/** Patterns for nodes that have their name in the field `name`, as a node of this type. */
function named(type: string, nodes: string): string {
  return nodes.replaceAll(/\S+/g, (node) => `(${node} name: (${type}) @name)`)
}

const functionValue = '[(arrow_function) (function_expression) (generator_function)]'

const script = `
  ${named('identifier', 'function_declaration generator_function_declaration')}
  (method_definition name: (_) @name)
  (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name)))
  (export_statement declaration: (variable_declaration (variable_declarator name: (identifier) @name)))
  (program (lexical_declaration (variable_declarator name: (identifier) @name value: ${functionValue})))
  (assignment_expression left: (member_expression property: (property_identifier) @name) right: ${functionValue})
`

const typescript = `
  ${script}
  ${named('type_identifier', 'class_declaration abstract_class_declaration interface_declaration type_alias_declaration')}
  ${named('identifier', 'enum_declaration function_signature internal_module')}
  (abstract_method_signature name: (_) @name)
`

const python = `
  ${named('identifier', 'class_definition function_definition')}
  (module (expression_statement (assignment left: (identifier) @name)))
  (type_alias_statement left: (type (identifier) @name))
`

const go = `
  (function_declaration name: (identifier) @name)
  (method_declaration name: (field_identifier) @name)
  ${named('type_identifier', 'type_spec type_alias')}
  (source_file (const_declaration (const_spec name: (identifier) @name)))
  (source_file (var_declaration (var_spec name: (identifier) @name)))
`

const rust = `
  ${named('identifier', 'function_item function_signature_item mod_item const_item static_item macro_definition')}
  ${named('type_identifier', 'struct_item enum_item union_item trait_item type_item')}
`

const java = `
  ${named('identifier', 'class_declaration interface_declaration enum_declaration record_declaration')}
  ${named('identifier', 'annotation_type_declaration constructor_declaration method_declaration')}
`

const cpp = `
  (class_specifier name: (type_identifier) @name body: (_))
  (struct_specifier name: (type_identifier) @name body: (_))
  (union_specifier name: (type_identifier) @name body: (_))
  (enum_specifier name: (type_identifier) @name body: (_))
  (namespace_definition name: (namespace_identifier) @name)
  (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name)] @name)
  (type_definition declarator: (type_identifier) @name)
  (alias_declaration name: (type_identifier) @name)
  ${named('identifier', 'preproc_def preproc_function_def')}
`

const cSharp = `
  ${named('identifier', 'class_declaration interface_declaration struct_declaration enum_declaration record_declaration')}
  ${named('identifier', 'delegate_declaration constructor_declaration method_declaration property_declaration')}
`

const ruby = `
  ${named('_', 'module class method singleton_method')}
  (assignment left: (constant) @name)
`

const php = `
  ${named('name', 'class_declaration interface_declaration trait_declaration enum_declaration')}
  ${named('name', 'function_definition method_declaration')}
  (const_element (name) @name)
`

const powershell = `
  (function_statement (function_name) @name)
  (class_statement (simple_name) @name)
  (class_method_definition (simple_name) @name)
`

const languages: readonly (readonly [grammar: string, extensions: string, definitions: string])[] = [
  ['typescript', 'ts mts cts', typescript],
  ['tsx', 'tsx', typescript],
  ['javascript', 'js mjs cjs jsx', `${script} ${named('identifier', 'class_declaration')}`],
  ['python', 'py pyi', python],
  ['go', 'go', go],
  ['rust', 'rs', rust],
  ['java', 'java', java],
  ['cpp', 'c h cc cpp cxx hh hpp hxx', cpp],
  ['c-sharp', 'cs', cSharp],
  ['ruby', 'rb rake', ruby],
  ['php', 'php', php],
  ['bash', 'sh bash', named('word', 'function_definition')],
  ['powershell', 'ps1 psm1', powershell],
]

const byExtension = new Map(
  languages.flatMap(([grammar, extensions, definitions]) =>
    extensions.split(' ').map((extension) => [extension, { grammar, definitions }] as const),
  ),
)

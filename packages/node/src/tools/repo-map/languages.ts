/** A language whose definitions can be found. */
export interface Language {
  /** The name of its grammar. */
  readonly grammar: string
  /** Patterns of tree-sitter that capture the name of each definition as `@name`. */
  readonly definitions: string
}

/** The language of a file by the end of its name, or null where none is known. */
export function languageOf(path: string): Language | null {
  const dot = path.lastIndexOf('.')
  return dot === -1 ? null : (byExtension.get(path.slice(dot + 1).toLowerCase()) ?? null)
}

const functionValue = '[(arrow_function) (function_expression) (generator_function)]'

const scriptDefinitions = `
  (function_declaration name: (identifier) @name)
  (generator_function_declaration name: (identifier) @name)
  (method_definition name: (_) @name)
  (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name)))
  (export_statement declaration: (variable_declaration (variable_declarator name: (identifier) @name)))
  (program (lexical_declaration (variable_declarator name: (identifier) @name value: ${functionValue})))
  (assignment_expression left: (member_expression property: (property_identifier) @name) right: ${functionValue})
`

const javascript = `${scriptDefinitions}
  (class_declaration name: (identifier) @name)
`

const typescript = `${scriptDefinitions}
  (class_declaration name: (type_identifier) @name)
  (abstract_class_declaration name: (type_identifier) @name)
  (abstract_method_signature name: (_) @name)
  (interface_declaration name: (type_identifier) @name)
  (type_alias_declaration name: (type_identifier) @name)
  (enum_declaration name: (identifier) @name)
  (function_signature name: (identifier) @name)
  (internal_module name: (identifier) @name)
`

const python = `
  (class_definition name: (identifier) @name)
  (function_definition name: (identifier) @name)
  (module (expression_statement (assignment left: (identifier) @name)))
  (type_alias_statement left: (type (identifier) @name))
`

const go = `
  (function_declaration name: (identifier) @name)
  (method_declaration name: (field_identifier) @name)
  (type_spec name: (type_identifier) @name)
  (type_alias name: (type_identifier) @name)
  (source_file (const_declaration (const_spec name: (identifier) @name)))
  (source_file (var_declaration (var_spec name: (identifier) @name)))
`

const rust = `
  (function_item name: (identifier) @name)
  (function_signature_item name: (identifier) @name)
  (struct_item name: (type_identifier) @name)
  (enum_item name: (type_identifier) @name)
  (union_item name: (type_identifier) @name)
  (trait_item name: (type_identifier) @name)
  (type_item name: (type_identifier) @name)
  (mod_item name: (identifier) @name)
  (const_item name: (identifier) @name)
  (static_item name: (identifier) @name)
  (macro_definition name: (identifier) @name)
`

const java = `
  (class_declaration name: (identifier) @name)
  (interface_declaration name: (identifier) @name)
  (enum_declaration name: (identifier) @name)
  (record_declaration name: (identifier) @name)
  (annotation_type_declaration name: (identifier) @name)
  (constructor_declaration name: (identifier) @name)
  (method_declaration name: (identifier) @name)
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
  (preproc_def name: (identifier) @name)
  (preproc_function_def name: (identifier) @name)
`

const cSharp = `
  (class_declaration name: (identifier) @name)
  (interface_declaration name: (identifier) @name)
  (struct_declaration name: (identifier) @name)
  (enum_declaration name: (identifier) @name)
  (record_declaration name: (identifier) @name)
  (delegate_declaration name: (identifier) @name)
  (constructor_declaration name: (identifier) @name)
  (method_declaration name: (identifier) @name)
  (property_declaration name: (identifier) @name)
`

const ruby = `
  (module name: (_) @name)
  (class name: (_) @name)
  (method name: (_) @name)
  (singleton_method name: (_) @name)
  (assignment left: (constant) @name)
`

const php = `
  (class_declaration name: (name) @name)
  (interface_declaration name: (name) @name)
  (trait_declaration name: (name) @name)
  (enum_declaration name: (name) @name)
  (function_definition name: (name) @name)
  (method_declaration name: (name) @name)
  (const_element (name) @name)
`

const bash = '(function_definition name: (word) @name)'

const powershell = `
  (function_statement (function_name) @name)
  (class_statement (simple_name) @name)
  (class_method_definition (simple_name) @name)
`

const languages: readonly (readonly [grammar: string, extensions: string, definitions: string])[] = [
  ['typescript', 'ts mts cts', typescript],
  ['tsx', 'tsx', typescript],
  ['javascript', 'js mjs cjs jsx', javascript],
  ['python', 'py pyi', python],
  ['go', 'go', go],
  ['rust', 'rs', rust],
  ['java', 'java', java],
  ['cpp', 'c h cc cpp cxx hh hpp hxx', cpp],
  ['c-sharp', 'cs', cSharp],
  ['ruby', 'rb rake', ruby],
  ['php', 'php', php],
  ['bash', 'sh bash', bash],
  ['powershell', 'ps1 psm1', powershell],
]

const byExtension = new Map(
  languages.flatMap(([grammar, extensions, definitions]) =>
    extensions.split(' ').map((extension) => [extension, { grammar, definitions }] as const),
  ),
)

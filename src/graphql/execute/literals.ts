// Literals of a document made into variables before graphql-jit sees them. Three of its faults end here:
//
// - It writes literals into the code it generates, and text of a certain shape inside a string literal would run as code. Documents
//   come from callers, so no text of theirs may get there.
// - It passes null for a variable that was not given when it stands inside an object literal (its issues 91 and 230), so
//   `updateContact(input: { phone: $phone })` would clear the phone of a caller who never mentioned it.
// - It calls `$first: Int! = 50` missing when it is not given, and hands default values on without parsing them (a time stays text).
//
// So every literal but numbers, true, false and null becomes one variable of the argument's own type, and defaults are filled in
// here; what was left out stays out.

import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parseType,
  TypeInfo,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql'

type Variables = Record<string, unknown>

/** What stands for the given document, and the variables it wants instead of the given ones. */
export interface Whole {
  document: DocumentNode
  fill(variables: Variables): Variables
}

// Two underscores are reserved for introspection, so no document names a variable like this: limits.ts refuses those that do.
const prefix = '__literal'
const plain: ReadonlySet<string> = new Set([Kind.INT, Kind.FLOAT, Kind.BOOLEAN, Kind.NULL])

export function wholeLiterals(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Whole {
  const given = (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => ({
    name: variable.name.value,
    fallback: defaultValue && valueFromASTUntyped(defaultValue),
  }))
  const literals: { name: string; build: (variables: Variables) => unknown }[] = []
  const definitions: VariableDefinitionNode[] = []
  const types = new TypeInfo(schema)
  const rewritten = visit(
    document,
    visitWithTypeInfo(types, {
      Directive: () => false,
      VariableDefinition: ({ defaultValue: _, ...definition }) => definition,
      Argument(argument) {
        const type = types.getInputType()
        const { value } = argument
        if (!type || value.kind === Kind.VARIABLE || plain.has(value.kind)) return undefined
        const name = `${prefix}${literals.length}`
        const variable = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } } as const
        literals.push({ name, build: builderOf(value) })
        definitions.push({ kind: Kind.VARIABLE_DEFINITION, variable, type: parseType(String(type)) })
        return { ...argument, value: variable }
      },
    }),
  )

  return {
    document: {
      ...rewritten,
      definitions: rewritten.definitions.map(definition =>
        definition.kind === Kind.OPERATION_DEFINITION
          ? { ...definition, variableDefinitions: [...(definition.variableDefinitions ?? []), ...definitions] }
          : definition,
      ),
    },
    fill(variables) {
      const filled: Variables = {}
      for (const { name, fallback } of given) {
        const value = variables[name] === undefined ? fallback : variables[name]
        if (value !== undefined) filled[name] = value
      }
      for (const { name, build } of literals) filled[name] = build(filled)
      return filled
    },
  }
}

// The value in its JSON form; undefined stands for a variable that was not given.
function builderOf(node: ValueNode): (variables: Variables) => unknown {
  switch (node.kind) {
    case Kind.VARIABLE: {
      const name = node.name.value
      return variables => variables[name]
    }
    case Kind.LIST: {
      const items = node.values.map(builderOf)
      return variables => items.map(build => build(variables) ?? null)
    }
    case Kind.OBJECT: {
      const fields = node.fields.map(field => ({ name: field.name.value, build: builderOf(field.value) }))
      return variables => {
        const built: Variables = {}
        for (const { name, build } of fields) {
          const value = build(variables)
          if (value !== undefined) built[name] = value
        }
        return built
      }
    }
    default: {
      const value = valueFromASTUntyped(node)
      return () => value
    }
  }
}

// Replaces literals of a document by variables before graphql-jit compiles it. This avoids three faults of graphql-jit:
//
// - It writes literals into the code it generates, where a crafted string literal would run as code. Documents come from callers, so
//   none of their text may reach the generated code.
// - It passes null for an absent variable inside an object literal (its issues 91 and 230), so
//   `updateContact(input: { phone: $phone })` would clear the phone when the caller did not send it.
// - It reports `$first: Int! = 50` as missing when it is absent, and passes default values on unparsed (a time stays text).
//
// So every literal except numbers, true, false and null becomes one variable of the argument's type, and defaults are filled in here;
// absent variables stay absent.

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

/** The rewritten document, and a function from the caller's variables to its variables. */
export interface WithoutLiterals {
  document: DocumentNode
  fill(variables: Variables): Variables
}

// limits.ts refuses documents with variable names that begin with two underscores, so this prefix cannot collide.
const prefix = '__literal'
const plain: ReadonlySet<string> = new Set([Kind.INT, Kind.FLOAT, Kind.BOOLEAN, Kind.NULL])

export function withoutLiterals(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): WithoutLiterals {
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

// Builds the JSON value of a literal; an absent variable is undefined.
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

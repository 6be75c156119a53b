// Where in a document the fields of an error stand, found by the error's path: compiled documents know no places.

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

/** The error with the places of the fields that its path names; one that has places, or no path, as it is. */
export function located(error: GraphQLError, document: DocumentNode, operation: OperationDefinitionNode): GraphQLError {
  const { message, path, extensions } = error
  if (!path || error.locations) return error
  const nodes = fieldsAt(path, document, operation)
  return nodes.some(({ loc }) => loc) ? new GraphQLError(message, { path, nodes, extensions }) : error
}

// Several fields with one response name are one value, and have several places.
function fieldsAt(path: readonly (string | number)[], document: DocumentNode, { selectionSet }: OperationDefinitionNode): FieldNode[] {
  let sets: readonly SelectionSetNode[] = [selectionSet]
  let fields: FieldNode[] = []
  for (const step of path) {
    if (typeof step === 'number') continue
    fields = sets.flatMap(set => fieldsNamed(step, set, document))
    sets = fields.flatMap(field => field.selectionSet ?? [])
  }
  return fields
}

function fieldsNamed(name: string, { selections }: SelectionSetNode, document: DocumentNode): FieldNode[] {
  return selections.flatMap(selection => {
    if (selection.kind === Kind.FIELD) return (selection.alias ?? selection.name).value === name ? [selection] : []
    const set =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : document.definitions.find(
            (definition): definition is FragmentDefinitionNode =>
              definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
          )?.selectionSet
    return set ? fieldsNamed(name, set, document) : []
  })
}

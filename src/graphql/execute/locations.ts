// Adds `locations` to errors of compiled documents, which have none: finds the fields in the document by the error's path.

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

/** The error with the locations of the fields in its path. Returned unchanged if it has locations or no path. */
export function addLocations(error: GraphQLError, document: DocumentNode, operation: OperationDefinitionNode): GraphQLError {
  const { message, path, extensions } = error
  if (!path || error.locations) return error
  const nodes = fieldsAt(path, document, operation)
  return nodes.some(({ loc }) => loc) ? new GraphQLError(message, { path, nodes, extensions }) : error
}

// Fields with the same response name are merged into one value, which then has several locations.
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

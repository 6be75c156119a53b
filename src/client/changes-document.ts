// The subscription that live updates run; codegen.ts writes the types of its answer to generated/changes.ts.

/** `entity` is a selection of GraphQL on what the change is about, such as `... on Contact { email }`. */
export const changesDocument = (entity = '') => `subscription Changes($after: String, $types: [ChangeType!]) {
  changes(after: $after, types: $types) {
    id
    type
    createdAt
    entityId
    contactId
    actor { type actorId name }
    changes { field before after }
    entity { __typename ${entity} }
  }
}`

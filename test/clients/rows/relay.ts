// Relay: its compiler accepts the schema and generates types that compile in strict mode, its store returns the server's data unchanged.

import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Row } from '../row.ts'

const schema = fileURLToPath(new URL('../../../schema/schema.graphql', import.meta.url))

// Relay finds documents by their tag, and requires names that begin with the file's name.
const source = `import { graphql } from 'relay-runtime'

export const everything = graphql\`
  query documentsEverythingQuery {
    me { id name }
    recipes { nodes { id name steps { step provider price } } }
    enrichmentJobs(first: 20) { nodes { id target { hostApp targetId kind } createdBy { actorId type } } }
  }
\`
export const read = graphql\`
  query documentsReadQuery($id: ID!) { contact(id: $id) { id firstName tags } }
\`
export const rename = graphql\`
  mutation documentsRenameMutation($id: ID!) @raw_response_type { updateContact(input: { id: $id, firstName: "Renamed" }) { id firstName } }
\`
export const list = graphql\`
  query documentsListQuery($first: Int, $after: String, $last: Int, $before: String) {
    contacts(first: $first, after: $after, last: $last, before: $before, sort: CREATED_AT, filter: { tagIn: ["relay"] })
      @connection(key: "documents_contacts") { edges { node { id firstName } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }
  }
\`
export const changes = graphql\`
  subscription documentsChangesSubscription { changes { id type entity { __typename ... on Contact { id firstName } } } }
\`
`

export const row: Row = {
  name: 'Relay: compiler and runtime',
  packages: ['relay-compiler', 'relay-runtime'],
  async run({ folder, tool, use }) {
    await mkdir(path.join(folder, 'src/__generated__'), { recursive: true })
    await writeFile(path.join(folder, 'src/documents.ts'), source)
    const config = {
      src: './src',
      schema: path.relative(folder, schema),
      language: 'typescript',
      artifactDirectory: './src/__generated__',
      eagerEsModules: true,
      useImportTypeSyntax: true,
      customScalarTypes: { DateTime: 'string', Date: 'string', JSON: 'unknown', JSONObject: 'Record<string, unknown>' },
    }
    await writeFile(path.join(folder, 'relay.config.json'), JSON.stringify(config))
    await tool('relay-compiler', ['relay.config.json'])
    return use('relay.ts')
  },
}

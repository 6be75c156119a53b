// The route table matches its documents: documents use every input of their route, and routes supply every variable of their document.

import { type DocumentNode, isNonNullType, Kind } from 'graphql'
import { describe, expect, test } from 'vitest'
import { wireSchema } from '../../src/graphql/execute/run.ts'
import { inputsOf, operationOf } from '../../src/rest/router/document.ts'
import { parametersOf, type Route } from '../../src/rest/router/route.ts'
import { routes } from '../../src/rest/routes/routes.ts'

const documentsOf = ({ document, instead }: Route): DocumentNode[] => [document, ...(instead ? [instead.document] : [])]
const variablesOf = (document: DocumentNode) => (operationOf(document).variableDefinitions ?? []).map(({ variable }) => variable.name.value)
const takenBy = (document: DocumentNode, { path }: Route) => inputsOf(wireSchema(), document, path)
const givenBy = (route: Route) => [
  ...parametersOf(route.path),
  ...Object.keys(route.query?.shape ?? {}),
  ...Object.keys(route.body?.shape ?? {}),
  ...(route.ifMatch ? ['if_version'] : []),
  ...(route.isRaw ? ['path', 'headers', 'body'] : []),
  ...(route.isUpload ? ['upload_id'] : []),
]
// These parameters select the document or behaviour and are not passed as variables.
const choices = new Set(['match', 'on_conflict'])
// Short names for parameters that the documents know by the full name.
const shortNames = new Set(['target'])

describe.each(routes)('$method $path', route => {
  test('has an input for every variable of its documents, and for the required fields of `$input`', () => {
    for (const document of documentsOf(route)) {
      const given = [...givenBy(route), ...(route.instead ? [route.instead.given] : []), 'on_conflict']
      const { isWhole, byName } = takenBy(document, route)
      const required = isWhole ? [...byName].flatMap(([name, { type }]) => (isNonNullType(type) ? [name] : [])) : variablesOf(document)
      expect(required.filter(name => !given.includes(name))).toEqual([])
    }
  })

  test('passes every input to its documents', () => {
    for (const document of documentsOf(route)) {
      const { isWhole, byName } = takenBy(document, route)
      const taken = isWhole ? [...byName.keys()] : variablesOf(document)
      expect(givenBy(route).filter(input => !taken.includes(input) && !choices.has(input) && !shortNames.has(input))).toEqual([])
    }
  })

  test('has mutations for write methods and queries for GET', () => {
    // A preview and a check are asked with more than fits into an address.
    const isRead = route.method === 'GET' || /\/(preview|check)$/.test(route.path)
    for (const document of documentsOf(route)) expect(operationOf(document).operation).toBe(isRead ? 'query' : 'mutation')
  })

  test('has documents with one root field, named result', () => {
    for (const document of documentsOf(route)) {
      const [field, ...others] = operationOf(document).selectionSet.selections
      expect(field?.kind === Kind.FIELD && field.alias?.value).toBe('result')
      expect(others).toEqual([])
    }
  })
})

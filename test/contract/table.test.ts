// The route table matches its documents: documents use every input of their route, and routes supply every variable of their document.

import { type DocumentNode, Kind } from 'graphql'
import { describe, expect, test } from 'vitest'
import { operationOf } from '../../src/rest/router/document.ts'
import { parametersOf, type Route } from '../../src/rest/router/route.ts'
import { routes } from '../../src/rest/routes/routes.ts'

const documentsOf = ({ document, instead }: Route): DocumentNode[] => [document, ...(instead ? [instead.document] : [])]
const variablesOf = (document: DocumentNode) => (operationOf(document).variableDefinitions ?? []).map(({ variable }) => variable.name.value)
const inputsOf = (route: Route) => [
  ...parametersOf(route.path),
  ...Object.keys(route.query?.shape ?? {}),
  ...Object.keys(route.body?.shape ?? {}),
  ...(route.ifMatch ? ['if_version'] : []),
  ...(route.isRaw ? ['path', 'headers', 'body'] : []),
]
// These parameters select the document or behaviour and are not passed as variables.
const choices = new Set(['match', 'on_conflict'])
// Short names for parameters that the documents know by the full name.
const shortNames = new Set(['target'])

describe.each(routes)('$method $path', route => {
  test('has an input for every variable of its documents', () => {
    for (const document of documentsOf(route)) {
      const given = [...inputsOf(route), ...(route.instead ? [route.instead.given] : []), 'on_conflict']
      expect(variablesOf(document).filter(variable => !given.includes(variable))).toEqual([])
    }
  })

  test('passes every input to its documents', () => {
    for (const document of documentsOf(route)) {
      const variables = variablesOf(document)
      expect(inputsOf(route).filter(input => !variables.includes(input) && !choices.has(input) && !shortNames.has(input))).toEqual([])
    }
  })

  test('has mutations for write methods and queries for GET', () => {
    for (const document of documentsOf(route)) expect(operationOf(document).operation).toBe(route.method === 'GET' ? 'query' : 'mutation')
  })

  test('has documents with one root field, named result', () => {
    for (const document of documentsOf(route)) {
      const [field, ...others] = operationOf(document).selectionSet.selections
      expect(field?.kind === Kind.FIELD && field.alias?.value).toBe('result')
      expect(others).toEqual([])
    }
  })
})

// The table and its documents say the same: what a route takes its document uses, and what a document asks a route can give.

import { type DocumentNode, Kind } from 'graphql'
import { describe, expect, test } from 'vitest'
import { operationOf } from '../../src/rest/document.ts'
import { parametersOf, type Route } from '../../src/rest/route.ts'
import { routes } from '../../src/rest/routes.ts'

const documentsOf = ({ document, instead }: Route): DocumentNode[] => [document, ...(instead ? [instead.document] : [])]
const variablesOf = (document: DocumentNode) => (operationOf(document).variableDefinitions ?? []).map(({ variable }) => variable.name.value)
const inputsOf = (route: Route) => [
  ...parametersOf(route.path),
  ...Object.keys(route.query?.shape ?? {}),
  ...Object.keys(route.body?.shape ?? {}),
  ...(route.ifMatch ? ['if_version'] : []),
  ...(route.isRaw ? ['path', 'headers', 'body'] : []),
]
// These choose what is done, and are no part of what it is done with.
const choices = new Set(['match', 'on_conflict'])
// Short for another name, which the documents know.
const shortNames = new Set(['target'])

describe.each(routes)('$method $path', route => {
  test('everything its documents ask for can be given', () => {
    for (const document of documentsOf(route)) {
      const given = [...inputsOf(route), ...(route.instead ? [route.instead.given] : []), 'on_conflict']
      expect(variablesOf(document).filter(variable => !given.includes(variable))).toEqual([])
    }
  })

  test('everything it takes is used by its documents', () => {
    for (const document of documentsOf(route)) {
      const variables = variablesOf(document)
      expect(inputsOf(route).filter(input => !variables.includes(input) && !choices.has(input) && !shortNames.has(input))).toEqual([])
    }
  })

  test('its documents write when its method does', () => {
    for (const document of documentsOf(route)) expect(operationOf(document).operation).toBe(route.method === 'GET' ? 'query' : 'mutation')
  })

  test('its documents have one root field, named result', () => {
    for (const document of documentsOf(route)) {
      const [field, ...others] = operationOf(document).selectionSet.selections
      expect(field?.kind === Kind.FIELD && field.alias?.value).toBe('result')
      expect(others).toEqual([])
    }
  })
})
